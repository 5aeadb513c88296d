/**
 * Slugs of posts: made from the title, in its own script.
 * A draft's follows its title, a published post's stays; authors can choose others.
 */
/** The longest slug that is made of a title or a tag. */
export const titleSlugMaximum = 80;
/** The longest slug of an import: other programs allow up to 200 characters. */
const slugMaximum = 200;
/** The longest slug of all: one with the suffix of `freeSlug`. */
export const savedSlugMaximum = slugMaximum + "-".length + 8;
/** Paths under /posts that are not posts. */
const reserved = new Set(["new"]);

/** Removed inside words: apostrophes, soft hyphens, joiners, variation selectors. */
const unseen = /['’\u00AD\u2060]|\u034F|\u200D|[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}]/gu;
/** Letters and digits with their marks; a mark alone does not match. */
const wordPattern = /[\p{L}\p{N}][\p{L}\p{N}\p{Mn}\p{Mc}]*/gu;

/** A slug that can be kept as it is, also with underscores and inner dots. */
const keptPattern = /^[\p{L}\p{N}_][\p{L}\p{N}\p{Mn}\p{Mc}_-]*(?:\.[\p{L}\p{N}\p{Mn}\p{Mc}_-]+)*$/u;
/** A former slug: one part of a path, without control characters or spaces. */
const formerPattern = /^(?!\.+$)[^\s\p{Cc}\p{Cs}/\\?#%]+$/u;
const formerMaximum = 500;

/** A slug from a title, in NFC; `post` if the title has no letter or digit. */
export function slugFrom(title: string, maximum = titleSlugMaximum): string {
  const words = normalized(title).match(wordPattern);
  let slug = "";
  for (const word of words ?? []) {
    const longer = slug ? `${slug}-${word}` : word;
    if (longer.length > maximum) break;
    slug = longer;
  }
  // A first word longer than a slug is cut between code points.
  slug ||= cut(words?.[0] ?? "", maximum);
  return slug || "post";
}

/** The slug of an imported post: its own in lower case, where that is possible. */
export function importedSlug(text: string): string {
  return keptSlug(text, slugMaximum) ?? slugFrom(text, slugMaximum);
}

/** A slug of another site as a former slug, in NFC; undefined if it cannot be one. */
export function formerSlug(text: string): string | undefined {
  const slug = text.normalize("NFC");
  const isOne = slug.length <= formerMaximum && formerPattern.test(slug) && !reserved.has(slug);
  return isOne ? slug : undefined;
}

function keptSlug(text: string, maximum: number): string | undefined {
  const slug = normalized(text.trim());
  return slug.length <= maximum && keptPattern.test(slug) && hasWord(slug) ? slug : undefined;
}

function normalized(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(unseen, "").normalize("NFC");
}

/**
 * The slug of a tag: "C++" and "C#" are other tags than "C".
 * A "#" before a name only marks it as a tag.
 */
export function tagSlugFrom(name: string): string {
  const words = name
    .normalize("NFKC")
    .replaceAll("+", " plus ")
    .replace(/(?<=[\p{L}\p{M}\p{N}])#/gu, " sharp ");
  return slugFrom(words);
}

/**
 * The slug that an author means: lower case, hyphens in place of spaces and signs.
 * Null when it has no letter or digit, or is a path of the site.
 */
export function chosenSlug(text: string): string | null {
  const slug = keptSlug(text, savedSlugMaximum) ?? slugFrom(text, slugMaximum);
  return hasWord(text) && !reserved.has(slug) ? slug : null;
}

/** Whether a text has a letter or digit. */
export function hasWord(text: string): boolean {
  return text.normalize("NFKC").search(wordPattern) >= 0;
}

/** Whether a slug was made of this title. */
export function isSlugOf(slug: string, title: string): boolean {
  return isFreeSlugOf(slug, slugFrom(title));
}

/** Whether `freeSlug` can have made a slug of this one. */
export function isFreeSlugOf(slug: string, made: string): boolean {
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

function cut(word: string, maximum: number): string {
  let short = "";
  for (const character of word) {
    if (short.length + character.length > maximum) break;
    short += character;
  }
  return short;
}
