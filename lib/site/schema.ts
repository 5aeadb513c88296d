/**
 * The settings of the site that administrators change on /admin/settings.
 * Each can stand in the environment too, under the same name; it then counts, and the page only shows it.
 */
import { z } from "zod";
import { locales } from "../i18n/locale.ts";
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
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, message)
    .refine((text) => text.isWellFormed(), message);
};

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

/** The links in a text, or the line itself where it is none. */
export function footerLinksFrom(text: string): (FooterLink | string)[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => linkFrom(line) ?? line);
}

function linkFrom(line: string): FooterLink | undefined {
  const [, label = "", address = ""] = /^(.+?)\s+(\S+)$/u.exec(line) ?? [];
  const isLabel = siteText(labelMaximum).safeParse(label).success;
  return isLabel && isAddress(address) ? { label, address } : undefined;
}

/** A path of this site, or an https, http or mailto address. */
function isAddress(address: string): boolean {
  // "//host" and "/\host" lead to another site.
  if (address.startsWith("/")) return /^\/(?![/\\])/.test(address) && URL.canParse(address, "http://site");
  return /^(?:https?:\/\/[^/]|mailto:[^@]+@)/i.test(address) && URL.canParse(address);
}
