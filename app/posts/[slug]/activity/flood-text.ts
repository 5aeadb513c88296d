/** The sentences of a flood's card that have no markup. */
import { durationText } from "@/app/_components/duration-text";
import { translator } from "@/lib/i18n";
import { type Suggestion, summaryOf } from "@/lib/ratings/decisions/flood-summary";
import type { ShownWindow } from "@/lib/ratings/decisions/flood-window-decisions";
import { type Counts, scoreFrom } from "@/lib/ratings/score/score";

/** As "Flood 1: 143 ratings in 4 minutes". */
export function floodTitle({ number, arrived, openedAt, lastAt }: ShownWindow): string {
  const t = translator("flood");
  if (lastAt === openedAt) return t("titleAtOnce", { number, count: arrived });
  return t("title", { number, count: arrived, duration: durationText(lastAt - openedAt) });
}

/** How many of the ratings that arrived were withdrawn; undefined when none was. */
export function withdrawnText({ arrived, withdrawn }: ShownWindow): string | undefined {
  const t = translator("flood");
  if (withdrawn === 0) return undefined;
  return withdrawn === arrived ? t("allWithdrawn") : t("withdrawn", { count: withdrawn });
}

/** A suggested decision with its reasons; `counts` are the post's counted ratings. */
export function suggestionText({ status, reasons }: Suggestion, window: ShownWindow, counts: Counts): string {
  const t = translator("flood");
  const { peak } = summaryOf(window, counts);
  const share = peak.count / Math.max(1, scoreFrom(window.counts).count);
  const texts = reasons.map((reason) =>
    reason === "oneScore" ? t("reason.oneScore", { share, score: peak.score }) : t(`reason.${reason}`),
  );
  return [t(`suggestion.${status}`), ...texts].join(" ");
}
