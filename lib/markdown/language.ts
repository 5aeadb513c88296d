/** The language of a text, by its letters. */
import { francAll } from "franc-min";

/** Beyond this many UTF-16 units, more text changes nothing. */
const sampleLength = 4_000;
/** Shorter texts in Latin or Cyrillic letters are not recognised reliably. */
const sharedAlphabetMinimum = 40;
/** How much less likely the second language must be, in a text up to this length. */
const secondMaximum = 0.9;
const doubtMaximum = 200;

const letter = /\p{L}/gu;
const sharedAlphabets = /[\p{Script=Latin}\p{Script=Cyrillic}]/gu;

/** Alphabets that are mostly of one language, for very short texts. */
const alphabets: [RegExp, string][] = [
  [/\p{Script=Hebrew}/u, "he"],
  [/\p{Script=Han}/u, "zh"],
];

const arabicLetters = /\p{Script=Arabic}/gu;
/** Letters of Persian that Arabic does not have; in a Persian text one in ten. */
const persianLetters = /[پچژگکی]/gu;
const persianMinimum = 0.03;
/** Letters of Pashto, Urdu and Kurdish, which share those of Persian. */
const neighbouringLetters = /[ټډړږښګڼېۍٹڈڑںےہھێۆڕڵە]/u;

/** The language as a tag of BCP 47; null when it was not recognised. */
export function detectLanguage(text: string): string | null {
  const sample = text.slice(0, sampleLength);
  if (isPersian(sample)) return "fa";
  const [[code, _] = ["und", 0], [, second] = ["und", 0]] = francAll(sample, { minLength: 10 });
  if (code === "und") return alphabets.find(([letters]) => letters.test(sample))?.[1] ?? null;
  const isDoubtful =
    sample.length < sharedAlphabetMinimum || (sample.length < doubtMaximum && second > secondMaximum);
  if (isDoubtful && 2 * count(sample, sharedAlphabets) > count(sample, letter)) return null;
  return new Intl.Locale(code).language;
}

/** Also of a few words, in which statistics take Persian for Pashto. */
function isPersian(text: string): boolean {
  const letters = count(text, letter);
  return (
    2 * count(text, arabicLetters) > letters &&
    count(text, persianLetters) >= persianMinimum * letters &&
    !neighbouringLetters.test(text)
  );
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
