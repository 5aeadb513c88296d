/** Lists of a post's ratings and raters. */
import { and, asc, desc, eq, gt, gte, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";

const { placeholder } = sql;

export function ratingListQueries({ statements, tables: { attempts, ratings, users } }: Dialect) {
  const { score } = ratings;
  const recentInNoWindow = statements
    .select({ userId: ratings.userId, at: ratings.updatedAt, score, registeredAt: users.createdAt })
    .from(ratings)
    .innerJoin(users, eq(users.id, ratings.userId))
    .where(
      and(
        eq(ratings.postId, placeholder("postId")),
        isNull(ratings.window),
        ne(ratings.userId, placeholder("exceptUserId")),
      ),
    )
    // A flood's ratings come at one instant: which of them are its run-up must not depend on how they are stored.
    .orderBy(desc(ratings.updatedAt), desc(ratings.userId))
    .limit(placeholder("limit"))
    .prepare("recent ratings");

  const selectInOrder = (where: SQL) =>
    statements
      .select({ userId: ratings.userId, at: ratings.updatedAt, score })
      .from(ratings)
      .where(
        and(
          eq(ratings.postId, placeholder("postId")),
          where,
          // Written so that an index leads to the place.
          gte(ratings.updatedAt, placeholder("at")),
          or(gt(ratings.updatedAt, placeholder("at")), gt(ratings.userId, placeholder("userId"))),
        ),
      )
      .orderBy(asc(ratings.updatedAt), asc(ratings.userId))
      .limit(placeholder("limit"));
  const inNoWindowInOrder = selectInOrder(isNull(ratings.window)).prepare("ratings in no window in order");
  const inWindowInOrder = selectInOrder(eq(ratings.window, placeholder("window"))).prepare(
    "ratings in window in order",
  );

  const selectRaters = (where: SQL) =>
    statements
      .select({
        username: users.username,
        score,
        at: ratings.updatedAt,
        registeredAt: users.createdAt,
        network: attempts.network,
      })
      .from(ratings)
      .innerJoin(users, eq(users.id, ratings.userId))
      .leftJoin(
        attempts,
        and(
          eq(attempts.userId, ratings.userId),
          eq(attempts.postId, ratings.postId),
          // Written so that an index leads to the attempt that gave the rating.
          eq(attempts.minute, sql`${ratings.updatedAt} / 60000`),
          eq(attempts.at, ratings.updatedAt),
          eq(attempts.allowed, true),
        ),
      )
      .where(and(eq(ratings.postId, placeholder("postId")), where))
      .orderBy(desc(ratings.updatedAt))
      .limit(placeholder("limit"));
  const ratersInNoWindow = selectRaters(isNull(ratings.window)).prepare("raters in no window");
  const ratersInWindow = selectRaters(eq(ratings.window, placeholder("window"))).prepare("raters in window");

  return {
    /**
     * The ratings of a post outside all windows, latest change first.
     * Ratings by `exceptUserId` are left out.
     */
    recentInNoWindow: (postId: number, exceptUserId: number, limit: number) =>
      recentInNoWindow.execute({ postId, exceptUserId, limit }),
    /**
     * The ratings of a post in a window, or in none (null), after a place.
     * They are in the order of their last change, then of their users.
     */
    inOrder: (
      postId: number,
      window: number | null,
      { at, userId }: { at: number; userId: number },
      limit: number,
    ) =>
      window === null
        ? inNoWindowInOrder.execute({ postId, at, userId, limit })
        : inWindowInOrder.execute({ postId, window, at, userId, limit }),
    /**
     * The raters of a window's latest ratings, or of those in none (null).
     * Each row has the rater's name, score, times of rating and registration, and network.
     */
    raters: (postId: number, window: number | null, limit: number) =>
      window === null
        ? ratersInNoWindow.execute({ postId, limit })
        : ratersInWindow.execute({ postId, window, limit }),
  };
}
