/** Users who are mailed about decisions on their held ratings. */
import { and, asc, desc, eq, gt, inArray, lt, lte, max, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tables } from "../schema/index.ts";
import { type DecidedStatus, decidedStatuses } from "../types.ts";
import { isPostShown } from "./post-lists.ts";

type DecisionSubscription = Tables["decisionSubscriptions"]["$inferSelect"];

export function decisionSubscriptionQueries(dialect: Dialect) {
  const {
    statements,
    tables: { decisionSubscriptions, posts, ratings, users, windowDecisions },
  } = dialect;

  return {
    of: async (userId: number) =>
      (
        await statements.select().from(decisionSubscriptions).where(eq(decisionSubscriptions.userId, userId))
      )[0],
    /** Adds a subscription, unless the user has one. */
    async add(subscription: DecisionSubscription) {
      await statements.insert(decisionSubscriptions).values(subscription).onConflictDoNothing();
    },
    async remove(userId: number) {
      await statements.delete(decisionSubscriptions).where(eq(decisionSubscriptions.userId, userId));
    },
    /** The number of the latest decision; 0 when there is none. */
    async lastDecision() {
      const [row] = await statements.select({ id: max(windowDecisions.id) }).from(windowDecisions);
      return row?.id ?? 0;
    },
    /**
     * Locks subscriptions that are due, for which there are decisions until a number.
     * At most `limit`, of users with a confirmed address who are not disabled; skips locked rows. Call
     * it in a transaction.
     */
    lockDue: ({ until, now, limit }: { until: number; now: number; limit: number }) =>
      dialect.locking(
        statements
          .select()
          .from(decisionSubscriptions)
          .where(and(lt(decisionSubscriptions.afterDecision, until), lte(decisionSubscriptions.dueAt, now)))
          .orderBy(asc(decisionSubscriptions.afterDecision), asc(decisionSubscriptions.userId))
          .limit(limit),
        "update",
        { skipLocked: true },
      ),
    /** Sets the last processed decision, and when the next mail is due. */
    async setLastDecision(
      userIds: readonly number[],
      { afterDecision, dueAt }: { afterDecision: number; dueAt?: number | undefined },
    ) {
      await statements
        .update(decisionSubscriptions)
        .set({ afterDecision, ...(dueAt !== undefined && { dueAt }) })
        .where(inArray(decisionSubscriptions.userId, [...userIds]));
    },
    /**
     * The decisions that count or exclude a rating of the user, the latest first.
     * After a number and until another; only on posts that readers see.
     */
    decisionsFor: (
      userId: number,
      { after, until, limit }: { after: number; until: number; limit: number },
    ) =>
      statements
        .select({
          postId: posts.id,
          slug: posts.slug,
          title: posts.title,
          window: windowDecisions.window,
          status: sql<DecidedStatus>`${windowDecisions.status}`,
        })
        .from(windowDecisions)
        .innerJoin(
          ratings,
          and(
            eq(ratings.postId, windowDecisions.postId),
            eq(ratings.userId, userId),
            eq(ratings.window, windowDecisions.window),
          ),
        )
        .innerJoin(posts, eq(posts.id, windowDecisions.postId))
        .innerJoin(users, eq(users.id, posts.authorId))
        .where(
          and(
            gt(windowDecisions.id, after),
            lte(windowDecisions.id, until),
            inArray(windowDecisions.status, decidedStatuses),
            isPostShown(dialect),
          ),
        )
        .orderBy(desc(windowDecisions.id))
        .limit(limit),
  };
}
