import { and, count, eq, sql } from "drizzle-orm";
import type { Connection } from "../index.ts";
import { posts, ratings } from "../schema.ts";
import { type Counts, countsFrom } from "./counts.ts";

const { placeholder } = sql;

export function ratingQueries(connection: Connection) {
  const one = and(eq(ratings.postId, placeholder("postId")), eq(ratings.userId, placeholder("userId")));
  const find = connection
    .select({ score: ratings.score, createdAt: ratings.createdAt, updatedAt: ratings.updatedAt })
    .from(ratings)
    .where(one)
    .prepare();
  const insert = connection
    .insert(ratings)
    .values({
      postId: placeholder("postId"),
      userId: placeholder("userId"),
      score: placeholder("score"),
      createdAt: placeholder("now"),
      updatedAt: placeholder("now"),
    })
    .prepare();
  const update = connection
    .update(ratings)
    .set({ score: sql`${placeholder("score")}`, updatedAt: sql`${placeholder("now")}` })
    .where(one)
    .prepare();
  const remove = connection.delete(ratings).where(one).prepare();
  const moveCounters = connection
    .update(posts)
    .set({
      count0: sql`${posts.count0} + ${placeholder("d0")}`,
      count1: sql`${posts.count1} + ${placeholder("d1")}`,
      count2: sql`${posts.count2} + ${placeholder("d2")}`,
      count3: sql`${posts.count3} + ${placeholder("d3")}`,
      count4: sql`${posts.count4} + ${placeholder("d4")}`,
      count5: sql`${posts.count5} + ${placeholder("d5")}`,
    })
    .where(eq(posts.id, placeholder("postId")))
    .prepare();

  /** Moves one rating of a post from a star value to another; null is "no rating". */
  function move(postId: number, from: number | null, to: number | null) {
    const change = (score: number) => Number(score === to) - Number(score === from);
    const [d0, d1, d2, d3, d4, d5] = [0, 1, 2, 3, 4, 5].map(change);
    moveCounters.run({ postId, d0, d1, d2, d3, d4, d5 });
  }

  return {
    find: (postId: number, userId: number) => find.get({ postId, userId }),
    /** Saves a new rating and counts it. Throws when there is one already. Call it in a transaction. */
    insert(postId: number, userId: number, score: number, now: number) {
      insert.run({ postId, userId, score, now });
      move(postId, null, score);
    },
    /** Replaces a rating's score, `from` being the old one. Call it in a transaction. */
    update(postId: number, userId: number, from: number, score: number, now: number) {
      update.run({ postId, userId, score, now });
      move(postId, from, score);
    },
    /** Withdraws a rating, `from` being its score. Call it in a transaction. */
    remove(postId: number, userId: number, from: number) {
      remove.run({ postId, userId });
      move(postId, from, null);
    },
    /** The counters as a scan of the ratings finds them: what the post's own must equal. */
    recount(postId: number): Counts {
      const rows = connection
        .select({ score: ratings.score, count: count() })
        .from(ratings)
        .where(eq(ratings.postId, postId))
        .groupBy(ratings.score)
        .all();
      return countsFrom((score) => rows.find((row) => row.score === score)?.count ?? 0);
    },
  };
}
