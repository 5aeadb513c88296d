/** Counts of words; also for the browser. */

const wordPattern = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’\u200C]*/gu;
const unspacedPattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
/** The address of a link or picture. */
const addressPattern = /\]\([^()\s]*|https?:\/\/\S+/g;

/** The words of a text, and the characters of scripts without spaces. */
export function countWords(text: string): { words: number; characters: number } {
  const characters = text.match(unspacedPattern)?.length ?? 0;
  const words = text.replace(unspacedPattern, " ").match(wordPattern)?.length ?? 0;
  return { words, characters };
}

/** About how many words a text in Markdown shows; such characters are one each. */
export function wordsOfMarkdown(text: string): number {
  const { words, characters } = countWords(text.replace(addressPattern, " "));
  return words + characters;
}
