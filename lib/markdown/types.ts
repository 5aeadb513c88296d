/**
 * The version of the stored HTML.
 * Raise it whenever the output of `render.ts` changes: HTML of lower versions is rendered again in the background.
 */
export const rendererVersion = 6;

/** The summary of a text in lists and descriptions. */
export interface Summary {
  /** The text's language (BCP 47); null when it was not recognised. */
  detectedLang: string | null;
  /** The beginning of the text's paragraphs, without markup. */
  excerpt: string;
  /** At least 1. */
  readingMinutes: number;
}

export type Rendering =
  | { kind: "rendered"; html: string; summary: Summary }
  /** The text takes more time, memory or room than any text may. */
  | { kind: "too-intricate" };
