/**
 * Limiter states in the database. `limiterStates` is the synchronous half, for a decision that is part of a
 * larger transaction; `databaseStore` is the limiter library's `Store` upon it, each update a transaction of its
 * own.
 *
 * Every write also deletes a few rows whose time has passed, so that the table stays as small as what still
 * matters without any job having to run.
 */
import { eq, sql } from "drizzle-orm";
import type { Store } from "../lib/limiter/index.ts";
import type { Connection, Database } from "./index.ts";
import { limiterStates as table } from "./schema.ts";

const expiredRowsDroppedPerSave = 2;

export type LimiterStates = ReturnType<typeof limiterStates>;

export function limiterStates(connection: Connection) {
  const load = connection
    .select({ state: table.state, expiresAt: table.expiresAt })
    .from(table)
    .where(eq(table.key, sql.placeholder("key")))
    .prepare();
  const save = connection
    .insert(table)
    .values({
      key: sql.placeholder("key"),
      state: sql.placeholder("state"),
      expiresAt: sql.placeholder("expiresAt"),
    })
    .onConflictDoUpdate({
      target: table.key,
      set: { state: sql`excluded.state`, expiresAt: sql`excluded.expires_at` },
    })
    .prepare();
  const remove = connection
    .delete(table)
    .where(eq(table.key, sql.placeholder("key")))
    .prepare();
  const dropExpired = connection
    .delete(table)
    .where(
      sql`${table.key} in (select ${table.key} from ${table} where ${table.expiresAt} <= ${sql.placeholder("now")} limit ${sql.raw(String(expiredRowsDroppedPerSave))})`,
    )
    .prepare();
  return {
    /** The state under `key`, as it was saved, or undefined when there is none or its time has passed. */
    load(key: string, now: number): unknown {
      const row = load.get({ key });
      return row && row.expiresAt > now ? JSON.parse(row.state) : undefined;
    },
    /** Saves a JSON-serialisable state that says something until `expiresAt` (milliseconds). */
    save(key: string, state: unknown, expiresAt: number, now: number): void {
      save.run({ key, state: JSON.stringify(state), expiresAt });
      dropExpired.run({ now });
    },
    remove(key: string): void {
      remove.run({ key });
    },
  };
}
