/** The words that differ between two texts. */
import { diffArrays } from "diff";

/** A part of both texts, of the former one only, or of the latter one only. */
export interface TextPart {
  kind: "same" | "removed" | "added";
  text: string;
}

export interface Texts {
  before: string;
  after: string;
  lang: string | null;
}

/** More changes than this are not worth comparing, and would take long. */
const changesMaximum = 2_000;
const timeoutMs = 2_000;

/**
 * The parts of two texts in their order, word by word.
 * Null when they have too little in common to be compared quickly.
 * Takes up to a quarter of a second: only for a thread of its own (compare-texts.ts).
 */
export function textChanges(before: string, after: string, lang: string | null): TextPart[] | null {
  const segmenter = new Intl.Segmenter(lang ?? "en", { granularity: "word" });
  const words = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);
  const changes = diffArrays(words(before), words(after), {
    maxEditLength: changesMaximum,
    timeout: timeoutMs,
  });
  return (
    changes?.map(({ added, removed, value }) => ({
      kind: added ? "added" : removed ? "removed" : "same",
      text: value.join(""),
    })) ?? null
  );
}

/** How much of a text that is the same is shown beside a change. */
const besideMaximum = 200;

/** The parts with the middles of long unchanged ones left out, as null. */
export function shortened(parts: readonly TextPart[]): (TextPart | null)[] {
  return parts.flatMap((part, index) => {
    if (part.kind !== "same" || part.text.length <= 3 * besideMaximum) return [part];
    const isFirst = index === 0;
    const isLast = index === parts.length - 1;
    const cut = (text: string) => ({ kind: part.kind, text: text.toWellFormed() });
    // Without the rest of a word that is cut.
    const start = part.text.slice(0, besideMaximum).replace(/(?<=\s)\S{1,40}$/, "");
    const end = part.text.slice(-besideMaximum).replace(/^\S{1,40}(?=\s)/, "");
    return [...(isFirst ? [] : [cut(start)]), null, ...(isLast ? [] : [cut(end)])];
  });
}
