// Over 200 lines: all queries of users share their columns and conditions.

import { and, count, desc, eq, gte, inArray, isNotNull, isNull, lt, lte, ne, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tables } from "../schema/index.ts";
import { pendingUserQueries } from "./pending-users.ts";
import { userRoleQueries } from "./user-roles.ts";
import { userSearchQueries } from "./user-search.ts";
import { type Skeletons, usernameSkeletonQueries } from "./username-skeletons.ts";

const { placeholder } = sql;

export type UserRow = Tables["users"]["$inferSelect"];

export type NewUser = Pick<
  UserRow,
  "username" | "usernameKey" | "email" | "emailKey" | "passwordHash" | "isAdministrator" | "createdAt"
> &
  Partial<Skeletons> & {
    pendingSince?: number;
    pendingNetwork?: string;
    isWriter?: boolean;
    emailConfirmedAt?: number;
    mustConfirmEmail?: boolean;
  };

/** Users who are deleted are found by none of these. */
export function userQueries(dialect: Dialect) {
  const {
    statements,
    tables: { emailChanges, mailLinks, mails, ratings, removals, sessions, subscribers, users },
    session,
  } = dialect;
  const isThere = isNull(users.deletedAt);
  const withId = and(eq(users.id, placeholder("id")), isThere);
  const byId = statements.select().from(users).where(withId).prepare("user by id");
  const selectActive = () =>
    statements
      .select({ registeredAt: users.createdAt })
      .from(users)
      .where(and(withId, isNull(users.disabledAt)));
  const active = selectActive().prepare("active user");
  // Excludes transactions that would delete or disable the user.
  const lockActive = dialect.locking(selectActive(), "key share").prepare("lock active user");
  // Unlike a post's, this lock also keeps out new rows that refer to the user.
  const lock = dialect.locking(statements.select().from(users).where(withId), "update").prepare("lock user");
  const byUsernameKey = statements
    .select()
    .from(users)
    .where(and(eq(users.usernameKey, placeholder("key")), isThere))
    .prepare("user by username");
  const byEmailKey = statements
    .select({ id: users.id })
    .from(users)
    .where(eq(users.emailKey, placeholder("key")))
    .prepare("user by email");
  const registration = statements
    .select({ registeredAt: users.createdAt })
    .from(users)
    .where(eq(users.id, placeholder("id")))
    .prepare("registration of user");
  const anyUser = statements.select({ id: users.id }).from(users).where(isThere).limit(1).prepare("any user");
  const newest = statements
    .select({ id: users.id })
    .from(users)
    .where(lte(users.createdAt, placeholder("at")))
    .orderBy(desc(users.id))
    .limit(1)
    .prepare("newest user");

  async function endSessions(ids: readonly number[]): Promise<void> {
    // During an upgrade, nodes of the version without `sessions` end theirs by this number.
    const sessionVersion = sql`${users.sessionVersion} + 1`;
    await statements
      .update(users)
      .set({ sessionVersion })
      .where(inArray(users.id, [...ids]));
    await statements.delete(sessions).where(inArray(sessions.userId, [...ids]));
  }

  /**
   * Withdraws links that were mailed, and requests of links that are not sent yet.
   * Links that restore a former address stay: a person who took the account over must not withdraw them.
   */
  async function withdrawLinks(ids: readonly number[]): Promise<void> {
    const addressKeys = statements
      .select({ key: users.emailKey })
      .from(users)
      .where(inArray(users.id, [...ids]));
    await statements
      .delete(mails)
      .where(
        and(eq(mails.kind, "password-reset"), isNotNull(mails.dueAt), inArray(mails.addressKey, addressKeys)),
      );
    await statements
      .delete(mailLinks)
      .where(and(inArray(mailLinks.userId, [...ids]), ne(mailLinks.kind, "restore-email")));
    await statements.delete(emailChanges).where(inArray(emailChanges.userId, [...ids]));
  }

  async function isEmpty(): Promise<boolean> {
    return (await anyUser.execute()).length === 0;
  }

  return {
    ...pendingUserQueries(dialect),
    ...userRoleQueries(dialect),
    ...userSearchQueries(dialect),
    ...usernameSkeletonQueries(dialect),
    byId: async (id: number) => (await byId.execute({ id }))[0],
    /** When a user registered; undefined when there is no such user. */
    registeredAt: async (id: number) => (await registration.execute({ id }))[0]?.registeredAt,
    /**
     * As `byId`.
     * In a transaction, locks the user, and rows that refer to the user, until it ends.
     */
    lock: async (id: number) => (await (session.isInTransaction() ? lock : byId).execute({ id }))[0],
    /**
     * A user who may act.
     * In a transaction, the user is not deleted or disabled before it ends.
     */
    active: async (id: number) =>
      (await (session.isInTransaction() ? lockActive : active).execute({ id }))[0],
    /**
     * Locks these users, as `lock` does, in the order of registration.
     * Leaves out those that are gone.
     */
    lockAll: (ids: readonly number[]) =>
      dialect.locking(
        statements
          .select()
          .from(users)
          .where(and(inArray(users.id, [...ids]), isThere))
          .orderBy(users.id),
        "update",
      ),
    byUsernameKeys: (keys: readonly string[]) =>
      statements
        .select()
        .from(users)
        .where(and(inArray(users.usernameKey, [...keys]), isThere))
        .orderBy(users.id),
    /**
     * The users who registered from a moment on and before another.
     * At most `limit`.
     */
    registeredBetween: (from: number, before: number, limit: number) =>
      statements
        .select()
        .from(users)
        .where(and(gte(users.createdAt, from), lt(users.createdAt, before), isThere))
        .orderBy(users.id)
        .limit(limit),
    byUsernameKey: async (key: string) => (await byUsernameKey.execute({ key }))[0],
    /** The user with an email address, in comparison form. */
    byEmailKey: async (key: string) =>
      (
        await statements
          .select()
          .from(users)
          .where(and(eq(users.emailKey, key), isThere))
      )[0],
    emailTaken: async (key: string) => (await byEmailKey.execute({ key })).length > 0,
    /**
     * Whether no user exists yet.
     * In a transaction, no other user registers first, or removes the last administrator, before it ends.
     */
    async isFirst() {
      if (!session.isInTransaction()) return isEmpty();
      // The removal of the last administrator and a first registration wait for one another: each must see the other.
      await dialect.lockByName("administrators, shared");
      if (!(await isEmpty())) return false;
      await dialect.lockByName("first user");
      return isEmpty();
    },
    /** Rejects when the username or the email is taken. Resolves to the new user's id. */
    async insert(user: NewUser) {
      const [row] = await statements.insert(users).values(user).returning({ id: users.id });
      if (!row) throw new Error("A row that was inserted is returned");
      return row.id;
    },
    /**
     * Sets a password, ends the user's sessions and withdraws the links.
     * These, and requests of links that wait, would undo the change.
     */
    async setPasswordAndEndSessions(id: number, passwordHash: string) {
      await statements.update(users).set({ passwordHash }).where(eq(users.id, id));
      await withdrawLinks([id]);
      await endSessions([id]);
    },
    /** Notes that the owner has opened a link that was sent to the address. */
    async confirmEmail(id: number, now: number) {
      await statements
        .update(users)
        .set({ emailConfirmedAt: now, mustConfirmEmail: false })
        .where(eq(users.id, id));
    },
    /**
     * Changes the address to another one, which its owner has confirmed.
     * Withdraws the links that were sent to the old one. Rejects when the address is taken.
     */
    async changeEmail(id: number, address: { email: string; emailKey: string }, now: number) {
      await withdrawLinks([id]);
      await statements
        .update(users)
        .set({ ...address, emailConfirmedAt: now, mustConfirmEmail: false })
        .where(eq(users.id, id));
    },
    endSessions: (id: number) => endSessions([id]),
    /**
     * Disables users, or enables them.
     * To disable also ends their sessions and withdraws their links, as a new password does.
     */
    async setAllDisabledAt(ids: readonly number[], disabledAt: number | null) {
      await statements
        .update(users)
        .set({ disabledAt })
        .where(inArray(users.id, [...ids]));
      if (disabledAt === null) return;
      await withdrawLinks(ids);
      await endSessions(ids);
    },
    async setDisabledAt(id: number, disabledAt: number | null) {
      await statements.update(users).set({ disabledAt }).where(eq(users.id, id));
    },
    /**
     * The number of the last account made by a moment, about how many there were.
     * 0 when there was none. Reads the accounts that are younger.
     */
    newestId: async (at: number) => (await newest.execute({ at }))[0]?.id ?? 0,
    /** All users, in the order in which they registered. */
    all: () => statements.select().from(users).where(isThere).orderBy(users.id),
    /**
     * Deletes a user at once for all readers, and erases name and email.
     * The user's rows are left to `removals`. Call it in a transaction, after `lock`.
     */
    async markDeleted(id: number, now: number) {
      // With a space, which no username or address has, the keys are free for others.
      const gone = `deleted ${id}`;
      await withdrawLinks([id]); // by the address, which is erased next
      await statements.delete(mailLinks).where(eq(mailLinks.userId, id));
      const confirmedKey = statements
        .select({ key: users.emailKey })
        .from(users)
        .where(and(eq(users.id, id), isNotNull(users.emailConfirmedAt)));
      await statements.delete(subscribers).where(inArray(subscribers.emailKey, confirmedKey));
      const erased = { username: "", usernameKey: gone, email: "", emailKey: gone, passwordHash: "" };
      await statements
        .update(users)
        .set({
          ...erased,
          isAdministrator: false,
          isModerator: false,
          usernameSkeleton: gone,
          lowerCaseSkeleton: gone,
          deletedAt: now,
          changeId: null,
        })
        .where(eq(users.id, id));
      await endSessions([id]);
      const [counted] = await statements
        .select({ count: count() })
        .from(ratings)
        .where(eq(ratings.userId, id));
      const removal = { kind: "account", subjectId: id, startedAt: now } as const;
      await statements.insert(removals).values({ ...removal, ratings: counted?.count ?? 0 });
    },
    /** Removes the row of a user whose posts and ratings are removed. */
    async remove(id: number) {
      await statements.delete(users).where(eq(users.id, id));
    },
  };
}
