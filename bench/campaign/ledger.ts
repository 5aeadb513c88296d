import type { ReplayedRating } from "../../lib/ratings/score/replay.ts";
import { type Counts, type Score, scoreFrom, scores, withRating } from "../../lib/ratings/score/score.ts";

/** Each user's score, and the six counters of them. */
export class Ledger {
  counts: Counts = [0, 0, 0, 0, 0, 0];
  readonly #scores = new Map<number, { score: Score | null; at: number }>();

  /** Whether this user has ever rated, also when the rating was withdrawn. */
  knows(userId: number): boolean {
    return this.#scores.has(userId);
  }

  /**
   * A rating instead of the one that this user gave before, if any.
   * Null takes that back.
   */
  put(userId: number, score: Score | null, at = 0): void {
    const previous = this.#scores.get(userId)?.score ?? null;
    if (previous !== null) this.counts = withRating(this.counts, previous, -1);
    if (score !== null) this.counts = withRating(this.counts, score, 1);
    this.#scores.set(userId, { score, at });
  }

  /** The ratings that were not taken back, with the time of their last change. */
  ratings(): ReplayedRating[] {
    return [...this.#scores].flatMap(([userId, { score, at }]) =>
      score === null ? [] : [{ userId, score, at }],
    );
  }

  get average(): number | null {
    return scoreFrom(this.counts).average;
  }
}

/** Parses a score given to a scoring method. Throws when it is none. */
export function scoreGiven(given: number): Score {
  const score = scores.find((each) => each === given);
  if (score === undefined) throw new RangeError(`A score is a whole number from 0 to 5, but is ${given}`);
  return score;
}
