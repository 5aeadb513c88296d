/** Administrators, moderators and writers. */
import { and, asc, count, eq, isNotNull, isNull, ne, not, or, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import { approved } from "./pending-users.ts";

export function userRoleQueries({ statements, tables: { users }, session, ...dialect }: Dialect) {
  const isPresent = isNull(users.deletedAt);
  const isEnabledAdministrator = and(users.isAdministrator, isNull(users.disabledAt), isPresent);
  const isRequestingToWrite = and(isNotNull(users.writingRequestedAt), isNull(users.disabledAt), isPresent);

  return {
    /**
     * Makes a user an administrator, or revokes that.
     * An administrator's account does not wait for approval.
     */
    async setAdministrator(id: number, isAdministrator: boolean) {
      await statements
        .update(users)
        .set({ isAdministrator, ...(isAdministrator && approved) })
        .where(eq(users.id, id));
    },
    /** The same for a moderator. */
    async setModerator(id: number, isModerator: boolean) {
      await statements
        .update(users)
        .set({ isModerator, ...(isModerator && approved) })
        .where(eq(users.id, id));
    },
    /**
     * Lets a user write where not everyone may, or no longer.
     * Either answers the user's request.
     */
    async setWriter(id: number, isWriter: boolean) {
      await statements.update(users).set({ isWriter, writingRequestedAt: null }).where(eq(users.id, id));
    },
    /**
     * Makes all users who have posted writers.
     * Except those whose right was revoked after their last post. A server of a version without roles saves first posts
     * that do not set it.
     */
    async makeAuthorsWriters() {
      const isPosted = sql`id in (select author_id from posts) and exists (select 1 from posts p where p.author_id = users.id and not exists (select 1 from account_change_users u inner join account_changes c on c.id = u.change_id where u.user_id = p.author_id and c.kind = 'remove-writer' and c.at >= p.created_at))`;
      await statements
        .update(users)
        .set({ isWriter: true, writingRequestedAt: null })
        .where(and(not(users.isWriter), isPosted));
    },
    /**
     * Records when a user requested to write.
     * The first time counts; null answers the request.
     */
    async setWritingRequestedAt(id: number, at: number | null) {
      await statements
        .update(users)
        .set({ writingRequestedAt: at === null ? null : sql`coalesce(${users.writingRequestedAt}, ${at})` })
        .where(eq(users.id, id));
    },
    /** When a user requested to write; null when they did not. */
    async writingRequestedAt(id: number) {
      const [user] = await statements
        .select({ at: users.writingRequestedAt })
        .from(users)
        .where(eq(users.id, id));
      return user?.at ?? null;
    },
    /** The users who request to write, the longest waiting first. */
    requestingToWrite: (limit: number) =>
      statements
        .select({ id: users.id, username: users.username, requestedAt: users.writingRequestedAt })
        .from(users)
        .where(isRequestingToWrite)
        .orderBy(asc(users.writingRequestedAt), asc(users.id))
        .limit(limit),
    async countRequestingToWrite() {
      const [row] = await statements.select({ count: count() }).from(users).where(isRequestingToWrite);
      return row?.count ?? 0;
    },
    /** Whether any other user is an administrator or moderator, and not disabled. */
    async hasOtherDecider(id: number) {
      const [other] = await statements
        .select({ id: users.id })
        .from(users)
        .where(
          and(
            or(users.isAdministrator, users.isModerator),
            isNull(users.disabledAt),
            isPresent,
            ne(users.id, id),
          ),
        )
        .limit(1);
      return other !== undefined;
    },
    /**
     * Whether another user is an administrator and not disabled.
     * In a transaction, that user stays one until it ends.
     */
    async hasOtherAdministrator(id: number) {
      if (session.isInTransaction()) await dialect.lockByName("administrators");
      const [other] = await statements
        .select({ id: users.id })
        .from(users)
        .where(and(isEnabledAdministrator, ne(users.id, id)))
        .limit(1);
      return other !== undefined;
    },
    /** Whether more than `count` administrators are not disabled. */
    async hasMoreAdministratorsThan(count: number) {
      const found = await statements
        .select({ id: users.id })
        .from(users)
        .where(isEnabledAdministrator)
        .limit(count + 1);
      return found.length > count;
    },
    // Of two processes that remove the last two administrators at once, the second waits and sees the first one's
    // change.
    /**
     * Promotes the oldest enabled account when no administrator can log in.
     * Resolves to the user as they are then; undefined when none was needed, or there is none.
     */
    keepAnAdministrator: () =>
      session.transaction(async () => {
        await dialect.lockByName("administrators");
        const [user] = await statements
          .update(users)
          .set({ isAdministrator: true })
          .where(
            sql`id = (select min(id) from ${users} where disabled_at is null and deleted_at is null and pending_since is null) and not exists (select 1 from ${users} where is_administrator and disabled_at is null and deleted_at is null)`,
          )
          .returning();
        return user;
      }),
  };
}
