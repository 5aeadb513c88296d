import { formatter, translator } from "../i18n/index.ts";
import { localeNames } from "../i18n/locale.ts";
import type { Theme } from "../theme.ts";
import type { FieldErrors } from "../validation.ts";
import type { SettingTexts } from "./change.ts";
import { contrastIn, readableColour, textContrast } from "./colours.ts";
import { type SiteSettingName, settingsFrom } from "./index.ts";
import {
  footerLinksFrom,
  footerLinksMaximum,
  footerTextMaximum,
  isVisible,
  mailServerName,
  nameMaximum,
  privacyNoteMaximum,
  siteDefaults,
  siteFields,
  siteSettingNames,
  taglineMaximum,
} from "./schema.ts";

/** The errors of settings that are invalid, or that others have changed meanwhile. */
export function settingErrors({
  invalid,
  outdated,
}: {
  invalid: SettingTexts;
  outdated: SettingTexts;
}): FieldErrors {
  return {
    ...errorsOf(invalid, errorText),
    ...errorsOf(outdated, outdatedText),
    // Without the text, which may have a password.
    ...(invalid[mailServerName] !== undefined && {
      [mailServerName]: [translator("siteSettings")("error.MAIL_URL")],
    }),
  };
}

function errorsOf(
  texts: SettingTexts,
  message: (name: SiteSettingName, text: string) => string,
): FieldErrors {
  return Object.fromEntries(
    siteSettingNames.flatMap((name) => {
      const text = texts[name];
      return text === undefined ? [] : [[name, [message(name, text)]]];
    }),
  );
}

/** The reason why a text is not a value of a setting, and a valid form. */
function errorText(name: SiteSettingName, text: string): string {
  const t = translator("siteSettings");
  switch (name) {
    case "SITE_NAME":
      if (isHidden(text, nameMaximum)) return t("error.hidden");
      return t("error.SITE_NAME", { maximum: nameMaximum });
    case "SITE_TAGLINE":
      if (isHidden(text, taglineMaximum)) return t("error.hidden");
      return t("error.SITE_TAGLINE", { maximum: taglineMaximum });
    case "FOOTER_LINKS": {
      if (text.length > footerTextMaximum) return t("error.footerLong", { maximum: footerTextMaximum });
      const line = footerLinksFrom(text).find((link) => typeof link === "string");
      return line === undefined
        ? t("error.footerMany", { maximum: footerLinksMaximum })
        : t("error.footerLine", { line: line.slice(0, 80) });
    }
    case "PRIVACY_NOTE":
      if (isHidden(text, privacyNoteMaximum)) return t("error.hidden");
      return t("error.footerLong", { maximum: privacyNoteMaximum });
    case "ACCENT_COLOUR":
      return colourError(text, "light");
    case "ACCENT_COLOUR_DARK":
      return colourError(text, "dark");
    case "SITE_LANGUAGES":
      return t("error.SITE_LANGUAGES");
    case "MAIL_FROM":
      return t("error.MAIL_FROM");
    case "EMAIL_VERIFICATION":
      return t(siteFields[name].safeParse(text).success ? "error.mailNeeded" : "error.choice");
    default:
      return t("error.choice");
  }
}

/** That another administrator has changed a setting, with its new value. */
function outdatedText(name: SiteSettingName, text: string): string {
  return translator("siteSettings")("error.outdated", { value: valueText(name, text) });
}

function valueText(name: SiteSettingName, text: string): string {
  const t = translator("siteSettings");
  if (text === "") return t("nothing");
  const settings = settingsFrom(new Map([[name, text]]), {});
  switch (name) {
    case "SITE_LANGUAGE":
      return localeNames[settings.SITE_LANGUAGE];
    case "SITE_LANGUAGES":
      return formatter().list(settings.SITE_LANGUAGES.map((locale) => localeNames[locale]));
    case "HOME_LAYOUT":
      return t(`choice.HOME_LAYOUT.${settings.HOME_LAYOUT}`);
    case "REGISTRATION":
      return t(`choice.REGISTRATION.${settings.REGISTRATION}`);
    case "WHO_MAY_WRITE":
      return t(`choice.WHO_MAY_WRITE.${settings.WHO_MAY_WRITE}`);
    case "EMAIL_VERIFICATION":
      return t(`choice.EMAIL_VERIFICATION.${settings.EMAIL_VERIFICATION}`);
    default:
      return text.replaceAll("\n", "; ");
  }
}

function isHidden(text: string, maximum: number): boolean {
  return text.length <= maximum && !isVisible(text);
}

function colourError(text: string, theme: Theme): string {
  const t = translator("siteSettings");
  const colour = text.toLowerCase();
  if (!/^#[\da-f]{6}$/.test(colour)) return t("error.colour", { colour: siteDefaults.ACCENT_COLOUR });
  const values = {
    // Rounded down: 4.48 must not read as 4.5.
    contrast: Math.floor(contrastIn(theme, colour) * 10) / 10,
    needed: textContrast,
    nearest: readableColour(theme, colour),
  };
  return theme === "light" ? t("error.contrastLight", values) : t("error.contrastDark", values);
}
