/** The part of a post's text that a search found. */
import { foldForSearch } from "../../db/search-text.ts";

/** A piece of a snippet; those that match are shown as found. */
export interface SnippetPart {
  text: string;
  isMatch: boolean;
}

/** How much of a text's HTML is searched for its matches, in UTF-16 units. */
const searchedMaximum = 10_000;
/** The most different words that are compared for one page of results. */
const wordsMaximum = 20_000;
const snippetLength = 180;
const beforeMatch = 50;

const wordPattern = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
const marks = /\p{M}/gu;

/**
 * The text around the first place where a searched word is found.
 * Undefined when none is, as when the words are in the title alone or far down in the text.
 *
 * @param html The post's sanitised HTML.
 * @param searched Words folded for search; the last one may be the beginning of a word.
 * @param compared The words compared so far, and whether they match; share it among the posts of a page.
 */
export function snippetOf(
  html: string,
  searched: readonly string[],
  compared = new Map<string, boolean>(),
): SnippetPart[] | undefined {
  const text = textOf(html);
  const matches = firstMatches(text, searched.map(comparable), compared);
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

/** The words that match, from the first one to about a snippet's length behind it. */
function firstMatches(
  text: string,
  searched: readonly string[],
  compared: Map<string, boolean>,
): RegExpExecArray[] {
  const matches: RegExpExecArray[] = [];
  for (const match of text.matchAll(wordPattern)) {
    const [word] = match;
    if (matches[0] && match.index > matches[0].index + snippetLength) break;
    let isMatch = compared.get(word);
    if (isMatch === undefined) {
      if (compared.size >= wordsMaximum) break;
      isMatch = isFound(word, searched);
      compared.set(word, isMatch);
    }
    if (isMatch) matches.push(match);
  }
  return matches;
}

function isFound(word: string, searched: readonly string[]): boolean {
  return foldForSearch(word)
    .split(" ")
    .map(comparable)
    .some((part) =>
      searched.some((each, index) => (index === searched.length - 1 ? part.startsWith(each) : part === each)),
    );
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
    .replace(/<(?:"[^"]*"?|[^">])*>?/g, " ")
    .replace(/&(?:#x([\da-f]+)|(\w+));/gi, (entity, code, name) =>
      code ? String.fromCodePoint(Number.parseInt(code, 16)) : (named[name] ?? entity),
    )
    .replace(/\s+/g, " ")
    .trim();
}
