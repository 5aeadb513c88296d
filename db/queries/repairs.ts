/** Mends times in the future and counters, for `lib/repair`. */
import { and, type Column, count, eq, gt, isNull, or, sql } from "drizzle-orm";
import { type Counts, countsFrom } from "../counts.ts";
import type { Dialect } from "../dialect.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;

export function repairQueries({ statements, tables, rowId, execute }: Dialect) {
  const { floodWindows, limitCounts, posts, ratings, waitingRatings, windowDecisions } = tables;
  /** An earlier time stays as it is. */
  const atMost = (column: Column, now: number) =>
    sql`case when ${column} > ${now} then ${now} else ${column} end`;

  return {
    /**
     * Posts with a time after `at`.
     * It may be in the post's row, a rating, a window or a decision.
     */
    async postsAfter(at: number): Promise<number[]> {
      const found = await Promise.all([
        statements
          .select({ id: posts.id })
          .from(posts)
          .where(
            or(
              ...[posts.createdAt, posts.updatedAt, posts.settledAt].map((column) => gt(column, at)),
              ...[posts.firstRatedAt, posts.lastRaterAt].map((column) => gt(column, at)),
            ),
          ),
        statements
          .selectDistinct({ id: ratings.postId })
          .from(ratings)
          .where(or(gt(ratings.createdAt, at), gt(ratings.updatedAt, at))),
        statements
          .selectDistinct({ id: floodWindows.postId })
          .from(floodWindows)
          .where(
            or(
              ...[floodWindows.openedAt, floodWindows.lastAt, floodWindows.closedAt].map((column) =>
                gt(column, at),
              ),
            ),
          ),
        statements
          .selectDistinct({ id: windowDecisions.postId })
          .from(windowDecisions)
          .where(gt(windowDecisions.at, at)),
      ]);
      return found.flat().map(({ id }) => id);
    },
    /**
     * Sets future times of a post and its ratings to `now`.
     * Resolves to the number of rows.
     */
    async clampPostToNow(postId: number, now: number): Promise<number> {
      const { createdAt, updatedAt } = ratings;
      const ofRatings = await statements
        .update(ratings)
        .set({ createdAt: atMost(createdAt, now), updatedAt: atMost(updatedAt, now) })
        .where(and(eq(ratings.postId, postId), or(gt(createdAt, now), gt(updatedAt, now))))
        .returning({ postId: ratings.postId });
      const ofPost = await statements
        .update(posts)
        .set({ createdAt: atMost(posts.createdAt, now), updatedAt: atMost(posts.updatedAt, now) })
        .where(and(eq(posts.id, postId), or(gt(posts.createdAt, now), gt(posts.updatedAt, now))))
        .returning({ postId: posts.id });
      return ofRatings.length + ofPost.length;
    },
    /**
     * Removes future decisions by time, and dates a person's to `now`.
     * Resolves to the numbers of the windows whose decisions were removed, one for each.
     */
    async clampDecisionsToNow(postId: number, now: number): Promise<number[]> {
      const ahead = and(eq(windowDecisions.postId, postId), gt(windowDecisions.at, now));
      const removed = await statements
        .delete(windowDecisions)
        .where(and(ahead, eq(windowDecisions.decidedBy, "time")))
        .returning({ window: windowDecisions.window });
      await statements.update(windowDecisions).set({ at: now }).where(ahead);
      return removed.map(({ window }) => window);
    },
    /** Counts a post's ratings by day anew. */
    async recountDays(postId: number) {
      const star = (score: number) => sql`sum(case when score = ${sql.raw(String(score))} then 1 else 0 end)`;
      await execute(sql`delete from rating_days where post_id = ${postId}`);
      await execute(
        sql`insert into rating_days (post_id, day, count_0, count_1, count_2, count_3, count_4, count_5) select post_id, created_at / ${sql.raw(String(dayMs))}, ${sql.join([0, 1, 2, 3, 4, 5].map(star), sql`, `)} from ratings where post_id = ${postId} group by 1, 2`,
      );
    },
    /** The counters of a post's ratings by window, null for none, as a scan finds them. */
    async recountWindows(postId: number): Promise<Map<number | null, Counts>> {
      const rows = await statements
        .select({ window: ratings.window, score: ratings.score, count: count() })
        .from(ratings)
        .where(eq(ratings.postId, postId))
        .groupBy(ratings.window, ratings.score);
      const byWindow = Map.groupBy(rows, ({ window }) => window);
      return new Map(
        [...byWindow].map(([window, of]) => [
          window,
          countsFrom((score) => of.find((row) => row.score === score)?.count ?? 0),
        ]),
      );
    },
    /** Whether a post is there and not deleted. */
    isThere: async (postId: number) =>
      (
        await statements
          .select({ id: posts.id })
          .from(posts)
          .where(and(eq(posts.id, postId), isNull(posts.deletedAt)))
      ).length > 0,
    /** The number of rows of a table with a time after `at`. */
    async countAfter(table: string, column: string, at: number): Promise<number> {
      const [row] = await statements
        .select({ count: sql<number>`count(*)` })
        .from(sql`${sql.identifier(table)}`)
        .where(sql`${sql.identifier(column)} > ${at}`);
      return Number(row?.count ?? 0);
    },
    /**
     * Sets times after `at` to `now` in at most `limit` rows of a table.
     * Sets `expiry` back by as much.
     */
    async clampToNow(
      { table, column, expiry }: { table: string; column: string; expiry?: string | undefined },
      at: number,
      now: number,
      limit: number,
    ) {
      const [from, what] = [sql.identifier(table), sql.identifier(column)];
      const until = expiry && sql.identifier(expiry);
      const change = until ? sql`, ${until} = ${until} - (${what} - ${now})` : sql``;
      await execute(
        sql`update ${from} set ${what} = ${now}${change} where ${rowId} in (select ${rowId} from ${from} where ${what} > ${at} limit ${limit})`,
      );
    },
    /** As `clampToNow`, but removes the rows. */
    async removeAfter(table: string, column: string, at: number, limit: number) {
      const [from, what] = [sql.identifier(table), sql.identifier(column)];
      await execute(
        sql`delete from ${from} where ${rowId} in (select ${rowId} from ${from} where ${what} > ${at} limit ${limit})`,
      );
    },
    /** Lets ratings of new accounts count from `at` at the latest. */
    async clampWaiting(at: number) {
      await statements
        .update(waitingRatings)
        .set({ countsFrom: at })
        .where(gt(waitingRatings.countsFrom, at));
    },
    async removeLimitCountsAfter(at: number) {
      await statements.delete(limitCounts).where(gt(limitCounts.hour, Math.floor(at / hourMs)));
    },
  };
}
