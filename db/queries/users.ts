import { and, desc, eq, isNotNull, isNull, ne, or, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { UserQueries } from "../types.ts";

const { placeholder } = sql;

export function userQueries({ statements, tables: { users }, session, ...dialect }: Dialect): UserQueries {
  const withId = eq(users.id, placeholder("id"));
  const byId = statements.select().from(users).where(withId).prepare("user by id");
  // Unlike a post's, this lock also keeps out what is new and refers to the user.
  const lock = dialect.locking(statements.select().from(users).where(withId), "update").prepare("lock user");
  const byUsernameKey = statements
    .select()
    .from(users)
    .where(eq(users.usernameKey, placeholder("key")))
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
  const anyUser = statements.select({ id: users.id }).from(users).limit(1).prepare("any user");
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
    lock: async (id) => (await (session.isInTransaction() ? lock : byId).execute({ id }))[0],
    byUsernameKey: async (key) => (await byUsernameKey.execute({ key }))[0],
    emailTaken: async (key) => (await byEmailKey.execute({ key })).length > 0,
    skeletonTaken: async (skeleton) => (await bySkeleton.execute({ skeleton })).length > 0,
    withoutSkeleton: (limit) =>
      statements
        .select({ id: users.id, username: users.username })
        .from(users)
        .where(isNull(users.usernameSkeleton))
        .orderBy(users.id)
        .limit(limit),
    async setSkeleton(id, usernameSkeleton) {
      await statements.update(users).set({ usernameSkeleton }).where(eq(users.id, id));
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
        .where(sql`${users.isModerator}`)
        .orderBy(users.id),
    async hasDeciderBesides(id) {
      const [other] = await statements
        .select({ id: users.id })
        .from(users)
        .where(and(or(users.isAdministrator, users.isModerator), isNull(users.disabledAt), ne(users.id, id)))
        .limit(1);
      return other !== undefined;
    },
    async hasAdministratorBesides(id) {
      if (session.isInTransaction()) await dialect.lockByName("administrators");
      const [other] = await statements
        .select({ id: users.id })
        .from(users)
        .where(and(users.isAdministrator, isNull(users.disabledAt), ne(users.id, id)))
        .limit(1);
      return other !== undefined;
    },
    newestId: async () => (await newest.execute())[0]?.id ?? 0,
    all: () => statements.select().from(users).orderBy(users.id),
    pending: (limit) =>
      statements
        .select()
        .from(users)
        .where(isNotNull(users.pendingSince))
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
          sql`update ${users} set is_administrator = true where id = (select min(id) from ${users} where disabled_at is null and pending_since is null) and not exists (select 1 from ${users} where is_administrator and disabled_at is null)`,
        );
      }),
    remove: (id) =>
      session.longTransaction(async () => {
        await statements.delete(users).where(eq(users.id, id));
      }),
  };
}
