/**
 * Texts as data, to be shown in any language.
 * A text is an English template with its values, and a key for catalogues of other languages. A value has its type, so
 * that each language formats it.
 */
import {
  formatDuration,
  formatNumber,
  formatPeriod,
  formatRate,
  formatShortDuration,
  formatTenths,
} from "../text.ts";

/**
 * One value of a phrase.
 *
 * - `number`: as it is; `tenths`: to one digit after the point
 * - `rate`: requests a second, as "10 a second" or "one every 2 minutes"
 * - `period`: milliseconds, to stand after "per"; `duration`: as "1 second"; `short-duration`: to three digits
 */
export type PhraseValue =
  | {
      readonly type: "number" | "tenths" | "rate" | "period" | "duration" | "short-duration";
      readonly value: number;
    }
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "phrase"; readonly value: Phrase };

export type Phrase = {
  readonly key: string;
  /** English, with the values' names in braces: "{count} at once, then {rate}". */
  readonly template: string;
  readonly values: { readonly [name: string]: PhraseValue };
};

/** A phrase in English. */
export function phraseText({ template, values }: Phrase): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value ? valueText(value) : whole;
  });
}

function valueText(value: PhraseValue): string {
  switch (value.type) {
    case "text":
      return value.value;
    case "phrase":
      return phraseText(value.value);
    default:
      return formats[value.type](value.value);
  }
}

const formats = {
  number: formatNumber,
  tenths: formatTenths,
  rate: formatRate,
  period: formatPeriod,
  duration: formatDuration,
  "short-duration": formatShortDuration,
};

type NumberType = keyof typeof formats;

/** Constructors of values, for the algorithms' files. */
const ofNumber =
  <Type extends NumberType>(type: Type) =>
  (value: number) => ({ type, value });
export const number = ofNumber("number");
export const tenths = ofNumber("tenths");
export const rate = ofNumber("rate");
export const period = ofNumber("period");
export const duration = ofNumber("duration");
export const shortDuration = ofNumber("short-duration");
export const text = (value: string) => ({ type: "text" as const, value });
export const nested = (value: Phrase) => ({ type: "phrase" as const, value });

export function phrase(key: string, template: string, values: Phrase["values"]): Phrase {
  return { key, template, values };
}
