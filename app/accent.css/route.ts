import { accentVersion } from "@/app/_components/accent-style";
import { siteSettings } from "@/lib/site";

export const dynamic = "force-dynamic";

/**
 * The site's accent colours.
 * A style sheet, because a page's policy allows no styles of its own.
 */
export function GET(request: Request): Response {
  const { ACCENT_COLOUR: light, ACCENT_COLOUR_DARK: dark } = siteSettings();
  const isCurrent = new URL(request.url).searchParams.get("v") === accentVersion();
  return new Response(`:root:root{--color-water:light-dark(${light},${dark})}`, {
    headers: {
      "Content-Type": "text/css; charset=utf-8",
      "Cache-Control": isCurrent ? "public, max-age=31536000, immutable" : "no-cache",
    },
  });
}
