/**
 * Posts that wait for a replay of their ratings, and the claims on them.
 * A claim belongs to the process that replays the post.
 */
import { and, count, eq, exists, isNotNull, isNull, min, notInArray, or, sql, sum } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";

interface ReplayRequest {
  postId: number;
  /** About when it was made; each request of a post has another time. */
  at: number;
}

/** A request that one process works at. */
export interface ClaimedReplay extends ReplayRequest {
  /** Identifies the process that claimed it. */
  claim: string;
}

/** The progress of all requested replays. */
export interface ReplayProgress {
  /** The posts that wait, and their counted ratings. */
  posts: number;
  ratings: number;
  /** How many of these ratings are replayed. */
  replayed: number;
  /**
   * When the oldest request was made; null when there is none.
   * 0 for posts from before an upgrade.
   */
  since: number | null;
}

/** How many requests one call tries to claim. */
const claimsTried = 20;

export function replayQueries({ statements, tables: { posts, replayClaims }, now }: Dialect) {
  const isWaiting = isNotNull(posts.replayDueAt);
  const waiting = (limit: number) =>
    statements
      .select({ postId: posts.id, at: posts.replayDueAt })
      .from(posts)
      .where(isWaiting)
      .orderBy(posts.replayDueAt)
      .limit(limit);
  /** Also a claim of the future: the clock was set back. */
  const hasExpired = (leaseMs: number) => sql`abs(${replayClaims.seenAt} - ${now}) > ${leaseMs}`;
  const own = ({ postId, claim }: { postId: number; claim: string }) =>
    and(eq(replayClaims.postId, postId), eq(replayClaims.claim, claim));

  return {
    /** Makes a post wait for its ratings to be replayed. */
    async request(postId: number, at: number) {
      const later = sql`case when ${posts.replayDueAt} >= ${at} then ${posts.replayDueAt} + 1 else ${at} end`;
      await statements.update(posts).set({ replayDueAt: later }).where(eq(posts.id, postId));
    },
    /** The posts that wait for a replay, those whose request is oldest first. */
    waiting: async (limit: number) =>
      (await waiting(limit)).map(({ postId, at }) => ({ postId, at: at ?? 0 })),
    /**
     * Claims the oldest free request, of a post that is not in `exceptPostIds`.
     * A request is free without a claim, or when its claim was not renewed for `leaseMs`.
     */
    async claim(
      claim: string,
      leaseMs: number,
      exceptPostIds: readonly number[] = [],
    ): Promise<ClaimedReplay | undefined> {
      const free = await statements
        .select({ postId: posts.id, at: posts.replayDueAt })
        .from(posts)
        .leftJoin(replayClaims, eq(replayClaims.postId, posts.id))
        .where(
          and(
            isWaiting,
            notInArray(posts.id, [...exceptPostIds]),
            or(isNull(replayClaims.postId), hasExpired(leaseMs)),
          ),
        )
        .orderBy(posts.replayDueAt)
        .limit(claimsTried);
      for (const { postId, at } of free) {
        // Of several processes that try at once, the first has it.
        const claimed = await statements
          .insert(replayClaims)
          .values({ postId, claim, seenAt: now })
          .onConflictDoUpdate({
            target: replayClaims.postId,
            set: { claim, seenAt: now, replayed: 0 },
            setWhere: hasExpired(leaseMs),
          })
          .returning({ postId: replayClaims.postId });
        if (claimed.length > 0) return { postId, at: at ?? 0, claim };
      }
      return undefined;
    },
    /**
     * Renews a claim and saves its progress.
     * False when another process has it, or the post no longer waits.
     */
    async renew(claimed: ClaimedReplay, replayed: number) {
      const stillWaits = statements
        .select({ id: posts.id })
        .from(posts)
        .where(and(eq(posts.id, replayClaims.postId), isWaiting));
      const renewed = await statements
        .update(replayClaims)
        .set({ seenAt: now, replayed })
        .where(and(own(claimed), exists(stillWaits)))
        .returning({ postId: replayClaims.postId });
      return renewed.length > 0;
    },
    /** Ends a post's request; false when there was another one since, which waits. */
    async end({ postId, at }: ReplayRequest) {
      const ended = await statements
        .update(posts)
        .set({ replayDueAt: null })
        .where(and(eq(posts.id, postId), eq(posts.replayDueAt, at)))
        .returning({ id: posts.id });
      return ended.length > 0;
    },
    /** Gives up a claim, so that another process may have it. */
    async release(claimed: ClaimedReplay) {
      await statements.delete(replayClaims).where(own(claimed));
    },
    async progress(): Promise<ReplayProgress> {
      const [row] = await statements
        .select({
          posts: count(),
          ratings: sum(posts.ratingCount),
          replayed: sum(replayClaims.replayed),
          since: min(posts.replayDueAt),
        })
        .from(posts)
        .leftJoin(replayClaims, eq(replayClaims.postId, posts.id))
        .where(isWaiting);
      const { posts: waitingPosts = 0, ratings, replayed, since = null } = row ?? {};
      return { posts: waitingPosts, ratings: Number(ratings ?? 0), replayed: Number(replayed ?? 0), since };
    },
  };
}
