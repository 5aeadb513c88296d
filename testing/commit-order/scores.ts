/** Settled scores, computed from nothing but the rows. */
import { isDeepStrictEqual } from "node:util";
import {
  emptyReplay,
  type ReplayedRating,
  replayOrder,
  withReplayed,
} from "../../lib/ratings/score/replay.ts";
import { scoreFrom, scores } from "../../lib/ratings/score/score.ts";
import { settledAt } from "../../lib/ratings/score/settled-score.ts";
import { type OpenBlog, scoring } from "./blog.ts";

/** The ratings of a post that count, in the order of a replay. */
export async function countedRatings({ run }: OpenBlog, postId: number): Promise<ReplayedRating[]> {
  const rows = await run(
    `select r.user_id, r.updated_at, r.score from ratings r
     left join flood_windows w on w.post_id = r.post_id and w.number = r."window"
     where r.post_id = ${postId} and (r."window" is null or w.status = 'counted')`,
  );
  return rows
    .map(([userId, at, score]) => ({
      userId: Number(userId),
      at: Number(at),
      score: scores.find((each) => each === Number(score)) ?? 0,
    }))
    .toSorted(replayOrder);
}

/**
 * The faults of a post's score after the last withdrawal, one per line.
 * The withdrawal replays the post's ratings.
 */
export async function faultsOfScore(blog: OpenBlog, postId: number, withdrawnAt: number): Promise<string[]> {
  const saved = await blog.database.tallies.find(postId);
  const { settled, counts } = withReplayed(emptyReplay, await countedRatings(blog, postId), scoring.settling);
  // Where none counts, the score stays as it was.
  const isRated = scoreFrom(counts).count > 0;
  const should = {
    counts,
    settled: isRated ? settledAt(settled, withdrawnAt, counts, scoring.settling) : saved.settled,
  };
  const is = { counts: saved.counts, settled: saved.settled };
  if (isDeepStrictEqual(is, should)) return [];
  return [`post ${postId} has ${JSON.stringify(is)}, its ratings give ${JSON.stringify(should)}`];
}
