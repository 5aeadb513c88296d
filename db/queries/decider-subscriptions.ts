/** Administrators and moderators who are mailed about floods that need a decision. */
import { count, eq, isNull, lte, max } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tables } from "../schema/index.ts";

type DeciderSubscription = Tables["deciderSubscriptions"]["$inferSelect"];

export function deciderSubscriptionQueries(dialect: Dialect) {
  const {
    statements,
    tables: { deciderSubscriptions, floodWindows, reviewRequests, users },
  } = dialect;
  const ofUser = (userId: number) => eq(deciderSubscriptions.userId, userId);
  return {
    of: async (userId: number) =>
      (await statements.select().from(deciderSubscriptions).where(ofUser(userId)))[0],
    /** Adds a subscription that has seen no floods, unless the user has one. */
    async add(subscription: Omit<DeciderSubscription, "seen">) {
      await statements
        .insert(deciderSubscriptions)
        .values({ ...subscription, seen: "" })
        .onConflictDoNothing();
    },
    async remove(userId: number) {
      await statements.delete(deciderSubscriptions).where(ofUser(userId));
    },
    /** The subscriptions whose next mail is due, with their users. */
    due: (now: number) =>
      statements
        .select({ user: users, locale: deciderSubscriptions.locale, seen: deciderSubscriptions.seen })
        .from(deciderSubscriptions)
        .innerJoin(users, eq(users.id, deciderSubscriptions.userId))
        .where(lte(deciderSubscriptions.dueAt, now))
        .orderBy(deciderSubscriptions.userId),
    /** A fingerprint of the floods that need a decision. */
    async floodState() {
      const held = statements
        .select({ count: count(), lastAt: max(floodWindows.lastAt) })
        .from(floodWindows)
        .where(eq(floodWindows.status, "held"));
      const requested = statements
        .select({ count: count(), id: max(reviewRequests.id) })
        .from(reviewRequests)
        .where(isNull(reviewRequests.answeredAt));
      return JSON.stringify([await held, await requested]);
    },
    /** Locks a subscription; undefined when it is gone. Call it in a transaction. */
    lock: async (userId: number) =>
      (
        await dialect.locking(
          statements.select().from(deciderSubscriptions).where(ofUser(userId)).limit(1),
          "update",
        )
      )[0],
    /** Sets the floods of the last mail, and when the next is due. */
    async setSeen(userId: number, { seen, dueAt }: Pick<DeciderSubscription, "seen" | "dueAt">) {
      await statements.update(deciderSubscriptions).set({ seen, dueAt }).where(ofUser(userId));
    },
  };
}
