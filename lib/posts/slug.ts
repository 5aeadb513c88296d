/**
 * Slugs of posts: made once from the title, in its own script.
 * They stay when the title changes, and their authors can choose others.
 */
export const slugMaximum = 80;
/** Paths under /posts that are not posts. */
const reserved = new Set(["new"]);

/** Removed inside words: apostrophes, soft hyphens, joiners, variation selectors. */
const unseen = /['’\u00AD\u2060]|\u034F|\u200D|[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}]/gu;
/** Letters and digits with their marks; a mark alone does not match. */
const wordPattern = /[\p{L}\p{N}][\p{L}\p{N}\p{Mn}\p{Mc}]*/gu;

/** A slug from a title, in NFC; `post` if the title has no letter or digit. */
export function slugFrom(title: string): string {
  const words = title.normalize("NFKC").toLowerCase().replace(unseen, "").normalize("NFC").match(wordPattern);
  let slug = "";
  for (const word of words ?? []) {
    const longer = slug ? `${slug}-${word}` : word;
    if (longer.length > slugMaximum) break;
    slug = longer;
  }
  // A first word longer than a slug is cut between code points.
  slug ||= cut(words?.[0] ?? "");
  return slug || "post";
}

/**
 * The slug of a tag: "C++" and "C#" are other tags than "C".
 * A "#" before a name only says that it is a tag.
 */
export function tagSlugFrom(name: string): string {
  const words = name
    .normalize("NFKC")
    .replaceAll("+", " plus ")
    .replace(/(?<=[\p{L}\p{M}\p{N}])#/gu, " sharp ");
  return slugFrom(words);
}

/**
 * The slug that an author means: lower case, hyphens between words.
 * Null when it has no letter or digit, or is a path of the site.
 */
export function chosenSlug(text: string): string | null {
  const slug = slugFrom(text);
  return hasWord(text) && !reserved.has(slug) ? slug : null;
}

/** Whether a text has a letter or digit. */
export function hasWord(text: string): boolean {
  return text.normalize("NFKC").search(wordPattern) >= 0;
}

/** Whether a slug was made of this title. */
export function isSlugOf(slug: string, title: string): boolean {
  const made = slugFrom(title);
  if (slug === made) return true;
  return slug.startsWith(`${made}-`) && /^(?:[2-9]|[0-9a-f]{8})$/.test(slug.slice(made.length + 1));
}

/** The slug, or if it is taken, the slug with a number or a random suffix. */
export async function freeSlug(slug: string, taken: (slug: string) => Promise<boolean>): Promise<string> {
  const isFree = async (candidate: string) => !reserved.has(candidate) && !(await taken(candidate));
  if (await isFree(slug)) return slug;
  // A few numbers, then a random suffix, so that a title used a million times needs few lookups.
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
