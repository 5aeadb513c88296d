/** Corrects times in the future and counters, for `lib/repair`. */
import { and, type Column, count, eq, gt, inArray, isNull, or, sql } from "drizzle-orm";
import { type Counts, countsFrom } from "../counts.ts";
import type { Dialect } from "../dialect.ts";

const dayMs = 86_400_000;

/** A column with times. */
export interface TimeColumn {
  table: string;
  column: string;
  /** The column with the time at which a row expires. */
  expiry?: string | undefined;
}

/** A row's place in its table, by which it is found again at once. */
type RowPlace = number | string;

export function repairQueries({ statements, tables, rowId, execute, countChanged }: Dialect) {
  const { floodWindows, posts, ratings, windowDecisions } = tables;
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
              ...[posts.createdAt, posts.updatedAt, posts.publishedAt, posts.settledAt].map((column) =>
                gt(column, at),
              ),
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
     * Sets future times of at most `limit` of a post's ratings to `now`.
     * It takes the ratings by user number, beyond `after`, and resolves to the users, in order.
     */
    async clampRatingsToNow(postId: number, now: number, after: number, limit: number): Promise<number[]> {
      const { createdAt, updatedAt, userId } = ratings;
      const ofPost = eq(ratings.postId, postId);
      const some = statements
        .select({ userId })
        .from(ratings)
        .where(and(ofPost, gt(userId, after), or(gt(createdAt, now), gt(updatedAt, now))))
        .orderBy(userId)
        .limit(limit);
      const changed = await statements
        .update(ratings)
        .set({ createdAt: atMost(createdAt, now), updatedAt: atMost(updatedAt, now) })
        .where(and(ofPost, inArray(userId, some)))
        .returning({ userId });
      return changed.map((rating) => rating.userId).sort((a, b) => a - b);
    },
    /**
     * Sets future times of a post's row to `now`.
     * Resolves to whether there were any.
     */
    async clampPostToNow(postId: number, now: number): Promise<boolean> {
      const { createdAt, updatedAt, publishedAt } = posts;
      const changed = await statements
        .update(posts)
        .set({
          createdAt: atMost(createdAt, now),
          updatedAt: atMost(updatedAt, now),
          publishedAt: atMost(publishedAt, now),
        })
        .where(
          and(
            eq(posts.id, postId),
            or(...[createdAt, updatedAt, publishedAt].map((column) => gt(column, now))),
          ),
        )
        .returning({ id: posts.id });
      return changed.length > 0;
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
    /** Recounts a post's ratings by day. */
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
    /** Whether a post exists and is not deleted. */
    isThere: async (postId: number) =>
      (
        await statements
          .select({ id: posts.id })
          .from(posts)
          .where(and(eq(posts.id, postId), isNull(posts.deletedAt)))
      ).length > 0,
    /**
     * The places of at most `limit` rows of a table with a time after `at`.
     * A scan of the table, which takes no lock: call it outside of transactions.
     */
    async placesAfter({ table, column }: TimeColumn, at: number, limit: number): Promise<RowPlace[]> {
      const rows = await statements
        .select({ place: sql<RowPlace>`${rowId}` })
        .from(sql`${sql.identifier(table)}`)
        .where(sql`${sql.identifier(column)} > ${at}`)
        .limit(limit);
      return rows.map(({ place }) => place);
    },
    /**
     * Sets times after `at` to `to` in rows at these places.
     * Sets `expiry` back by as much. Resolves to the number of rows, fewer when some were moved or changed meanwhile.
     */
    clampTo({ table, column, expiry }: TimeColumn, at: number, to: number, places: readonly RowPlace[]) {
      const [from, what] = [sql.identifier(table), sql.identifier(column)];
      const until = expiry && sql.identifier(expiry);
      const change = until ? sql`, ${until} = ${until} - (${what} - ${to})` : sql``;
      return countChanged(
        sql`update ${from} set ${what} = ${to}${change} where ${rowId} in ${places} and ${what} > ${at} returning 1`,
      );
    },
    /** As `clampTo`, but removes the rows. */
    removeAfter: ({ table, column }: TimeColumn, at: number, places: readonly RowPlace[]) =>
      countChanged(
        sql`delete from ${sql.identifier(table)} where ${rowId} in ${places} and ${sql.identifier(column)} > ${at} returning 1`,
      ),
  };
}
