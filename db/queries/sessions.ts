import { and, desc, eq, gt, inArray, isNull, lte, ne, notInArray, type SQL } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tables } from "../schema/index.ts";

type SessionRow = Tables["sessions"]["$inferSelect"];
type NewSession = Omit<SessionRow, "id" | "secondFactorAt"> & { secondFactorAt?: number | null };

/**
 * Which sessions have not expired.
 * Used after one moment, begun after another, and neither later than `latest`, as on a clock that was ahead.
 */
interface SessionBounds {
  usedAfter: number;
  begunAfter: number;
  latest: number;
}

export function sessionQueries({ statements, tables: { sessions, users }, opaque, ...dialect }: Dialect) {
  const isUnexpired = ({ usedAfter, begunAfter, latest }: Record<keyof SessionBounds, number | SQL>) =>
    and(
      gt(sessions.lastUsedAt, usedAfter),
      gt(sessions.createdAt, begunAfter),
      lte(sessions.lastUsedAt, latest),
      lte(sessions.createdAt, latest),
    );
  const byHash = statements
    .select({
      id: sessions.id,
      createdAt: sessions.createdAt,
      lastUsedAt: sessions.lastUsedAt,
      secondFactorAt: sessions.secondFactorAt,
      user: users,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.tokenHash, opaque("tokenHash")),
        isUnexpired({
          usedAfter: opaque("usedAfter"),
          begunAfter: opaque("begunAfter"),
          latest: opaque("latest"),
        }),
        isNull(users.deletedAt),
        isNull(users.disabledAt),
      ),
    )
    .prepare("session by hash");
  return {
    /**
     * The unexpired session with this token, and its user.
     * Undefined when there is none, or the user is disabled or deleted.
     */
    byHash: async (tokenHash: string, bounds: SessionBounds) =>
      (await byHash.execute({ tokenHash, ...bounds }))[0],
    /** A user's sessions, those used last first. */
    ofUser: (userId: number, bounds: SessionBounds) =>
      statements
        .select()
        .from(sessions)
        .where(and(eq(sessions.userId, userId), isUnexpired(bounds)))
        .orderBy(desc(sessions.lastUsedAt), desc(sessions.id)),
    /**
     * Whether a user's session exists.
     * Call it in a transaction: the session does not end before that does.
     */
    lock: async (id: number, userId: number) =>
      (
        await dialect.locking(
          statements
            .select({ id: sessions.id })
            .from(sessions)
            .where(and(eq(sessions.id, id), eq(sessions.userId, userId))),
          "update",
        )
      ).length > 0,
    /** Saves a session, and keeps the `others` of the user's that were used last. */
    async insert(session: NewSession, others: number) {
      const kept = statements
        .select({ id: sessions.id })
        .from(sessions)
        .where(eq(sessions.userId, session.userId))
        .orderBy(desc(sessions.lastUsedAt), desc(sessions.id))
        .limit(others);
      await statements
        .delete(sessions)
        .where(and(eq(sessions.userId, session.userId), notInArray(sessions.id, kept)));
      await statements.insert(sessions).values(session);
    },
    /** Saves a last use; a later saved one stays. */
    async setLastUsedAt(id: number, lastUsedAt: number) {
      await statements
        .update(sessions)
        .set({ lastUsedAt })
        .where(and(eq(sessions.id, id), lte(sessions.lastUsedAt, lastUsedAt)));
    },
    /** Notes that a session passed a second factor. */
    async setSecondFactorAt(id: number, secondFactorAt: number) {
      await statements.update(sessions).set({ secondFactorAt }).where(eq(sessions.id, id));
    },
    async endByHash(tokenHash: string) {
      await statements.delete(sessions).where(eq(sessions.tokenHash, tokenHash));
    },
    /** Ends a session when it is this user's; resolves to whether it was. */
    async end(id: number, userId: number) {
      const ended = await statements
        .delete(sessions)
        .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
        .returning({ id: sessions.id });
      return ended.length > 0;
    },
    async endOthers(userId: number, id: number) {
      await statements.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.id, id)));
    },
    /**
     * Removes at most `limit` sessions that were last used at `usedBy` or before.
     * Resolves to their number.
     */
    async removeUnused(usedBy: number, limit: number) {
      const some = statements
        .select({ id: sessions.id })
        .from(sessions)
        .where(lte(sessions.lastUsedAt, usedBy))
        .limit(limit);
      const removed = statements.delete(sessions).where(inArray(sessions.id, some));
      return (await removed.returning({ id: sessions.id })).length;
    },
  };
}
