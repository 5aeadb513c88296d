import { and, eq, isNull, ne, sql } from "drizzle-orm";
import type { UserQueries } from "../../../types.ts";
import { lockAdministrators, lockAdministratorsShared, lockFirstUser } from "../locks.ts";
import { users } from "../schema.ts";
import type { Session } from "../session.ts";
import type { Statements } from "../statements.ts";

const { placeholder } = sql;

export function userQueries(statements: Statements, session: Session): UserQueries {
  const withId = eq(users.id, placeholder("id"));
  const byId = statements.select().from(users).where(withId).prepare("user by id");
  // Unlike a post's, this lock also keeps out what is new and refers to the user.
  const lock = statements.select().from(users).where(withId).for("update").prepare("lock user");
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
  const anyone = statements.select({ id: users.id }).from(users).limit(1).prepare("any user");
  const nextSessionVersion = sql`${users.sessionVersion} + 1`;

  async function isNobodyThere(): Promise<boolean> {
    return (await anyone.execute()).length === 0;
  }

  return {
    byId: async (id) => (await byId.execute({ id }))[0],
    lock: async (id) => (await (session.isInTransaction() ? lock : byId).execute({ id }))[0],
    byUsernameKey: async (key) => (await byUsernameKey.execute({ key }))[0],
    emailTaken: async (key) => (await byEmailKey.execute({ key })).length > 0,
    async isFirst() {
      if (!session.isInTransaction()) return isNobodyThere();
      // Who leaves as the last administrator waits for who is new, or the other way round: else neither would see the other.
      await statements.execute(lockAdministratorsShared);
      if (!(await isNobodyThere())) return false;
      await statements.execute(lockFirstUser);
      return isNobodyThere();
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
      await statements.update(users).set({ isAdministrator }).where(eq(users.id, id));
    },
    async hasAdministratorBesides(id) {
      if (session.isInTransaction()) await statements.execute(lockAdministrators);
      const [other] = await statements
        .select({ id: users.id })
        .from(users)
        .where(and(users.isAdministrator, isNull(users.disabledAt), ne(users.id, id)))
        .limit(1);
      return other !== undefined;
    },
    all: () => statements.select().from(users).orderBy(users.id),
    // Two who remove the last two administrators at once: the second waits, and sees what the first did.
    keepAnAdministrator: () =>
      session.transaction(async () => {
        await statements.execute(lockAdministrators);
        await statements.execute(
          sql`update ${users} set is_administrator = true where id = (select min(id) from ${users} where disabled_at is null) and not exists (select 1 from ${users} where is_administrator and disabled_at is null)`,
        );
      }),
    remove: (id) =>
      session.longTransaction(async () => {
        await statements.delete(users).where(eq(users.id, id));
      }),
  };
}
