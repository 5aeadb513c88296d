/** The part of a post's text that a search found. */
import { foldForSearch } from "../../db/search-text.ts";

/** A piece of a snippet; those that match are shown as found. */
export interface SnippetPart {
  text: string;
  isMatch: boolean;
}

/** How much of a text is searched for its matches, in UTF-16 units. */
const searchedMaximum = 50_000;
const snippetLength = 180;
const beforeMatch = 50;

const wordPattern = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
const marks = /\p{M}/gu;

/**
 * The text around the first place where a searched word is found.
 * Undefined when none is, as when the words are in the title alone.
 *
 * @param html The post's sanitised HTML.
 * @param searched Words folded for search; the last one may be the beginning of a word.
 */
export function snippetOf(html: string, searched: readonly string[]): SnippetPart[] | undefined {
  const text = textOf(html);
  const words = searched.map(comparable);
  const isFound = (word: string) =>
    foldForSearch(word)
      .split(" ")
      .map(comparable)
      .some((part) =>
        words.some((each, index) => (index === words.length - 1 ? part.startsWith(each) : part === each)),
      );
  const matches = [...text.matchAll(wordPattern)].filter(([word]) => isFound(word));
  const [first] = matches;
  if (!first) return undefined;
  const begin = Math.min(first.index, wordStart(text, first.index - beforeMatch));
  const end = Math.min(text.length, begin + snippetLength);
  const parts: SnippetPart[] = [];
  let at = begin;
  const add = (until: number, isMatch: boolean) => {
    if (until > at) parts.push({ text: text.slice(at, until), isMatch });
    at = Math.max(at, until);
  };
  add(begin, false);
  for (const { 0: word, index } of matches) {
    if (index + word.length > end) break;
    add(index, false);
    add(index + word.length, true);
  }
  add(wordEnd(text, end), false);
  if (begin > 0) parts.unshift({ text: "… ", isMatch: false });
  if (at === text.length) return parts;
  const rest = parts.at(-1);
  if (rest && !rest.isMatch) rest.text = rest.text.replace(/[\s,;:،؛.…]+$/u, "");
  return [...parts, { text: "…", isMatch: false }];
}

/** Without marks, as the databases' search compares words. */
function comparable(word: string): string {
  return word.normalize("NFD").replace(marks, "");
}

function wordStart(text: string, from: number): number {
  return from <= 0 ? 0 : text.indexOf(" ", from) + 1 || from;
}

function wordEnd(text: string, until: number): number {
  const end = text.lastIndexOf(" ", until);
  return until === text.length || end < 0 ? until : end;
}

const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The text of HTML as the renderer writes it, without elements. */
function textOf(html: string): string {
  return html
    .slice(0, searchedMaximum)
    .replace(/<[^>]*>?/g, " ")
    .replace(/&(?:#x([\da-f]+)|(\w+));/gi, (entity, code, name) =>
      code ? String.fromCodePoint(Number.parseInt(code, 16)) : (named[name] ?? entity),
    )
    .replace(/\s+/g, " ")
    .trim();
}
