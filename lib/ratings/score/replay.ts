/**
 * Replays ratings: the settled score as if only these had ever been given.
 *
 * Each rating acts once, at the time when it was last given or changed, whether or not it once was in a flood window. So
 * a rating that is removed leaves no trace, and the result depends on nothing but the ratings that remain. Pure.
 */
import { countsFrom } from "../../../db/counts.ts";
import type { Score } from "./score.ts";
import { type Counts, sumOf } from "./score.ts";
import { type SettledState, type SettlingSettings, settledByRater, unrated } from "./settled-score.ts";

/** Up to this number of counted ratings, a withdrawal replays the others. */
export const replayMaximum = 500;

export interface ReplayedRating {
  userId: number;
  /** When it was last given or changed. */
  at: number;
  score: Score;
}

/** A replay so far. */
export interface Replay {
  settled: SettledState;
  /** The ratings replayed. */
  counts: Counts;
}

export const emptyReplay: Replay = { settled: unrated, counts: [0, 0, 0, 0, 0, 0] };

/** The order of a replay, the same in every database: by time, and then by user. */
export function replayOrder(one: ReplayedRating, other: ReplayedRating): number {
  return one.at - other.at || one.userId - other.userId;
}

/** Continues a replay with further ratings, which are in `replayOrder`. */
export function withReplayed(
  { settled, counts }: Replay,
  ratings: readonly ReplayedRating[],
  settings: SettlingSettings,
): Replay {
  const sums = [...counts];
  let state = settled;
  let { stars, count } = sumOf(counts);
  for (const { at, score } of ratings) {
    state = settledByRater(state, at, { stars, count }, score, settings);
    stars += score;
    count += 1;
    sums[score] = (sums[score] ?? 0) + 1;
  }
  return { settled: state, counts: countsFrom((score) => sums[score] ?? 0) };
}
