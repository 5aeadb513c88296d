/**
 * The part of a post's address that names it: made from the title once, kept when the title changes, in the
 * title's own script.
 */
const slugMaximum = 80;
/** Addresses under /posts that are not posts. */
const reserved = new Set(["new"]);

/** What is not seen inside a word: apostrophes, soft hyphens, joiners, and the marks that colour an emoji. */
const unseen = /['’\u00AD\u2060]|\u034F|\u200D|[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}]/gu;
/** Letters and digits with the marks upon them; a mark alone is no word. */
const wordPattern = /[\p{L}\p{N}][\p{L}\p{N}\p{Mn}\p{Mc}]*/gu;

/** A slug from a title, composed as addresses are read; `post` when the title has no letter or digit at all. */
export function slugFrom(title: string): string {
  const words = title.normalize("NFKC").toLowerCase().replace(unseen, "").normalize("NFC").match(wordPattern);
  let slug = "";
  for (const word of words ?? []) {
    const longer = slug ? `${slug}-${word}` : word;
    if (longer.length > slugMaximum) break;
    slug = longer;
  }
  // A first word longer than any slug may be is cut between characters, never inside one.
  slug ||= cut(words?.[0] ?? "");
  return slug || "post";
}

/** The slug itself, or with a number or a random tail behind it when `taken` says that it is in use. */
export async function freeSlug(slug: string, taken: (slug: string) => Promise<boolean>): Promise<string> {
  const isFree = async (candidate: string) => !reserved.has(candidate) && !(await taken(candidate));
  if (await isFree(slug)) return slug;
  // A few numbers, then a random tail: a title used a million times must not cost a million look-ups.
  for (let number = 2; number <= 9; number += 1)
    if (await isFree(`${slug}-${number}`)) return `${slug}-${number}`;
  for (;;) {
    const candidate = `${slug}-${crypto.randomUUID().slice(0, 8)}`;
    if (await isFree(candidate)) return candidate;
  }
}

function cut(word: string): string {
  let short = "";
  for (const character of word) {
    if (short.length + character.length > slugMaximum) break;
    short += character;
  }
  return short;
}
