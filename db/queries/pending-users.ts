/** Users who wait for an administrator's approval. */
import { and, count, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";

/** Which of the users who wait for approval. */
interface PendingFilter {
  /** Part of the username or the email, in comparison form. */
  search?: string | undefined;
  /** The hash of their network. */
  network?: string | undefined;
}

/** The columns of an account that does not wait. */
export const approved = { pendingSince: null, pendingNetwork: null };

export function pendingUserQueries({ statements, tables: { users } }: Dialect) {
  function isPending({ search, network }: PendingFilter) {
    const pattern = search && `%${search.replace(/[\\%_]/g, "\\$&")}%`;
    return and(
      isNull(users.deletedAt),
      isNotNull(users.pendingSince),
      network === undefined ? undefined : eq(users.pendingNetwork, network),
      pattern
        ? sql`(${users.usernameKey} like ${pattern} escape '\\' or ${users.emailKey} like ${pattern} escape '\\')`
        : undefined,
    );
  }

  return {
    /**
     * Users who wait for approval, those that have waited longest first.
     * `ofNetwork` is how many waiting users registered from the same network, this one included.
     */
    pending: async (limit: number, { offset = 0, ...filter }: PendingFilter & { offset?: number } = {}) => {
      const found = await statements
        .select({
          id: users.id,
          username: users.username,
          email: users.email,
          pendingSince: sql<number>`${users.pendingSince}`.mapWith(Number),
          network: users.pendingNetwork,
          ofNetwork:
            sql`(select count(*) from users u where u.pending_network = users.pending_network and u.deleted_at is null)`.mapWith(
              Number,
            ),
        })
        .from(users)
        .where(isPending(filter))
        .orderBy(users.pendingSince, users.id)
        .limit(limit)
        .offset(offset);
      return found;
    },
    /** How many users wait for approval. */
    async countPending(filter: PendingFilter = {}) {
      const [row] = await statements.select({ count: count() }).from(users).where(isPending(filter));
      return row?.count ?? 0;
    },
    async approve(id: number) {
      await statements.update(users).set(approved).where(eq(users.id, id));
    },
  };
}
