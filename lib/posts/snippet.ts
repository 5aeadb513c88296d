/** The part of a post's text that a search found. */
import { foldForSearch } from "../../db/search-text.ts";
import { contentMaximum } from "./lengths.ts";

/** A piece of a snippet; those that match are shown as found. */
export interface SnippetPart {
  text: string;
  isMatch: boolean;
}

/** How much of a text's HTML is read, in UTF-16 units. */
const htmlMaximum = 10 * contentMaximum;
/** The most different words that are compared for one page of results. */
const wordsMaximum = 20_000;
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
 * @param compared The words compared so far, and whether they match; share it among the posts of a page.
 */
export function snippetOf(
  html: string,
  searched: readonly string[],
  compared = new Map<string, boolean>(),
): SnippetPart[] | undefined {
  const text = textOf(html);
  const matches = firstMatches(text, searched, compared);
  const [first] = matches;
  if (!first) return undefined;
  const begin = Math.min(first.index, wordStart(text, first.index - beforeMatch));
  const maximum = Math.min(text.length, begin + snippetLength);
  const shown = matches.filter(({ 0: word, index }) => index + word.length <= maximum);
  const lastMatch = shown.at(-1);
  const end = Math.max(wordEnd(text, maximum), lastMatch ? lastMatch.index + lastMatch[0].length : 0);
  const parts = partsOf(text, shown, begin, end);
  if (begin > 0) parts.unshift({ text: "… ", isMatch: false });
  if (end === text.length) return parts;
  const rest = parts.at(-1);
  if (rest && !rest.isMatch) rest.text = rest.text.replace(/[\s,;:،؛.…]+$/u, "");
  return [...parts, { text: "…", isMatch: false }];
}

/** A title with its matches; undefined without one. Arguments as of `snippetOf`. */
export function markedTitle(
  title: string,
  searched: readonly string[],
  compared = new Map<string, boolean>(),
): SnippetPart[] | undefined {
  const matches = firstMatches(title, searched, compared, title.length);
  return matches.length > 0 ? partsOf(title, matches, 0, title.length) : undefined;
}

/** A text from `begin` to `end`, with these words of it as matches. */
function partsOf(text: string, matches: RegExpExecArray[], begin: number, end: number): SnippetPart[] {
  const parts: SnippetPart[] = [];
  let at = begin;
  const add = (until: number, isMatch: boolean) => {
    if (until > at) parts.push({ text: text.slice(at, until), isMatch });
    at = Math.max(at, until);
  };
  for (const { 0: word, index } of matches) {
    add(index, false);
    add(index + word.length, true);
  }
  add(end, false);
  return parts;
}

/** The words that match, from the first one to about this length behind it. */
function firstMatches(
  text: string,
  searched: readonly string[],
  compared: Map<string, boolean>,
  length = snippetLength,
): RegExpExecArray[] {
  const wanted = searched.map(comparable);
  const matches: RegExpExecArray[] = [];
  for (const match of text.matchAll(wordPattern)) {
    const [word] = match;
    if (matches[0] && match.index > matches[0].index + length) break;
    let isMatch = compared.get(word);
    if (isMatch === undefined) {
      if (compared.size >= wordsMaximum) break;
      isMatch = isFound(word, wanted);
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
    .slice(0, htmlMaximum)
    .replace(/<(?:"[^"]*"?|[^">])*>?/g, " ")
    .replace(/&(?:#x([\da-f]+)|(\w+));/gi, (entity, code, name) =>
      code ? String.fromCodePoint(Number.parseInt(code, 16)) : (named[name] ?? entity),
    )
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, contentMaximum);
}
