/** Ratings: those in the counters, and those that are not, or not yet. */
import { sql } from "drizzle-orm";
import type { postgresColumns } from "../dialects/postgres/columns.ts";
import type { Score } from "../types.ts";
import { counterColumns, postReference, type Referenced, userReference } from "./columns.ts";

export function ratingTables(
  dialect: typeof postgresColumns,
  { users, posts }: Record<"users" | "posts", Referenced>,
) {
  const { table, integer, bigint, text, index, primaryKey, check, expressions } = dialect;
  const ofUser = userReference(dialect, users);
  const ofPost = postReference(dialect, posts);
  const sixCounters = counterColumns(dialect);

  function ratingColumns() {
    return {
      postId: ofPost(),
      userId: ofUser(),
      score: integer().notNull().$type<Score>(),
      createdAt: bigint("created_at").notNull(),
      updatedAt: bigint("updated_at").notNull(),
      /** The number of the post's flood window that it fell in. */
      window: integer(),
    };
  }

  const ratings = table("ratings", ratingColumns(), (rating) => [
    primaryKey({ columns: [rating.postId, rating.userId] }),
    index("ratings_by_user_time").on(rating.userId, rating.updatedAt),
    index("ratings_in_no_window").on(rating.postId, rating.updatedAt).where(expressions.inNoWindow),
    index("ratings_in_window").on(rating.postId, rating.window, rating.updatedAt).where(expressions.inWindow),
    check("score_in_range", expressions.scoreInRange),
  ]);

  /** Ratings of disabled accounts: out of all counters until the account is enabled. */
  const disabledRatings = table("disabled_ratings", ratingColumns(), (rating) => [
    primaryKey({ columns: [rating.postId, rating.userId] }),
    index("disabled_ratings_by_user").on(rating.userId),
  ]);

  /** Ratings of new accounts that wait to count (lib/ratings/waiting-ratings.ts). */
  const waitingRatings = table(
    "waiting_ratings",
    {
      postId: ofPost(),
      userId: ofUser(),
      score: integer().notNull().$type<Score>(),
      createdAt: bigint("created_at").notNull(),
      countsFrom: bigint("counts_from").notNull(),
      /** As in `attempts`. */
      network: text(),
    },
    (rating) => [
      primaryKey({ columns: [rating.postId, rating.userId] }),
      index("waiting_ratings_by_user").on(rating.userId),
      index("waiting_ratings_by_time").on(rating.countsFrom),
      check("waiting_score_in_range", sql`score in (0, 1, 2, 3, 4, 5)`),
    ],
  );

  /**
   * Users who withdrew a rating.
   * Given again it is not new, and returns to the window that it fell in.
   */
  const formerRaters = table(
    "former_raters",
    {
      postId: ofPost(),
      userId: ofUser(),
      window: integer(),
    },
    (rater) => [
      primaryKey({ columns: [rater.postId, rater.userId] }),
      index("former_raters_by_user").on(rater.userId),
    ],
  );

  /** All ratings of a post by their first day, counted or not. */
  const ratingDays = table(
    "rating_days",
    {
      postId: ofPost(),
      /** The number of the UTC day since 1970. */
      day: integer().notNull(),
      ...sixCounters(),
    },
    (ratingDay) => [primaryKey({ columns: [ratingDay.postId, ratingDay.day] })],
  );

  return { ratings, disabledRatings, waitingRatings, formerRaters, ratingDays };
}
