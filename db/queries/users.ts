import { and, count, desc, eq, isNotNull, isNull, ne, or, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { UserQueries } from "../types.ts";

const { placeholder } = sql;

export function userQueries({
  statements,
  tables: { ratings, removals, users },
  session,
  ...dialect
}: Dialect): UserQueries {
  const isThere = isNull(users.deletedAt);
  const withId = and(eq(users.id, placeholder("id")), isThere);
  const byId = statements.select().from(users).where(withId).prepare("user by id");
  const selectActive = () =>
    statements
      .select({ registeredAt: users.createdAt })
      .from(users)
      .where(and(withId, isNull(users.disabledAt)));
  const active = selectActive().prepare("active user");
  // Excludes what would delete or disable the user.
  const lockActive = dialect.locking(selectActive(), "key share").prepare("lock active user");
  // Unlike a post's, this lock also keeps out what is new and refers to the user.
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
    .where(eq(users.usernameSkeleton, placeholder("skeleton")))
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
    .orderBy(desc(users.id))
    .limit(1)
    .prepare("newest user");
  const nextSessionVersion = sql`${users.sessionVersion} + 1`;

  async function isEmpty(): Promise<boolean> {
    return (await anyUser.execute()).length === 0;
  }

  return {
    byId: async (id) => (await byId.execute({ id }))[0],
    registeredAt: async (id) => (await registration.execute({ id }))[0]?.registeredAt,
    lock: async (id) => (await (session.isInTransaction() ? lock : byId).execute({ id }))[0],
    active: async (id) => (await (session.isInTransaction() ? lockActive : active).execute({ id }))[0],
    byUsernameKey: async (key) => (await byUsernameKey.execute({ key }))[0],
    emailTaken: async (key) => (await byEmailKey.execute({ key })).length > 0,
    skeletonTaken: async (skeleton) => (await bySkeleton.execute({ skeleton })).length > 0,
    withoutSkeleton: (limit) =>
      statements
        .select({ id: users.id, username: users.username })
        .from(users)
        .where(and(isNull(users.usernameSkeleton), isThere))
        .orderBy(users.id)
        .limit(limit),
    async setSkeleton(id, usernameSkeleton) {
      // Of two nodes that compute it at once, the second waits, and would take the first one's for a lookalike.
      await statements
        .update(users)
        .set({ usernameSkeleton })
        .where(and(eq(users.id, id), isNull(users.usernameSkeleton)));
    },
    async isFirst() {
      if (!session.isInTransaction()) return isEmpty();
      // The removal of the last administrator and a first registration wait for one another: each must see the other.
      await dialect.lockByName("administrators, shared");
      if (!(await isEmpty())) return false;
      await dialect.lockByName("first user");
      return isEmpty();
    },
    async insert(user) {
      const [row] = await statements.insert(users).values(user).returning({ id: users.id });
      if (!row) throw new Error("A row that was inserted is returned");
      return row.id;
    },
    async setPasswordAndEndSessions(id, passwordHash) {
      await statements
        .update(users)
        .set({ passwordHash, sessionVersion: nextSessionVersion })
        .where(eq(users.id, id));
    },
    async endSessions(id) {
      await statements.update(users).set({ sessionVersion: nextSessionVersion }).where(eq(users.id, id));
    },
    async setDisabledAt(id, disabledAt) {
      await statements.update(users).set({ disabledAt }).where(eq(users.id, id));
    },
    async setAdministrator(id, isAdministrator) {
      await statements
        .update(users)
        .set({ isAdministrator, ...(isAdministrator && { pendingSince: null }) })
        .where(eq(users.id, id));
    },
    async setModerator(id, isModerator) {
      await statements.update(users).set({ isModerator }).where(eq(users.id, id));
    },
    moderators: () =>
      statements
        .select({ username: users.username })
        .from(users)
        .where(and(users.isModerator, isThere))
        .orderBy(users.id),
    async hasDeciderBesides(id) {
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
    async hasAdministratorBesides(id) {
      if (session.isInTransaction()) await dialect.lockByName("administrators");
      const [other] = await statements
        .select({ id: users.id })
        .from(users)
        .where(and(users.isAdministrator, isNull(users.disabledAt), isThere, ne(users.id, id)))
        .limit(1);
      return other !== undefined;
    },
    newestId: async () => (await newest.execute())[0]?.id ?? 0,
    all: () => statements.select().from(users).where(isThere).orderBy(users.id),
    pending: (limit) =>
      statements
        .select()
        .from(users)
        .where(and(isThere, isNotNull(users.pendingSince)))
        .orderBy(users.pendingSince, users.id)
        .limit(limit),
    async approve(id) {
      await statements.update(users).set({ pendingSince: null }).where(eq(users.id, id));
    },
    // Of two processes that remove the last two administrators at once, the second waits and sees what the first did.
    keepAnAdministrator: () =>
      session.transaction(async () => {
        await dialect.lockByName("administrators");
        await dialect.execute(
          sql`update ${users} set is_administrator = true where id = (select min(id) from ${users} where disabled_at is null and deleted_at is null and pending_since is null) and not exists (select 1 from ${users} where is_administrator and disabled_at is null and deleted_at is null)`,
        );
      }),
    async markDeleted(id, now) {
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
          deletedAt: now,
          changeId: null,
          sessionVersion: nextSessionVersion,
        })
        .where(eq(users.id, id));
      const [counted] = await statements
        .select({ count: count() })
        .from(ratings)
        .where(eq(ratings.userId, id));
      const removal = { kind: "account", subjectId: id, startedAt: now } as const;
      await statements.insert(removals).values({ ...removal, ratings: counted?.count ?? 0 });
    },
    async remove(id) {
      await statements.delete(users).where(eq(users.id, id));
    },
  };
}
