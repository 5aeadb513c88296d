/** The languages of the interface. */

export const locales = ["en", "fa"] as const;

export type Locale = (typeof locales)[number];

/** Each language's name for itself. */
export const localeNames: Record<Locale, string> = { en: "English", fa: "فارسی" };

/**
 * The conventions for dates and numbers, as a tag of BCP 47.
 * For Persian with its calendar and digits.
 */
export const conventions: Record<Locale, string> = { en: "en-GB", fa: "fa-IR" };

const rightToLeft: readonly Locale[] = ["fa"];

/** The direction in which a language is written, for the `dir` attribute. */
export function directionOf(locale: Locale): "ltr" | "rtl" {
  return rightToLeft.includes(locale) ? "rtl" : "ltr";
}

/** The cookie with the reader's choice. */
export const localeCookie = "language";

export function isLocale(value: unknown): value is Locale {
  return locales.some((locale) => locale === value);
}
