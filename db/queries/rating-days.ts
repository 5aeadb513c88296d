/** The days on which a post's ratings were first given. */
import { asc, eq, sql } from "drizzle-orm";
import { type CountColumns, countColumns, countsFrom, takeCounts } from "../counts.ts";
import type { Dialect } from "../dialect.ts";
import type { Score } from "../types.ts";

const { placeholder } = sql;

const dayMs = 86_400_000;

/** How much each counter of a post's day changes. */
type MovedOnDay = { postId: number; day: number } & CountColumns;

export type RatingDayQueries = ReturnType<typeof ratingDayQueries>;

export function ratingDayQueries({ statements, tables: { ratingDays }, session, opaque }: Dialect) {
  const moveOnDay = statements
    .insert(ratingDays)
    .values({
      postId: placeholder("postId"),
      day: placeholder("day"),
      count0: placeholder("count0"),
      count1: placeholder("count1"),
      count2: placeholder("count2"),
      count3: placeholder("count3"),
      count4: placeholder("count4"),
      count5: placeholder("count5"),
    })
    .onConflictDoUpdate({
      target: [ratingDays.postId, ratingDays.day],
      set: {
        count0: sql`${ratingDays.count0} + excluded.count_0`,
        count1: sql`${ratingDays.count1} + excluded.count_1`,
        count2: sql`${ratingDays.count2} + excluded.count_2`,
        count3: sql`${ratingDays.count3} + excluded.count_3`,
        count4: sql`${ratingDays.count4} + excluded.count_4`,
        count5: sql`${ratingDays.count5} + excluded.count_5`,
      },
    })
    .prepare("move rating on its day");
  const saveMove = session.rowWriter<MovedOnDay>({
    table: "rating_days",
    keyOf: ({ postId, day }) => `${postId} ${day}`,
    merged: (earlier, later) => ({
      ...later,
      ...countColumns(countsFrom((score) => earlier[`count${score}`] + later[`count${score}`])),
    }),
    statement: moveOnDay,
  });
  const days = statements
    .select()
    .from(ratingDays)
    .where(eq(ratingDays.postId, opaque("postId")))
    .orderBy(asc(ratingDays.day))
    .prepare("days of post");

  return {
    /** Moves a rating on its day from one score to another, null for none. */
    move(postId: number, givenAt: number, from: Score | null, to: Score | null) {
      const moved = countsFrom((score) => Number(to === score) - Number(from === score));
      const day = Math.floor(givenAt / dayMs);
      return saveMove({ postId, day, ...countColumns(moved) });
    },
    /** Adds many ratings to their days, or takes them out. */
    async moveMany(postId: number, moved: readonly { score: Score; createdAt: number }[], change: 1 | -1) {
      const byDay = Map.groupBy(moved, ({ createdAt }) => Math.floor(createdAt / dayMs));
      for (const [day, those] of byDay) {
        const counts = countsFrom((score) => change * those.filter((each) => each.score === score).length);
        await moveOnDay.execute({ postId, day, ...countColumns(counts) });
      }
    },
    /**
     * How many ratings of each score were given on each day that had any.
     * A day is a number of UTC days since 1970.
     */
    days: async (postId: number) =>
      (await days.execute({ postId }))
        .map((row) => ({ day: row.day, counts: takeCounts(row).counts }))
        .filter(({ counts }) => counts.some((some) => some > 0)),
  };
}
