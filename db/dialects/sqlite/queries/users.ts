import { and, eq, isNull, ne, sql } from "drizzle-orm";
import type { NewUser, Synchronous, UserQueries } from "../../../types.ts";
import type { Connection } from "../index.ts";
import { users } from "../schema.ts";

const { placeholder } = sql;

export function userQueries(connection: Connection): Synchronous<UserQueries> {
  const withId = eq(users.id, placeholder("id"));
  const byId = connection.select().from(users).where(withId).prepare();
  const byUsernameKey = connection
    .select()
    .from(users)
    .where(eq(users.usernameKey, placeholder("key")))
    .prepare();
  const byEmailKey = connection
    .select({ id: users.id })
    .from(users)
    .where(eq(users.emailKey, placeholder("key")))
    .prepare();
  const anyone = connection.select({ id: users.id }).from(users).limit(1).prepare();
  const nextSessionVersion = sql`${users.sessionVersion} + 1`;
  return {
    byId: (id: number) => byId.get({ id }),
    // Whoever writes is alone.
    lock: (id: number) => byId.get({ id }),
    byUsernameKey: (key: string) => byUsernameKey.get({ key }),
    emailTaken: (key: string) => byEmailKey.get({ key }) !== undefined,
    isFirst: () => anyone.get() === undefined,
    insert: (user: NewUser) => connection.insert(users).values(user).returning({ id: users.id }).get().id,
    setPasswordAndEndSessions(id: number, passwordHash: string) {
      connection
        .update(users)
        .set({ passwordHash, sessionVersion: nextSessionVersion })
        .where(eq(users.id, id))
        .run();
    },
    endSessions(id: number) {
      connection.update(users).set({ sessionVersion: nextSessionVersion }).where(eq(users.id, id)).run();
    },
    setDisabledAt(id: number, disabledAt: number | null) {
      connection.update(users).set({ disabledAt }).where(eq(users.id, id)).run();
    },
    setAdministrator(id: number, isAdministrator: boolean) {
      connection.update(users).set({ isAdministrator }).where(eq(users.id, id)).run();
    },
    hasAdministratorBesides: (id: number) =>
      connection
        .select({ id: users.id })
        .from(users)
        .where(and(users.isAdministrator, isNull(users.disabledAt), ne(users.id, id)))
        .get() !== undefined,
    all: () => connection.select().from(users).orderBy(users.id).all(),
    keepAnAdministrator() {
      connection.run(
        sql`update ${users} set is_administrator = true where id = (select min(id) from ${users} where disabled_at is null) and not exists (select 1 from ${users} where is_administrator and disabled_at is null)`,
      );
    },
    remove(id: number) {
      connection.delete(users).where(eq(users.id, id)).run();
    },
  };
}
