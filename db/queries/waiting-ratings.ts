import { and, asc, eq, isNull, lte, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tables } from "../schema/index.ts";

const { placeholder } = sql;

type WaitingRating = Tables["waitingRatings"]["$inferSelect"];

/** Ratings of new accounts that wait to count (lib/ratings/waiting-ratings.ts). */
export function waitingRatingQueries({ statements, tables: { posts, users, waitingRatings } }: Dialect) {
  const { score } = waitingRatings;
  const one = and(
    eq(waitingRatings.postId, placeholder("postId")),
    eq(waitingRatings.userId, placeholder("userId")),
  );
  const find = statements
    .select({
      score,
      createdAt: waitingRatings.createdAt,
      countsFrom: waitingRatings.countsFrom,
      network: waitingRatings.network,
    })
    .from(waitingRatings)
    .where(one)
    .prepare("waiting rating");
  const due = statements
    .select({
      postId: waitingRatings.postId,
      slug: posts.slug,
      userId: waitingRatings.userId,
      username: users.username,
    })
    .from(waitingRatings)
    .innerJoin(posts, eq(posts.id, waitingRatings.postId))
    .innerJoin(users, eq(users.id, waitingRatings.userId))
    .where(
      and(
        lte(waitingRatings.countsFrom, placeholder("now")),
        isNull(users.disabledAt),
        isNull(users.deletedAt),
      ),
    )
    .orderBy(asc(waitingRatings.countsFrom), asc(waitingRatings.userId))
    .limit(placeholder("limit"))
    .prepare("due waiting ratings");
  const place = (postId: number, userId: number) =>
    and(eq(waitingRatings.postId, postId), eq(waitingRatings.userId, userId));

  return {
    find: async (postId: number, userId: number) => (await find.execute({ postId, userId }))[0],
    /** Saves a rating; an existing one keeps its times. */
    async save(rating: WaitingRating) {
      await statements
        .insert(waitingRatings)
        .values(rating)
        .onConflictDoUpdate({
          target: [waitingRatings.postId, waitingRatings.userId],
          set: { score: rating.score },
        });
    },
    /** Resolves to whether there was one. */
    async remove(postId: number, userId: number) {
      const removed = statements.delete(waitingRatings).where(place(postId, userId));
      return (await removed.returning({ userId: waitingRatings.userId })).length > 0;
    },
    async postpone(postId: number, userId: number, countsFrom: number) {
      await statements.update(waitingRatings).set({ countsFrom }).where(place(postId, userId));
    },
    /**
     * Ratings that begin to count by `now`, those that have waited longest first.
     * Without those of disabled users.
     */
    due: (now: number, limit: number) => due.execute({ now, limit }),
  };
}
