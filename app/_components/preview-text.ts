/** The score that a decision would give, in a sentence. */
import { translator } from "@/lib/i18n";
import type { ScorePreview } from "@/lib/ratings/decisions/flood-previews";
import { durationText } from "./duration-text";
import { scoreText } from "./score";

export function previewText({ score, average, arrivesAt }: ScorePreview, now: number): string {
  const t = translator("flood");
  if (average === null) return t("preview.none");
  const end = scoreText(average, 1);
  if (score === null) return t("preview.movesTo", { average: end });
  if (scoreText(score, 1) === end || arrivesAt === null) return t("preview.stays", { score: end });
  return t("preview.moves", {
    score: scoreText(score, 1),
    average: end,
    duration: durationText(arrivesAt - now),
  });
}
