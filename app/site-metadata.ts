import { translator } from "@/lib/i18n";
import { iconAddress } from "@/lib/media/address";
import { siteImages, siteSettings } from "@/lib/site";

/**
 * The feeds of a page's posts; those of the site unless a path is given.
 * For pages whose own `alternates` replace the layout's.
 */
export function feedLinks(path = "/") {
  const base = path === "/" ? "" : path;
  return { "application/atom+xml": `${base}/feed.xml`, "application/feed+json": `${base}/feed.json` };
}

/** The site's own feed. */
export function siteFeed() {
  return { title: siteName(), description: siteDescription(), path: "/" };
}

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

/** The paths of the site's icon: the uploaded one, or the usual mark. */
export function siteIcon() {
  const icon = siteImages().SITE_ICON;
  if (!icon)
    return {
      tab: { url: "/icon.svg", type: "image/svg+xml", sizes: "any" },
      touch: "/apple-touch-icon.png",
      apps: [{ src: "/icon-512.png", sizes: "512x512", type: "image/png" }],
      large: "/icon-512.png",
    };
  const app = (side: 192 | 512) => ({
    src: iconAddress(icon, side),
    sizes: `${side}x${side}`,
    type: "image/png",
  });
  return {
    tab: { url: iconAddress(icon, 48), type: "image/png", sizes: "48x48" },
    touch: iconAddress(icon, 180),
    apps: [app(192), app(512)],
    large: iconAddress(icon, 512),
  };
}
