import { siteSettings } from "@/lib/site";
import { siteDefaults } from "@/lib/site/schema";

/** The style sheet with the site's own accent colours; nothing for the usual ones. */
export function AccentStyle() {
  const version = accentVersion();
  return version && <link rel="stylesheet" href={`/accent.css?v=${version}`} precedence="accent" />;
}

/** A name for the site's accent colours; undefined for the usual ones. */
export function accentVersion(): string | undefined {
  const { ACCENT_COLOUR: light, ACCENT_COLOUR_DARK: dark } = siteSettings();
  const isUsual = light === siteDefaults.ACCENT_COLOUR && dark === siteDefaults.ACCENT_COLOUR_DARK;
  return isUsual ? undefined : `${light}${dark}`.replaceAll("#", "");
}
