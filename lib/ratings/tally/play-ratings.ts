/** Plays ratings on a post in memory, through the functions of the blog's own. */
import type { Reason } from "../../limiter/index.ts";

import type { Score } from "../score/score.ts";
import type { HistoryPoint } from "../score/score-history.ts";
import { TalliedPost } from "./tallied-post.ts";
import type { TallySettings } from "./tally.ts";
import { usualGapMs } from "./tally-ratings.ts";

export interface PlayedRating {
  at: number;
  user: number;
  score: Score;
  /** When the account was registered; null when unknown. */
  registeredAt: number | null;
  /** Why a limit sets the rating aside; undefined when it is within the limits. */
  overLimit?: Reason | undefined;
}

/**
 * The post after these ratings, with its average and score at these times.
 * Both are in order. The average is that of all ratings, whether they count or not.
 */
export function playRatings(
  ratings: readonly PlayedRating[],
  times: readonly number[],
  settings: TallySettings,
): { points: HistoryPoint[]; post: TalliedPost } {
  const post = new TalliedPost(settings);
  const all = { stars: 0, count: 0 };
  let next = 0;
  const points = times.map((at) => {
    for (let rating = ratings[next]; rating && rating.at < at; rating = ratings[next]) {
      const { user, score, registeredAt, overLimit } = rating;
      const before = post.ratings.get(user)?.score;
      all.stars += score - (before ?? 0);
      all.count += before === undefined ? 1 : 0;
      const limitedGapMs = overLimit && usualGapMs(overLimit, post.tally.settled, rating.at);
      post.rate(rating.at, user, score, { registeredAt, limitedGapMs });
      next += 1;
    }
    return { at, average: all.count === 0 ? null : all.stars / all.count, score: post.scoreAt(at) };
  });
  return { points, post };
}
