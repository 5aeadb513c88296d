import { translator } from "@/lib/i18n";
import { localeNames } from "@/lib/i18n/locale";
import { type SiteSettingName, settingsFrom } from "@/lib/site";
import { backgrounds, contrastOf, readableColour, textContrast } from "@/lib/site/colours";
import {
  footerLinksFrom,
  footerLinksMaximum,
  footerTextMaximum,
  isVisible,
  nameMaximum,
  siteDefaults,
  taglineMaximum,
} from "@/lib/site/schema";

/** Why a text is no value of a setting, and what to write instead. */
export function faultText(name: SiteSettingName, text: string): string {
  const t = translator("siteSettings");
  switch (name) {
    case "SITE_NAME":
      if (isHidden(text, nameMaximum)) return t("fault.hidden");
      return t("fault.SITE_NAME", { maximum: nameMaximum });
    case "SITE_TAGLINE":
      if (isHidden(text, taglineMaximum)) return t("fault.hidden");
      return t("fault.SITE_TAGLINE", { maximum: taglineMaximum });
    case "FOOTER_LINKS": {
      if (text.length > footerTextMaximum) return t("fault.footerLong", { maximum: footerTextMaximum });
      const line = footerLinksFrom(text).find((link) => typeof link === "string");
      return line === undefined
        ? t("fault.footerMany", { maximum: footerLinksMaximum })
        : t("fault.footerLine", { line: line.slice(0, 80) });
    }
    case "ACCENT_COLOUR":
      return colourFault(text, "light");
    case "ACCENT_COLOUR_DARK":
      return colourFault(text, "dark");
    default:
      return t("fault.choice");
  }
}

/** That another administrator has changed a setting, and to what. */
export function outdatedText(name: SiteSettingName, text: string): string {
  return translator("siteSettings")("fault.outdated", { value: valueText(name, text) });
}

function valueText(name: SiteSettingName, text: string): string {
  const t = translator("siteSettings");
  if (text === "") return t("nothing");
  const settings = settingsFrom(new Map([[name, text]]), {});
  switch (name) {
    case "SITE_LANGUAGE":
      return localeNames[settings.SITE_LANGUAGE];
    case "HOME_LAYOUT":
      return t(`choice.HOME_LAYOUT.${settings.HOME_LAYOUT}`);
    case "REGISTRATION":
      return t(`choice.REGISTRATION.${settings.REGISTRATION}`);
    case "WHO_MAY_WRITE":
      return t(`choice.WHO_MAY_WRITE.${settings.WHO_MAY_WRITE}`);
    default:
      return text.replaceAll("\n", "; ");
  }
}

function isHidden(text: string, maximum: number): boolean {
  return text.length <= maximum && !isVisible(text);
}

function colourFault(text: string, theme: keyof typeof backgrounds): string {
  const t = translator("siteSettings");
  const colour = text.toLowerCase();
  if (!/^#[\da-f]{6}$/.test(colour)) return t("fault.colour", { colour: siteDefaults.ACCENT_COLOUR });
  const values = {
    // Rounded down: 4.48 must not read as 4.5.
    contrast: Math.floor(contrastOf(colour, backgrounds[theme]) * 10) / 10,
    needed: textContrast,
    nearest: readableColour(colour, backgrounds[theme]),
  };
  return theme === "light" ? t("fault.contrastLight", values) : t("fault.contrastDark", values);
}
