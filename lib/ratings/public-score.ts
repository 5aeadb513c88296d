/** What everybody sees of a post's score, pages and programs alike. */

import { type Counts, type PostScore, scoreFrom } from "./score.ts";
import type { SettledState } from "./settled-score.ts";
import { settledScoreAt } from "./settled-score.ts";
import { scoringDefaults, type TallySettings } from "./tally.ts";

/** A settled score that is this far from the raw average, in stars, is still settling. */
const settlingStars = 0.05;

export interface PublicScore extends PostScore {
  /** The settled score, 0 to 5, which is the one to show; null while there is no rating. */
  settled: number | null;
  /** Whether recent ratings still pull the settled score towards the raw average. */
  settling: boolean;
}

/** The score of a post as its counters and its settled score's state say at `now` (milliseconds); O(1). */
export function publicScore(
  { counts, settled }: { counts: Counts; settled: SettledState },
  now: number,
  { settling }: Pick<TallySettings, "settling"> = scoringDefaults,
): PublicScore {
  const { average, count, histogram } = scoreFrom(counts);
  const score = settledScoreAt(settled, now, counts, settling);
  const isSettling = average !== null && score !== null && Math.abs(average - score) >= settlingStars;
  return { average, settled: average === null ? null : score, count, histogram, settling: isSettling };
}
