/**
 * A scoring method that campaigns are played against.
 * It makes one public score of the ratings that arrive.
 */

import type { DecidedStatus } from "../../lib/ratings/floods/flood-window.ts";
import type { Counts } from "../../lib/ratings/score/score.ts";

export type RatingAnswer = "counted" | "held" | "refused";

/**
 * The score of one post.
 * Times are milliseconds and never run back; scores are 0 to 5.
 */
export interface ScoredPost {
  /** A user rates, or changes a rating. A held rating may be counted later. */
  rate(
    at: number,
    score: number,
    userId: number,
    account?: { registeredAt?: number | undefined },
  ): RatingAnswer;
  /** The score that the public sees; null while there is none. */
  score(at: number): number | null;
  /** A user withdraws a rating. Left out where that is impossible. */
  withdraw?(at: number, userId: number): void;
  /**
   * The later state of a rating.
   * Absent where the first answer stays true for ever.
   */
  statusOf?(at: number, userId: number): RatingAnswer | "excluded";
  /** The author excludes all held ratings. Left out where that is impossible. */
  exclude?(at: number): void;
  /** A person decides on one flood window. Left out where there are none. */
  decide?(at: number, window: number, status: DecidedStatus): void;
}

/** The parts of a post that any visitor sees. */
export interface Seen {
  score: number | null;
  /** All ratings, each one's latest. */
  counts: Counts;
}

/** A way to score a post, which a campaign is played against. */
export interface ScoringMethod {
  name: string;
  /** For a post without ratings. */
  make(): ScoredPost;
}
