import { conventions, type Locale } from "../i18n/locale.ts";

/**
 * A time to wait as "2 seconds" or "3 minutes".
 * Rounded up, so that waiting that long is long enough.
 */
export function formatWait(seconds: number, locale: Locale = "en"): string {
  if (seconds < 120) return amount(Math.ceil(seconds), "second", locale);
  if (seconds < 7200) return amount(Math.ceil(seconds / 60), "minute", locale);
  return amount(Math.ceil(seconds / 3600), "hour", locale);
}

/**
 * Number formats, by language and unit.
 * `toLocaleString` makes one for each call, which took 4 % of a refused request's time. The browser has this module, too,
 * so it does without the formatters of `lib/i18n`, which bring all messages.
 */
const unitFormats = new Map<string, Intl.NumberFormat>();

function amount(count: number, unit: string, locale: Locale): string {
  const key = `${locale} ${unit}`;
  const format =
    unitFormats.get(key) ??
    new Intl.NumberFormat(conventions[locale], { style: "unit", unit, unitDisplay: "long" });
  unitFormats.set(key, format);
  return format.format(count);
}
