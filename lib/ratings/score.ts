/** A post's score, from its six counters. */
import { type Counts, countsFrom } from "../../db/counts.ts";
import type { Score } from "./scores.ts";

export type { Counts };

export interface PostScore {
  /** The mean of all ratings, 0 to 5; null while there is none. */
  average: number | null;
  /** How many people have rated. */
  count: number;
  /** How many gave 0, 1, … 5 stars. */
  histogram: Counts;
}

/** The score that the six counters say; O(1). */
export function scoreFrom(counts: Counts): PostScore {
  const count = counts.reduce((sum, some) => sum + some, 0);
  const stars = counts.reduce((sum, some, score) => sum + some * score, 0);
  return { average: count === 0 ? null : stars / count, count, histogram: counts };
}

/** The counters with so many ratings of a score more, or fewer when negative. */
export function withRating(counts: Counts, score: Score, change: 1 | -1): Counts {
  return countsFrom((each) => counts[each] + (each === score ? change : 0));
}

/** The counters with others added to them, or taken from them. */
export function withCounts(counts: Counts, others: Counts, change: 1 | -1): Counts {
  return countsFrom((each) => counts[each] + change * others[each]);
}
