import type { FormState } from "@/app/_components/form";
import type { RatedNotice } from "@/app/_components/rating-notice";
import { translator } from "@/lib/i18n";

/** The texts for a reader about a saved rating. */
export interface RatingTexts {
  /** Without a final full stop: a button to undo it may follow. */
  text: string;
  /** Why the shown score did not move. */
  note?: string;
}

/** Its texts, or the state of the form when nothing was saved. */
export type RatingAnswer = RatingTexts | { state: FormState };

/** The texts of a notice; `score` is the reader's rating. */
export function ratingTexts(notice: RatedNotice, score: number | null): RatingTexts {
  const t = translator("rating");
  if (notice === "withdrawn" || score === null) return { text: t("saved.withdrawn") };
  if (notice === "uncounted") return { text: t("saved.uncounted", { count: score }) };
  const text = t("saved.counted", { count: score });
  return notice === "slow" ? { text, note: t("saved.slow", { count: score }) } : { text };
}
