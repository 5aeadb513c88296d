/** The paths at which programs look for a site's icon without reading a page. */
import type { Reply } from "../lib/http/reply.ts";
import { iconAddress } from "../lib/media/address.ts";
import { siteImages } from "../lib/site/index.ts";

const sides = new Map([
  ["/favicon.ico", 48],
  ["/apple-touch-icon.png", 180],
  ["/apple-touch-icon-precomposed.png", 180],
  ["/icon.svg", 512],
  ["/icon-512.png", 512],
] as const);

/** The redirect from such a path to the uploaded icon; undefined without one. */
export function iconRedirect(path: string): Reply | undefined {
  const icon = siteImages().SITE_ICON;
  const [, side] = [...sides].find(([each]) => each === path) ?? [];
  if (!icon || !side) return undefined;
  return {
    status: 302,
    // Another icon may be uploaded.
    headers: { Location: iconAddress(icon, side), "Cache-Control": "no-cache" },
    body: "",
  };
}
