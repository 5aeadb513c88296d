/**
 * The version of the stored HTML: raise it whenever `render.ts` makes anything else of a text. HTML of lower versions is
 * made again in the background.
 */
export const rendererVersion = 1;

export type Rendering =
  | { kind: "rendered"; html: string }
  /** The text takes more time, memory or room than any text may. */
  | { kind: "too-intricate" };
