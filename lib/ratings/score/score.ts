/**
 * The possible scores, and average and counts of a post's ratings.
 * Client scripts load this file: it must not import Zod.
 */
import { type Counts, countsFrom } from "../../../db/counts.ts";
import type { Score } from "../../../db/types.ts";

export type { Counts, Score };

export const scores = [0, 1, 2, 3, 4, 5] as const satisfies readonly Score[];

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
