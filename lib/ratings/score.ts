/** Average and counts of a post's ratings, from its six counters. */
import { type Counts, countsFrom } from "../../db/counts.ts";
import type { Score } from "./scores.ts";

export type { Counts };

export interface PostScore {
  /** The mean of all ratings, 0 to 5; null without ratings. */
  average: number | null;
  count: number;
  /** Ratings with 0, 1, … 5 stars. */
  histogram: Counts;
}

/** How many ratings there are, and their stars together. */
export interface RatingSum {
  stars: number;
  count: number;
}

export function sumOf(counts: Counts): RatingSum {
  return {
    stars: counts.reduce((sum, some, score) => sum + some * score, 0),
    count: counts.reduce((sum, some) => sum + some, 0),
  };
}

export function scoreFrom(counts: Counts): PostScore {
  const { stars, count } = sumOf(counts);
  return { average: count === 0 ? null : stars / count, count, histogram: counts };
}

/** The counters with one rating added or removed. */
export function withRating(counts: Counts, score: Score, change: 1 | -1): Counts {
  return countsFrom((each) => counts[each] + (each === score ? change : 0));
}

/** The counters with others added or subtracted. */
export function withCounts(counts: Counts, others: Counts, change: 1 | -1): Counts {
  return countsFrom((each) => counts[each] + change * others[each]);
}
