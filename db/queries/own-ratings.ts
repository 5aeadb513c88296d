/** The posts that a user has rated. */
import { and, desc, eq, lt, lte, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Dialect } from "../dialect.ts";
import type { TimePlace } from "../types.ts";
import { isPostSeen, viewerOf } from "./post-lists.ts";

const { placeholder } = sql;

export function ownRatingQueries(dialect: Dialect) {
  const {
    statements,
    tables: { floodWindows, posts, ratings, users, waitingRatings },
  } = dialect;
  const post = {
    id: posts.id,
    slug: posts.slug,
    title: posts.title,
    chosenLang: posts.chosenLang,
    detectedLang: posts.detectedLang,
    author: users.username,
  };
  /** Those of the viewer after a place, by the time of the rating. */
  const after = (userId: PgColumn, postId: PgColumn, time: PgColumn): SQL | undefined =>
    and(
      eq(userId, placeholder("viewerId")),
      // Written so that an index leads to the place.
      lte(time, placeholder("at")),
      or(lt(time, placeholder("at")), lt(postId, placeholder("id"))),
      isPostSeen(dialect),
    );
  const counted = statements
    .select({ ...post, score: ratings.score, at: ratings.updatedAt, status: floodWindows.status })
    .from(ratings)
    .innerJoin(posts, eq(posts.id, ratings.postId))
    .innerJoin(users, eq(users.id, posts.authorId))
    .leftJoin(
      floodWindows,
      and(eq(floodWindows.postId, ratings.postId), eq(floodWindows.number, ratings.window)),
    )
    .where(after(ratings.userId, ratings.postId, ratings.updatedAt))
    .orderBy(desc(ratings.updatedAt), desc(ratings.postId))
    .limit(placeholder("limit"))
    .prepare("own ratings");
  const waiting = statements
    .select({
      ...post,
      score: waitingRatings.score,
      at: waitingRatings.createdAt,
      countsFrom: waitingRatings.countsFrom,
    })
    .from(waitingRatings)
    .innerJoin(posts, eq(posts.id, waitingRatings.postId))
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(after(waitingRatings.userId, waitingRatings.postId, waitingRatings.createdAt))
    .orderBy(desc(waitingRatings.createdAt), desc(waitingRatings.postId))
    .limit(placeholder("limit"))
    .prepare("own waiting ratings");

  return {
    /**
     * A user's ratings of posts that they see, the latest first.
     * Each with the state of the flood window that it came in, and when it counts if it waits; otherwise null.
     */
    async list(viewer: Parameters<typeof viewerOf>[0], after: TimePlace, limit: number) {
      const values = { ...viewerOf(viewer), ...after, limit };
      const found = [
        ...(await counted.execute(values)).map((row) => ({ ...row, countsFrom: null })),
        ...(await waiting.execute(values)).map((row) => ({ ...row, status: null })),
      ];
      return found
        .map(({ chosenLang, detectedLang, ...row }) => ({ ...row, lang: chosenLang ?? detectedLang }))
        .toSorted((a, b) => b.at - a.at || b.id - a.id)
        .slice(0, limit);
    },
  };
}
