import { dayMs } from "../time/units.ts";

/** The longest title and text of a post, in characters (UTF-16 code units). */
export const titleMaximum = 200;
export const contentMaximum = 50_000;
/** The longest excerpt of an author's own. */
export const excerptMaximum = 300;
/** How many tags a post has at most, and the longest one. */
export const tagsMaximum = 10;
export const tagMaximum = 40;
/** How many former addresses lead to one post at most. */
export const formerSlugsMaximum = 20;
/** How many earlier texts of a post are kept, and their characters in all. */
export const revisionBounds = { count: 50, characters: 500_000 };
/** The most drafts that one author has at a time. */
export const draftsMaximum = 100;

/**
 * How long a browser keeps an unsaved text after its last change, in milliseconds.
 * The server keeps a hash of a new post's idempotency key for the same time, from its creation.
 */
export const unsavedTextKeptMs = 30 * dayMs;
