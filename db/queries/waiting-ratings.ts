import { and, asc, eq, isNull, lte, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { WaitingRatingQueries } from "../types.ts";

const { placeholder } = sql;

type Score = 0 | 1 | 2 | 3 | 4 | 5;

export function waitingRatingQueries({
  statements,
  tables: { posts, users, waitingRatings },
}: Dialect): WaitingRatingQueries {
  // A check keeps the column to these.
  const score = sql<Score>`${waitingRatings.score}`;
  const one = and(
    eq(waitingRatings.postId, placeholder("postId")),
    eq(waitingRatings.userId, placeholder("userId")),
  );
  const find = statements
    .select({ score, createdAt: waitingRatings.createdAt, countsFrom: waitingRatings.countsFrom })
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
    find: async (postId, userId) => (await find.execute({ postId, userId }))[0],
    async save(rating) {
      await statements
        .insert(waitingRatings)
        .values(rating)
        .onConflictDoUpdate({
          target: [waitingRatings.postId, waitingRatings.userId],
          set: { score: rating.score },
        });
    },
    async remove(postId, userId) {
      const removed = statements.delete(waitingRatings).where(place(postId, userId));
      return (await removed.returning({ userId: waitingRatings.userId })).length > 0;
    },
    async postpone(postId, userId, countsFrom) {
      await statements.update(waitingRatings).set({ countsFrom }).where(place(postId, userId));
    },
    due: (now, limit) => due.execute({ now, limit }),
  };
}
