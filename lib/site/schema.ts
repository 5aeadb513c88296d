/**
 * The settings of the site that administrators change on /admin/settings.
 * Each can stand in the environment too, under the same name; it then counts, and the page only shows it.
 */
import { z } from "zod";
import { locales } from "../i18n/locale.ts";
import { control, directionControl, visible } from "../visible-text.ts";
import { backgrounds, contrastOf, textContrast } from "./colours.ts";

/** Who may register: anyone, anyone after approval, invited people, or no one. */
export const registrationModes = ["open", "approval", "invitation", "closed"] as const;
/** Who may write: anyone, people whom an administrator approves, or invited people. */
export const writerModes = ["anyone", "approved", "invited"] as const;
export type WhoMayWrite = (typeof writerModes)[number];
/** How much lists show of each post: its beginning too, or its title. */
export const homeLayouts = ["excerpts", "titles"] as const;

export interface FooterLink {
  label: string;
  address: string;
}

export const nameMaximum = 60;
export const taglineMaximum = 160;
export const footerLinksMaximum = 8;
export const footerTextMaximum = 2_000;
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

const accent = (theme: keyof typeof backgrounds) =>
  z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^#[\da-f]{6}$/, "must be a colour such as #1d5f8c")
    .refine((colour) => contrastOf(colour, backgrounds[theme]) >= textContrast, {
      error: `must have a contrast of at least ${textContrast} to ${backgrounds[theme]}, the ${theme} background`,
    });

const footerFault =
  "must have a line for each link, at most 8: a name and an address, such as About /posts/about or Source https://example.org";

const footerLinks = z
  .string()
  .max(footerTextMaximum, footerFault)
  .transform((text, context): FooterLink[] => {
    const links = footerLinksFrom(text);
    if (!links.some((link) => typeof link === "string") && links.length <= footerLinksMaximum)
      return links.filter((link) => typeof link !== "string");
    context.addIssue({ code: "custom", message: footerFault });
    return z.NEVER;
  });

/**
 * The schemas by name.
 * An environment variable and a row of `site_settings` have the same.
 */
export const siteFields = {
  SITE_NAME: siteText(nameMaximum),
  SITE_TAGLINE: siteText(taglineMaximum),
  SITE_LANGUAGE: oneOf(locales),
  HOME_LAYOUT: oneOf(homeLayouts),
  FOOTER_LINKS: footerLinks,
  ACCENT_COLOUR: accent("light"),
  ACCENT_COLOUR_DARK: accent("dark"),
  REGISTRATION: oneOf(registrationModes),
  WHO_MAY_WRITE: oneOf(writerModes),
};

export type SiteSettingName = keyof typeof siteFields;

/** What counts where a saved value is bad: a mistake must not open the site. */
export const valuesIfFaulty: ReadonlyMap<string, string> = new Map([
  ["REGISTRATION", "closed"],
  ["WHO_MAY_WRITE", "invited"],
] satisfies [SiteSettingName, string][]);

/** All settings; those that are left out have their defaults. */
export const siteSchema = z.object({
  SITE_NAME: siteFields.SITE_NAME.default("Weir"),
  SITE_TAGLINE: siteFields.SITE_TAGLINE.optional(),
  SITE_LANGUAGE: siteFields.SITE_LANGUAGE.default("en"),
  HOME_LAYOUT: siteFields.HOME_LAYOUT.default("excerpts"),
  FOOTER_LINKS: siteFields.FOOTER_LINKS.default([]),
  ACCENT_COLOUR: siteFields.ACCENT_COLOUR.default("#1d5f8c"),
  ACCENT_COLOUR_DARK: siteFields.ACCENT_COLOUR_DARK.default("#82bbe0"),
  REGISTRATION: siteFields.REGISTRATION.default("open"),
  WHO_MAY_WRITE: siteFields.WHO_MAY_WRITE.default("anyone"),
});

/** The settings as the app uses them. */
export type SiteSettings = z.infer<typeof siteSchema>;
/** Values of some of the settings. */
export type SomeSiteSettings = { [Name in SiteSettingName]?: SiteSettings[Name] | undefined };

export const siteDefaults: SiteSettings = siteSchema.parse({});

export const siteSettingNames = siteSchema.keyof().options;

/**
 * The names of saved settings that this version does not take.
 * It does not know the name, or refuses the value.
 */
export function faultySettings(saved: ReadonlyMap<string, string>): string[] {
  return [...saved].flatMap(([name, value]) =>
    isSiteSettingName(name) && siteFields[name].safeParse(value).success ? [] : [name],
  );
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
