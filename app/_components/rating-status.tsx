import { translator } from "@/lib/i18n";
import type { ShownWindow } from "@/lib/ratings/decisions/flood-window-decisions";
import { deadlineOf } from "@/lib/ratings/floods/flood-window";
import { scoring } from "@/lib/ratings/tally/scoring-settings";
import { Day } from "./time";

/** A sentence to a rater: the status of a rating that came in a flood. */
export function RatingStatus({ window }: { window: ShownWindow }) {
  const { status, arrived: count } = window;
  const t = translator("flood");
  return (
    <p className={`mb-1 text-sm ${status === "held" ? "text-amber" : "text-quiet"}`}>
      {status === "held"
        ? t.rich("ratingStatus.held", { count, time: () => <Day at={deadlineOf(window, scoring.holdMs)} /> })
        : t(`ratingStatus.${status}`, { count })}
    </p>
  );
}
