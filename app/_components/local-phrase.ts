import { messageByKey, type Namespace } from "@/lib/i18n";
import { type Phrase, type PhraseValue, phraseText } from "@/lib/limiter/index";

/** Where the messages of phrases are, and how values are written in them. */
export interface PhraseFormats
  extends Record<"rate" | "period" | "duration" | "short-duration", (value: number) => string> {
  namespace: Namespace;
  /** The first that has the phrase. */
  groups: readonly string[];
}

/**
 * A limiter's phrase in the reader's language.
 * In English where the catalogue does not have it, as for an algorithm that is new.
 */
export function localPhrase(phrase: Phrase, formats: PhraseFormats): string {
  const values = Object.entries(phrase.values).map(([name, value]) => [name, argumentOf(value, formats)]);
  for (const group of formats.groups) {
    const text = messageByKey(formats.namespace, `${group}.${phrase.key}`, Object.fromEntries(values));
    if (text !== undefined) return text;
  }
  return phraseText(phrase);
}

function argumentOf({ type, value }: PhraseValue, formats: PhraseFormats): string | number {
  switch (type) {
    case "number":
    case "text":
      return value;
    case "tenths":
      return Math.round(value * 10) / 10;
    case "phrase":
      return localPhrase(value, formats);
    default:
      return formats[type](value);
  }
}
