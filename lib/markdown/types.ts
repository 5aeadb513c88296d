/**
 * The version of the stored HTML.
 * Raise it whenever the output of `render.ts` changes: HTML of lower versions is rendered again in the background.
 */
export const rendererVersion = 1;

export type Rendering =
  | { kind: "rendered"; html: string }
  /** The text takes more time, memory or room than any text may. */
  | { kind: "too-intricate" };
