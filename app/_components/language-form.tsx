import { translator } from "@/lib/i18n";
import { type Locale, localeNames } from "@/lib/i18n/locale";
import { currentLocale } from "@/lib/request/current-request";

/**
 * The site's other languages as buttons. A plain form, which needs no script.
 * Their names are in the system's typeface: another script's would be loaded for them alone.
 */
export function LanguageForm({ locales }: { locales: readonly Locale[] }) {
  const t = translator("layout");
  const others = locales.filter((locale) => locale !== currentLocale());
  if (others.length === 0) return null;
  return (
    <form method="post" action="/language" aria-label={t("language")} className="flex gap-4">
      {others.map((locale) => (
        <button
          key={locale}
          type="submit"
          name="language"
          value={locale}
          lang={locale}
          className="link-button font-[system-ui]"
        >
          {localeNames[locale]}
        </button>
      ))}
    </form>
  );
}
