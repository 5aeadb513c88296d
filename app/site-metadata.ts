import { translator } from "@/lib/i18n";
import { siteSettings } from "@/lib/site";

/** The feed's link, for pages whose own `alternates` replace the layout's. */
export const feedLink = { "application/atom+xml": "/feed.xml" };

/**
 * The site's name.
 * Pages whose own `openGraph` replaces the layout's repeat it there.
 */
export function siteName(): string {
  return siteSettings().SITE_NAME;
}

/**
 * The title of a page with a text that people wrote.
 * Next.js puts other titles into the layout's template as a replacement pattern, in which "$&" has a meaning.
 */
export function pageTitle(title: string): { absolute: string } {
  return { absolute: `${title} · ${siteName()}` };
}

/**
 * The layout's template.
 * A name that itself has the "%s" of templates gets an invisible joiner there.
 */
export function titleTemplate(): string {
  return `%s · ${siteName().replaceAll("%s", "%\u2060s")}`;
}

/** One line about the site, in the reader's language unless it is set. */
export function siteDescription(): string {
  return siteSettings().SITE_TAGLINE ?? translator("home")("tagline");
}

/**
 * The image of shared links to pages that have none of their own.
 * Its URL must be absolute: only for a site that knows its origin.
 */
export function socialImage() {
  return { url: "/social.png", width: 1200, height: 630, alt: siteName() };
}
