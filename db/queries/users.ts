import { and, count, desc, eq, gte, inArray, isNotNull, isNull, lt, lte, ne, or, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tables } from "../schema/index.ts";

const { placeholder } = sql;

export type UserRow = Tables["users"]["$inferSelect"];

export type NewUser = Pick<
  UserRow,
  "username" | "usernameKey" | "email" | "emailKey" | "passwordHash" | "isAdministrator" | "createdAt"
> &
  Partial<Skeletons> & { pendingSince?: number; pendingNetwork?: string };

/** A username's skeletons, as written and in lower case (lib/users/usernames.ts). */
export interface Skeletons {
  usernameSkeleton: string;
  lowerCaseSkeleton: string;
}

/** Which of the users who wait for approval. */
export interface PendingFilter {
  /** Part of the username or the email, in comparison form. */
  search?: string | undefined;
  /** The hash of their network. */
  network?: string | undefined;
}

/** Users who are deleted are found by none of these. */
export function userQueries({
  statements,
  tables: { ratings, removals, sessions, users },
  session,
  ...dialect
}: Dialect) {
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
  const bySkeleton = statements
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        or(
          eq(users.usernameSkeleton, placeholder("skeleton")),
          eq(users.lowerCaseSkeleton, placeholder("skeleton")),
        ),
        ne(users.id, placeholder("exceptUserId")),
      ),
    )
    .prepare("user by skeleton");
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
  const approved = { pendingSince: null, pendingNetwork: null };

  function isPending({ search, network }: PendingFilter) {
    const pattern = search && `%${search.replace(/[\\%_]/g, "\\$&")}%`;
    return and(
      isThere,
      isNotNull(users.pendingSince),
      network === undefined ? undefined : eq(users.pendingNetwork, network),
      pattern
        ? sql`(${users.usernameKey} like ${pattern} escape '\\' or ${users.emailKey} like ${pattern} escape '\\')`
        : undefined,
    );
  }

  async function endSessions(ids: readonly number[]): Promise<void> {
    // During an upgrade, nodes of the version without `sessions` end theirs by this number.
    const sessionVersion = sql`${users.sessionVersion} + 1`;
    await statements
      .update(users)
      .set({ sessionVersion })
      .where(inArray(users.id, [...ids]));
    await statements.delete(sessions).where(inArray(sessions.userId, [...ids]));
  }

  async function isEmpty(): Promise<boolean> {
    return (await anyUser.execute()).length === 0;
  }

  return {
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
    emailTaken: async (key: string) => (await byEmailKey.execute({ key })).length > 0,
    /** Whether another user's name has this skeleton, as written or in lower case. */
    skeletonTaken: async (skeleton: string, exceptUserId = 0) =>
      (await bySkeleton.execute({ skeleton, exceptUserId })).length > 0,
    /** Locks the choice of a name with one of these skeletons for the transaction. */
    async lockSkeletons({ usernameSkeleton, lowerCaseSkeleton }: Skeletons) {
      // Sorted: two transactions that share both must not wait for each other.
      for (const skeleton of [...new Set([usernameSkeleton, lowerCaseSkeleton])].toSorted())
        await dialect.lockByText(`skeleton ${skeleton}`);
    },
    /** Users whose skeletons have not been computed, the oldest first. */
    withoutSkeleton: (limit: number) =>
      statements
        .select({ id: users.id, username: users.username })
        .from(users)
        .where(and(isNull(users.lowerCaseSkeleton), isThere))
        .orderBy(users.id)
        .limit(limit),
    /**
     * Sets missing skeletons; existing ones stay.
     * Rejects when another user has one of them.
     */
    async setSkeletons(id: number, skeletons: Skeletons) {
      // Of two nodes that compute it at once, the second waits, and would take the first one's for a lookalike.
      await statements
        .update(users)
        .set(skeletons)
        .where(and(eq(users.id, id), isNull(users.lowerCaseSkeleton)));
    },
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
    async setPasswordAndEndSessions(id: number, passwordHash: string) {
      await statements.update(users).set({ passwordHash }).where(eq(users.id, id));
      await endSessions([id]);
    },
    endSessions: (id: number) => endSessions([id]),
    /** Disables users and ends their sessions, or enables them. */
    async setAllDisabledAt(ids: readonly number[], disabledAt: number | null) {
      await statements
        .update(users)
        .set({ disabledAt })
        .where(inArray(users.id, [...ids]));
      if (disabledAt !== null) await endSessions(ids);
    },
    async setDisabledAt(id: number, disabledAt: number | null) {
      await statements.update(users).set({ disabledAt }).where(eq(users.id, id));
    },
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
    /** All moderators, in the order in which they registered. */
    moderators: () =>
      statements
        .select({ username: users.username })
        .from(users)
        .where(and(users.isModerator, isThere))
        .orderBy(users.id),
    /** Whether any other user is an administrator or moderator, and not disabled. */
    async hasOtherDecider(id: number) {
      const [other] = await statements
        .select({ id: users.id })
        .from(users)
        .where(
          and(
            or(users.isAdministrator, users.isModerator),
            isNull(users.disabledAt),
            isThere,
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
        .where(and(users.isAdministrator, isNull(users.disabledAt), isThere, ne(users.id, id)))
        .limit(1);
      return other !== undefined;
    },
    /**
     * The number of the last account made by a moment, about how many there were.
     * 0 when there was none. Reads the accounts that are younger.
     */
    newestId: async (at: number) => (await newest.execute({ at }))[0]?.id ?? 0,
    /** All users, in the order in which they registered. */
    all: () => statements.select().from(users).where(isThere).orderBy(users.id),
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
    /**
     * Deletes a user at once for all readers, and erases name and email.
     * The user's rows are left to `removals`. Call it in a transaction, after `lock`.
     */
    async markDeleted(id: number, now: number) {
      // With a space, which no username or address has, the keys are free for others.
      const gone = `deleted ${id}`;
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
