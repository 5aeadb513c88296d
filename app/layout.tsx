import type { Metadata, Viewport } from "next";
import { getUser } from "@/lib/auth";
import { clientTexts, translator } from "@/lib/i18n";
import { directionOf, type Locale } from "@/lib/i18n/locale";
import { canSendLinks } from "@/lib/mail/settings";
import { siteMail } from "@/lib/mail/site-mail";
import { archivePath } from "@/lib/paths";
import { currentLocale, currentTheme } from "@/lib/request/current-request";
import { trustedOrigin } from "@/lib/request/site-origin";
import { siteLocales, siteSettings } from "@/lib/site";
import { backgrounds } from "@/lib/site/colours";
import { type Theme, themes } from "@/lib/theme";
import { AccentStyle } from "./_components/accent-style";
import { FormScript } from "./_components/form-script";
import { LanguageForm } from "./_components/language-form";
import { SiteHeader } from "./_components/site-header";
import { StaticPart } from "./_components/static-part";
import { TextsProvider } from "./_components/texts";
import { ThemeForm } from "./_components/theme-form";
import { preloadFonts } from "./fonts";
import { feedLinks, siteDescription, siteIcon, siteName, socialImage, titleTemplate } from "./site-metadata";
import "./globals.css";
import "./fonts.css";

export async function generateMetadata(): Promise<Metadata> {
  const origin = await trustedOrigin();
  const { tab, touch } = siteIcon();
  return {
    // Without it links stay relative.
    metadataBase: origin ? new URL(origin) : null,
    title: { default: siteName(), template: titleTemplate() },
    description: siteDescription(),
    alternates: { types: feedLinks() },
    icons: { icon: tab, apple: touch },
    manifest: "/manifest.webmanifest",
    openGraph: { siteName: siteName(), ...(origin && { images: socialImage() }) },
    twitter: { card: "summary_large_image" },
  };
}

export function generateViewport(): Viewport {
  const theme = currentTheme();
  if (theme) return { colorScheme: theme, themeColor: backgrounds[theme] };
  return {
    colorScheme: "light dark",
    themeColor: themes.map((each) => ({
      media: `(prefers-color-scheme: ${each})`,
      color: backgrounds[each],
    })),
  };
}

export default function RootLayout({ children }: { children: React.ReactNode }) {
  const locale = currentLocale();
  const t = translator("layout");
  preloadFonts();
  return (
    <html lang={locale} dir={directionOf(locale)} data-theme={currentTheme()}>
      <AccentStyle />
      <body className="flex flex-col px-5 sm:px-8">
        <TextsProvider texts={clientTexts(locale)}>
          <a href="#content" className="sr-only focus:not-sr-only">
            {t("skipToContent")}
          </a>
          <SiteHeader />
          <main id="content" className="mx-auto w-full max-w-[44rem] grow py-8 sm:py-12">
            {children}
          </main>
          <StaticPart
            as="footer"
            className="mx-auto flex w-full max-w-[44rem] flex-wrap gap-x-6 gap-y-2 border-t border-hairline py-6 text-sm"
            of={Footer}
            items={[
              {
                canSubscribe: canSendLinks({ mail: siteMail() }),
                links: siteSettings().FOOTER_LINKS,
                theme: currentTheme(),
                locales: siteLocales(),
              },
            ]}
          />
          {/* Last: before a script runs, the browser may draw the part above it, and load a typeface for that part. */}
          <FooterScript />
        </TextsProvider>
      </body>
    </html>
  );
}

/** A visitor's page needs no script before a form of the footer is sent. */
async function FooterScript() {
  return <FormScript isLoadedWhenNeeded={!(await getUser())} />;
}

interface FooterProps {
  canSubscribe: boolean;
  /** The site's own. */
  links: readonly { label: string; address: string }[];
  theme: Theme | undefined;
  locales: readonly Locale[];
}

function Footer({ canSubscribe, links, theme, locales }: FooterProps) {
  const t = translator("layout");
  return (
    <>
      <a href="/how-scores-work">{t("howScoresWork")}</a>
      <a href={archivePath()}>{t("archive")}</a>
      <a href="/feed.xml">{t("feed")}</a>
      {canSubscribe && <a href="/subscribe">{t("subscribe")}</a>}
      <a href="/privacy">{t("privacy")}</a>
      {links.map(({ label, address }) => (
        <a key={`${label} ${address}`} href={address}>
          <bdi>{label}</bdi>
        </a>
      ))}
      <div className="ms-auto flex flex-wrap gap-x-6 gap-y-2">
        <ThemeForm theme={theme} />
        <LanguageForm locales={locales} />
      </div>
    </>
  );
}
