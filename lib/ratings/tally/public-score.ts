/** A post's public score, for pages and the API. */
import { type Counts, type PostScore, scoreFrom } from "../score/score.ts";
import { type SettledState, settledScoreAt } from "../score/settled-score.ts";
import { scoringDefaults, type TallySettings } from "./tally.ts";

/** Distance from the raw average, in stars, from which a score counts as settling. */
const settlingStars = 0.05;

/**
 * The number of ratings from which a score is shown.
 * With fewer it means little, and one account moves it far.
 */
export const ratingsForScore = 5;

export interface PublicScore extends PostScore {
  /** The score to show, 0 to 5; null without ratings. */
  settled: number | null;
  /** Whether the settled score still moves towards the raw average. */
  settling: boolean;
}

/** The public score at `now` (milliseconds); O(1). */
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
