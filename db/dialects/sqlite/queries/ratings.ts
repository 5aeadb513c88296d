import { and, asc, count, desc, eq, isNull, or, sql } from "drizzle-orm";
import { type Counts, countsFrom, takeCounts } from "../../../counts.ts";
import type { RatingQueries, RatingToSave, SavedRating, Synchronous } from "../../../types.ts";
import type { Connection } from "../index.ts";
import { floodWindows, formerRaters, posts, ratingDays, ratings } from "../schema.ts";

const { placeholder } = sql;

const dayMs = 86_400_000;

type Score = 0 | 1 | 2 | 3 | 4 | 5;

export function ratingQueries(connection: Connection): Synchronous<RatingQueries> {
  const one = and(eq(ratings.postId, placeholder("postId")), eq(ratings.userId, placeholder("userId")));
  const find = connection
    .select({
      // A check keeps the column to these.
      score: sql<Score>`${ratings.score}`,
      createdAt: ratings.createdAt,
      updatedAt: ratings.updatedAt,
      window: ratings.window,
    })
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
      window: placeholder("window"),
    })
    .prepare();
  const update = connection
    .update(ratings)
    .set({
      score: sql`${placeholder("score")}`,
      updatedAt: sql`${placeholder("now")}`,
      window: sql`${placeholder("window")}`,
    })
    .where(one)
    .prepare();
  const setWindow = connection
    .update(ratings)
    .set({ window: sql`${placeholder("window")}` })
    .where(one)
    .prepare();
  const remove = connection.delete(ratings).where(one).prepare();
  const slugsRatedBy = connection
    .select({ slug: posts.slug })
    .from(ratings)
    .innerJoin(posts, eq(posts.id, ratings.postId))
    .where(eq(ratings.userId, placeholder("userId")))
    .orderBy(asc(ratings.postId))
    .prepare();
  const recentInNoWindow = connection
    .select({ userId: ratings.userId, at: ratings.updatedAt, score: sql<Score>`${ratings.score}` })
    .from(ratings)
    .where(
      and(
        eq(ratings.postId, placeholder("postId")),
        isNull(ratings.window),
        sql`${ratings.userId} <> ${placeholder("besides")}`,
      ),
    )
    .orderBy(desc(ratings.updatedAt))
    .limit(placeholder("limit"))
    .prepare();

  const oneFormer = and(
    eq(formerRaters.postId, placeholder("postId")),
    eq(formerRaters.userId, placeholder("userId")),
  );
  const findFormer = connection
    .select({ window: formerRaters.window })
    .from(formerRaters)
    .where(oneFormer)
    .prepare();
  const removeFormer = connection.delete(formerRaters).where(oneFormer).prepare();
  const insertFormer = connection
    .insert(formerRaters)
    .values({
      postId: placeholder("postId"),
      userId: placeholder("userId"),
      window: placeholder("window"),
    })
    .prepare();

  const change = (score: number) =>
    sql`((${placeholder("to")} is ${score}) - (${placeholder("from")} is ${score}))`;
  const moveOnDay = connection
    .insert(ratingDays)
    .values({
      postId: placeholder("postId"),
      day: placeholder("day"),
      count0: change(0),
      count1: change(1),
      count2: change(2),
      count3: change(3),
      count4: change(4),
      count5: change(5),
    })
    .onConflictDoUpdate({
      target: [ratingDays.postId, ratingDays.day],
      set: {
        count0: sql`count_0 + excluded.count_0`,
        count1: sql`count_1 + excluded.count_1`,
        count2: sql`count_2 + excluded.count_2`,
        count3: sql`count_3 + excluded.count_3`,
        count4: sql`count_4 + excluded.count_4`,
        count5: sql`count_5 + excluded.count_5`,
      },
    })
    .prepare();
  const days = connection
    .select()
    .from(ratingDays)
    .where(eq(ratingDays.postId, placeholder("postId")))
    .orderBy(asc(ratingDays.day))
    .prepare();

  function move(postId: number, givenAt: number, from: Score | null, to: Score | null) {
    moveOnDay.run({ postId, day: Math.floor(givenAt / dayMs), from, to });
  }

  return {
    find: (postId: number, userId: number) => find.get({ postId, userId }),
    findFormer: (postId: number, userId: number) => findFormer.get({ postId, userId }),
    insert(rating: RatingToSave) {
      insert.run({ ...rating });
      removeFormer.run({ postId: rating.postId, userId: rating.userId });
      move(rating.postId, rating.now, null, rating.score);
    },
    update(rating: RatingToSave, from: SavedRating) {
      update.run({ ...rating });
      move(rating.postId, from.createdAt, from.score, rating.score);
    },
    remove(postId: number, userId: number, from: SavedRating) {
      remove.run({ postId, userId });
      insertFormer.run({ postId, userId, window: from.window });
      move(postId, from.createdAt, from.score, null);
    },
    setWindow: (postId: number, userId: number, window: number) =>
      void setWindow.run({ postId, userId, window }),
    slugsRatedBy: (userId: number) => slugsRatedBy.all({ userId }).map(({ slug }) => slug),
    recentInNoWindow: (postId: number, besides: number, limit: number) =>
      recentInNoWindow.all({ postId, besides, limit }),
    days: (postId: number) =>
      days
        .all({ postId })
        .map((row) => ({ day: row.day, counts: takeCounts(row).counts }))
        .filter(({ counts }) => counts.some((some) => some > 0)),
    recount: (postId: number): Counts =>
      scan(postId, or(isNull(ratings.window), eq(floodWindows.status, "counted"))),
    recountWindow: (postId: number, window: number): Counts => scan(postId, eq(ratings.window, window)),
  };

  function scan(postId: number, which: ReturnType<typeof or>): Counts {
    const rows = connection
      .select({ score: ratings.score, count: count() })
      .from(ratings)
      .leftJoin(
        floodWindows,
        and(eq(floodWindows.postId, ratings.postId), eq(floodWindows.number, ratings.window)),
      )
      .where(and(eq(ratings.postId, postId), which))
      .groupBy(ratings.score)
      .all();
    return countsFrom((score) => rows.find((row) => row.score === score)?.count ?? 0);
  }
}
