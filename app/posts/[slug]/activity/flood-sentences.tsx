import { scoreText } from "@/app/_components/score";
import { translator } from "@/lib/i18n";
import { summaryOf } from "@/lib/ratings/decisions/flood-summary";
import type { ShownWindow } from "@/lib/ratings/decisions/flood-window-decisions";
import { type Counts, scoreFrom } from "@/lib/ratings/score/score";
import { withdrawnText } from "./flood-text";

interface FloodSentencesProps {
  window: ShownWindow;
  /** The post's counted ratings. */
  counts: Counts;
}

/** The usual ratings, and how the flood's differ from the others. */
export function FloodDescription({ window, counts }: FloodSentencesProps) {
  const t = translator("flood");
  const { usual, peak, others } = summaryOf(window, counts);
  const { count } = scoreFrom(window.counts);
  const facts = { count: peak.count, all: count, score: peak.score };
  return (
    <p className="mt-3">
      {t(`usual.${usual.per}`, { count: usual.count })}{" "}
      {count > 0 && (
        <b className="font-semibold">
          {others > 0 ? t("peak", { ...facts, others, found: peak.others }) : t("peakAlone", facts)}
        </b>
      )}{" "}
      {withdrawnText(window)}
    </p>
  );
}

/** The score as it is, and where it would move by the other decision. */
export function Effect({ window, counts, score }: FloodSentencesProps & { score: number | null }) {
  const t = translator("flood");
  if (scoreFrom(window.counts).count === 0) return null;
  const { averageWith, averageWithout } = summaryOf(window, counts);
  const { status } = window;
  const other = status === "counted" ? averageWithout : averageWith;
  const kind = other === null ? "countedAlone" : score === null ? "uncountedAlone" : status;
  return (
    <p className="mt-3">
      {t.rich(`effect.${kind}`, {
        score: scoreText(score, 1),
        other: scoreText(other, 1),
        b: (chunks) => <b className="whitespace-nowrap">{chunks}</b>,
      })}
    </p>
  );
}
