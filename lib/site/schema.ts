/**
 * The settings of the site that administrators change on /admin/settings.
 * Each can stand in the environment too, under the same name; it then counts, and the page only shows it.
 */
import { z } from "zod";
import { type Locale, locales } from "../i18n/locale.ts";
import { type ImageShape, imageAt } from "../media/address.ts";
import { mailFromFault, mailFromMaximum, senderFrom } from "../settings/mail-settings.ts";
import { withLineFeeds } from "../text/line-feeds.ts";
import { control, directionControl, visible } from "../text/visible-text.ts";
import type { Theme } from "../theme.ts";
import { backgrounds, codeBackgrounds, contrastIn, textContrast } from "./colours.ts";

/** The people who may register: any, any after approval, invited ones, or none. */
export const registrationModes = ["open", "approval", "invitation", "closed"] as const;
/** The users who may write: any, approved ones, or invited ones. */
export const writerModes = ["anyone", "approved", "invited"] as const;
/** When an account needs a confirmed address: never, to rate, or before it is made. */
export const emailVerifications = ["off", "to-rate", "to-register"] as const;
export type EmailVerification = (typeof emailVerifications)[number];
export type WhoMayWrite = (typeof writerModes)[number];
/** How much lists show of each post: its beginning too, or its title. */
export const homeLayouts = ["excerpts", "titles"] as const;

interface FooterLink {
  label: string;
  address: string;
}

export const nameMaximum = 60;
export const taglineMaximum = 160;
export const footerLinksMaximum = 8;
export const footerTextMaximum = 2_000;
export const privacyNoteMaximum = 4_000;
const labelMaximum = 40;

const siteText = (maximum: number) => {
  const message = `must be one line of at most ${maximum} characters`;
  return z
    .string()
    .trim()
    .min(1, message)
    .max(maximum, message)
    .refine((text) => !control.test(text) && text.isWellFormed(), message)
    .refine(isVisible, "must not have hidden characters that change its direction, nor only hidden ones");
};

/** Whether a text can be read, and does not turn the text beside it. */
export function isVisible(text: string): boolean {
  return visible(text) !== "" && !directionControl.test(text);
}

const oneOf = <const T extends string>(choices: readonly T[]) =>
  z.enum(choices, `must be one of ${choices.join(", ")}`);

const accent = (theme: Theme) =>
  z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^#[\da-f]{6}$/, "must be a colour such as #1d5f8c")
    .refine((colour) => contrastIn(theme, colour) >= textContrast, {
      error: `must have a contrast of at least ${textContrast} to ${backgrounds[theme]} and ${codeBackgrounds[theme]}, the ${theme} backgrounds`,
    });

const footerError =
  "must have a line for each link, at most 8: a name and an address, such as About /posts/about or Source https://example.org";

const footerLinks = z
  .string()
  .max(footerTextMaximum, footerError)
  .transform((text, context): FooterLink[] => {
    const links = footerLinksFrom(text);
    if (!links.some((link) => typeof link === "string") && links.length <= footerLinksMaximum)
      return links.filter((link) => typeof link !== "string");
    context.addIssue({ code: "custom", message: footerError });
    return z.NEVER;
  });

const languagesError = `must name one or several of ${locales.join(", ")}, with commas between them`;

/** Languages such as "en, fa", in the order of `locales`. */
const languages = z.string().transform((text, context): [Locale, ...Locale[]] => {
  const names = text.split(",").map((name) => name.trim());
  const [first, ...others] = locales.filter((locale) => names.includes(locale));
  if (first && names.every((name) => locales.some((locale) => locale === name))) return [first, ...others];
  context.addIssue({ code: "custom", message: languagesError });
  return z.NEVER;
});

const privacyNote = z
  .string()
  .transform((text) => withLineFeeds(text).trim())
  .refine(
    (text) => text.length <= privacyNoteMaximum && text.isWellFormed() && !/[^\P{Cc}\n]/u.test(text),
    `must be a text of at most ${privacyNoteMaximum} characters`,
  )
  .refine(isVisible, "must not have hidden characters that change its direction, nor only hidden ones");

/**
 * The schemas by name.
 * An environment variable and a row of `site_settings` have the same.
 */
export const siteFields = {
  SITE_NAME: siteText(nameMaximum),
  SITE_TAGLINE: siteText(taglineMaximum),
  SITE_LANGUAGE: oneOf(locales),
  SITE_LANGUAGES: languages,
  HOME_LAYOUT: oneOf(homeLayouts),
  FOOTER_LINKS: footerLinks,
  PRIVACY_NOTE: privacyNote,
  ACCENT_COLOUR: accent("light"),
  ACCENT_COLOUR_DARK: accent("dark"),
  REGISTRATION: oneOf(registrationModes),
  WHO_MAY_WRITE: oneOf(writerModes),
  EMAIL_VERIFICATION: oneOf(emailVerifications),
  MAIL_FROM: z
    .string()
    .trim()
    .max(mailFromMaximum, mailFromFault)
    .refine((text) => senderFrom(text) !== undefined, mailFromFault),
};

export type SiteSettingName = keyof typeof siteFields;

/**
 * The address of the mail server, which has its password.
 * Saved encrypted (`mail-server.ts`), and not among the settings that pages, exports and the API show.
 */
export const mailServerName = "MAIL_URL";

/** The values in place of bad saved ones: a mistake must not open the site. */
export const valuesIfInvalid: ReadonlyMap<string, string> = new Map([
  ["REGISTRATION", "closed"],
  ["WHO_MAY_WRITE", "invited"],
  ["EMAIL_VERIFICATION", "to-register"],
] satisfies [SiteSettingName, string][]);

/** All settings; those that are left out have their defaults. */
export const siteSchema = z.object({
  SITE_NAME: siteFields.SITE_NAME.default("Weir"),
  SITE_TAGLINE: siteFields.SITE_TAGLINE.optional(),
  SITE_LANGUAGE: siteFields.SITE_LANGUAGE.default("en"),
  SITE_LANGUAGES: siteFields.SITE_LANGUAGES.default([...locales]),
  HOME_LAYOUT: siteFields.HOME_LAYOUT.default("excerpts"),
  FOOTER_LINKS: siteFields.FOOTER_LINKS.default([]),
  PRIVACY_NOTE: siteFields.PRIVACY_NOTE.optional(),
  ACCENT_COLOUR: siteFields.ACCENT_COLOUR.default("#1d5f8c"),
  ACCENT_COLOUR_DARK: siteFields.ACCENT_COLOUR_DARK.default("#82bbe0"),
  REGISTRATION: siteFields.REGISTRATION.default("open"),
  WHO_MAY_WRITE: siteFields.WHO_MAY_WRITE.default("anyone"),
  EMAIL_VERIFICATION: siteFields.EMAIL_VERIFICATION.default("off"),
  MAIL_FROM: siteFields.MAIL_FROM.optional(),
});

/** The settings as the app uses them. */
export type SiteSettings = z.infer<typeof siteSchema>;
/** Values of some of the settings. */
export type SomeSiteSettings = { [Name in SiteSettingName]?: SiteSettings[Name] | undefined };

export const siteDefaults: SiteSettings = siteSchema.parse({});

export const siteSettingNames = siteSchema.keyof().options;

/**
 * The site's own images, each saved as its address.
 * Uploaded on /admin/settings, so the environment does not set them.
 */
export const siteImageNames = ["SITE_LOGO", "SITE_LOGO_DARK", "SITE_ICON"] as const;
export type SiteImageName = (typeof siteImageNames)[number];
export type SiteImages = { [Name in SiteImageName]?: ImageShape | undefined };

/** The images that are saved; bad addresses are left out. */
export function siteImagesFrom(saved: ReadonlyMap<string, string>): SiteImages {
  return Object.fromEntries(siteImageNames.map((name) => [name, imageAt(saved.get(name) ?? "")]));
}

/**
 * The names of saved settings that this version does not take.
 * It does not know the name, or refuses the value.
 */
export function invalidSettings(saved: ReadonlyMap<string, string>): string[] {
  return [...saved].flatMap(([name, value]) => (isValid(name, value) ? [] : [name]));
}

function isValid(name: string, value: string): boolean {
  if (siteImageNames.some((each) => each === name)) return imageAt(value) !== undefined;
  if (name === mailServerName) return true;
  return isSiteSettingName(name) && siteFields[name].safeParse(value).success;
}

function isSiteSettingName(name: string): name is SiteSettingName {
  return Object.hasOwn(siteFields, name);
}

/** The links in a text, each once, or the line itself where it is none. */
export function footerLinksFrom(text: string): (FooterLink | string)[] {
  const lines = text.split("\n").map((line) => line.trim().replaceAll(/\s+/gu, " "));
  return [...new Set(lines)].filter((line) => line !== "").map((line) => linkFrom(line) ?? line);
}

function linkFrom(line: string): FooterLink | undefined {
  const end = line.lastIndexOf(" ");
  const label = line.slice(0, Math.max(end, 0));
  const address = line.slice(end + 1);
  const isLabel = siteText(labelMaximum).safeParse(label).success;
  return isLabel && isAddress(address) ? { label, address } : undefined;
}

/**
 * A path of this site, or an https, http or mailto address.
 * Neither with a backslash, which browsers read as a slash, nor with a name and password.
 */
function isAddress(address: string): boolean {
  if (!address.isWellFormed() || notInAddresses.test(address)) return false;
  // "//host" leads to another site.
  if (address.startsWith("/")) return !address.startsWith("//") && URL.canParse(address, "http://site");
  if (!/^(?:https?:\/\/[^/]|mailto:[^@]+@)/i.test(address)) return false;
  const url = URL.parse(address);
  return url !== null && url.username === "" && url.password === "";
}

// Persian words have joiners, also in addresses.
const notInAddresses = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\]/u;
