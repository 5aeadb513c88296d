/**
 * The part of a post's address that names it: made from the title once, kept when the title changes, in the
 * title's own script.
 */
const slugMaximum = 80;
/** Addresses under /posts that are not posts. */
const reserved = new Set(["new"]);

/** A slug from a title; `post` when the title has no letter or digit at all. */
export function slugFrom(title: string): string {
  const words = title
    .normalize("NFKC")
    .toLowerCase()
    .replace(/['’]/gu, "")
    .match(/[\p{L}\p{M}\p{N}]+/gu);
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
export function freeSlug(slug: string, taken: (slug: string) => boolean): string {
  const isFree = (candidate: string) => !reserved.has(candidate) && !taken(candidate);
  if (isFree(slug)) return slug;
  // A few numbers, then a random tail: a title used a million times must not cost a million look-ups.
  for (let number = 2; number <= 9; number += 1) if (isFree(`${slug}-${number}`)) return `${slug}-${number}`;
  for (;;) {
    const candidate = `${slug}-${crypto.randomUUID().slice(0, 8)}`;
    if (isFree(candidate)) return candidate;
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
