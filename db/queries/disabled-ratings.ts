/** Ratings of disabled accounts: moved to where they count nowhere, and back. */
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tables } from "../schema/index.ts";
import type { RatingDayQueries } from "./rating-days.ts";

/** Ratings moved by one statement. */
const chunkSize = 200;

/** A rating of an account that is disabled or enabled. */
export type MovableRating = Omit<Tables["ratings"]["$inferSelect"], "postId"> & {
  /** The change because of which it is moved. */
  changeId: number;
};

export function disabledRatingQueries(
  { statements, tables: { disabledRatings, formerRaters, ratings } }: Dialect,
  ratingDays: Pick<RatingDayQueries, "moveMany">,
) {
  const chunksOf = (moved: readonly MovableRating[]) =>
    Array.from({ length: Math.ceil(moved.length / chunkSize) }, (_, index) =>
      moved.slice(index * chunkSize, (index + 1) * chunkSize),
    );
  const rowOf = (postId: number, { userId, score, createdAt, updatedAt, window }: MovableRating) => ({
    postId,
    userId,
    score,
    createdAt,
    updatedAt,
    window,
  });

  return {
    /** Moves ratings from `ratings` to where they count nowhere. */
    async setAside(postId: number, moved: readonly MovableRating[]) {
      for (const chunk of chunksOf(moved)) {
        const ids = chunk.map(({ userId }) => userId);
        // A user who was enabled meanwhile, and rated again, may have one there.
        await statements
          .insert(disabledRatings)
          .values(chunk.map((each) => rowOf(postId, each)))
          .onConflictDoUpdate({
            target: [disabledRatings.postId, disabledRatings.userId],
            set: {
              score: sql`excluded.score`,
              createdAt: sql`excluded.created_at`,
              updatedAt: sql`excluded.updated_at`,
              window: sql`excluded."window"`,
            },
          });
        await statements.delete(ratings).where(and(eq(ratings.postId, postId), inArray(ratings.userId, ids)));
      }
      await ratingDays.moveMany(postId, moved, -1);
    },
    /**
     * Moves them back, except those of users who rated or withdrew since.
     * Resolves to the restored ratings.
     */
    async restore(postId: number, moved: readonly MovableRating[]) {
      const back: MovableRating[] = [];
      for (const chunk of chunksOf(moved)) {
        const ids = chunk.map(({ userId }) => userId);
        const withdrawn = await statements
          .select({ userId: formerRaters.userId })
          .from(formerRaters)
          .where(and(eq(formerRaters.postId, postId), inArray(formerRaters.userId, ids)));
        const stay = chunk.filter(({ userId }) => !withdrawn.some((each) => each.userId === userId));
        const inserted =
          stay.length === 0
            ? []
            : await statements
                .insert(ratings)
                .values(stay.map((each) => rowOf(postId, each)))
                .onConflictDoNothing()
                .returning({ userId: ratings.userId });
        const known = new Set(inserted.map(({ userId }) => userId));
        back.push(...stay.filter(({ userId }) => known.has(userId)));
        await statements
          .delete(disabledRatings)
          .where(and(eq(disabledRatings.postId, postId), inArray(disabledRatings.userId, ids)));
      }
      await ratingDays.moveMany(postId, back, 1);
      return back;
    },
  };
}
