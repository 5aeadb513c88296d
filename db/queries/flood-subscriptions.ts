/** Authors who get an email about each flood, and the floods already mailed. */
import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import { toShownWindow } from "../rows.ts";
import type { Tables } from "../schema/index.ts";
import { shownColumns } from "./shown-floods.ts";

type FloodSubscription = Tables["floodSubscriptions"]["$inferSelect"];

export function floodSubscriptionQueries({
  statements,
  tables: { floodSubscriptions, floodWindows, mailedFloods, posts, users },
}: Dialect) {
  return {
    /** A user's subscription; undefined when there is none. */
    of: async (userId: number) =>
      (await statements.select().from(floodSubscriptions).where(eq(floodSubscriptions.userId, userId)))[0],
    /** Saves a subscription in place of the user's other one. */
    async save(subscription: FloodSubscription) {
      const { userId: _, ...set } = subscription;
      await statements
        .insert(floodSubscriptions)
        .values(subscription)
        .onConflictDoUpdate({ target: floodSubscriptions.userId, set });
    },
    async remove(userId: number) {
      await statements.delete(floodSubscriptions).where(eq(floodSubscriptions.userId, userId));
    },
    /**
     * The held floods that are not mailed to their posts' authors yet.
     * At most `limit`, and only of authors with a confirmed address.
     */
    async unmailed(limit: number) {
      const rows = await statements
        .select({
          window: shownColumns(floodWindows),
          postId: posts.id,
          slug: posts.slug,
          title: posts.title,
          user: users,
          locale: floodSubscriptions.locale,
        })
        .from(floodWindows)
        .innerJoin(posts, eq(posts.id, floodWindows.postId))
        .innerJoin(floodSubscriptions, eq(floodSubscriptions.userId, posts.authorId))
        .innerJoin(users, eq(users.id, posts.authorId))
        .leftJoin(
          mailedFloods,
          and(eq(mailedFloods.postId, floodWindows.postId), eq(mailedFloods.number, floodWindows.number)),
        )
        .where(
          and(
            eq(floodWindows.status, "held"),
            isNotNull(users.emailConfirmedAt),
            isNull(mailedFloods.postId),
            isNull(posts.deletedAt),
            isNull(users.deletedAt),
            isNull(users.disabledAt),
          ),
        )
        .orderBy(floodWindows.openedAt)
        .limit(limit);
      return rows.map(({ window, ...row }) => ({ ...row, window: toShownWindow(window) }));
    },
    /** Records that a flood is mailed to its author; false when it was before. */
    async markMailed(postId: number, number: number) {
      const noted = statements.insert(mailedFloods).values({ postId, number }).onConflictDoNothing();
      return (await noted.returning({ number: mailedFloods.number })).length > 0;
    },
  };
}
