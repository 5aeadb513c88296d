/**
 * Folds text for search, applied to stored text and to queries alike.
 *
 * Arabic and Persian keyboards write the same letter with different characters: yeh and kaf have two code points each,
 * alef carries a hamza or not, teh marbuta and heh look alike at a word's end, vowel signs and tatweel are optional, and
 * digits exist three times. All are folded to one. The zero-width non-joiner becomes a space.
 */
const folded: Record<string, string> = {
  ي: "ی",
  ى: "ی",
  ئ: "ی",
  ك: "ک",
  أ: "ا",
  إ: "ا",
  آ: "ا",
  ٱ: "ا",
  ؤ: "و",
  ة: "ه",
  ۀ: "ه",
};
const foldable = new RegExp(`[${Object.keys(folded).join("")}]`, "gu");
const arabicMarks = /[\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06ED\u0640]/gu;
const invisibleSpace = /[\u200B\u200C]/gu;
const invisible = /\u200D|[\u00AD\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu;

/**
 * Folds a text for searching.
 * Compatibility forms, case, Arabic and Persian letters, marks and digits.
 */
export function foldForSearch(text: string): string {
  return text
    .normalize("NFKC")
    .replace(invisibleSpace, " ")
    .replace(invisible, "")
    .replace(foldable, (letter) => folded[letter] ?? letter)
    .replace(arabicMarks, "")
    .replace(/[\u0660-\u0669\u06F0-\u06F9]/gu, (digit) => String(digit.charCodeAt(0) & 0xf))
    .toLowerCase();
}

const queryLengthMaximum = 1_000;
const termsMaximum = 16;

/**
 * The folded words of a query, of its first 1,000 characters.
 * Undefined if it has no letter or digit, which matches all posts.
 */
export function searchWords(typed: string): string[] | undefined {
  // Regular expressions overflow the stack on texts of some megabytes.
  return foldForSearch(typed.slice(0, queryLengthMaximum))
    .match(/[\p{L}\p{M}\p{N}]+/gu)
    ?.slice(0, termsMaximum);
}
