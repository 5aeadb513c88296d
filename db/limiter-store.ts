/**
 * Limiter states in the database. `limiterStates` is the synchronous half, for a decision that is part of a
 * larger transaction; `databaseStore` is the limiter library's `Store` upon it, each update a transaction of its
 * own.
 *
 * Every write also deletes a few rows whose time has passed, so that the table stays as small as what still
 * matters without any job having to run.
 */
import { eq, sql } from "drizzle-orm";
import type { Clock, Store, Update } from "../lib/limiter/index.ts";
import type { Connection, Database } from "./index.ts";
import { limiterStates as table } from "./schema.ts";

const expiredRowsDroppedPerSave = 2;

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
    /**
     * Saves a JSON-serialisable state that says something until `expiresAt` (milliseconds), or for good without
     * one; a state that has expired already is removed.
     */
    save(key: string, state: unknown, expiresAt: number | undefined, now: number): void {
      if (expiresAt !== undefined && expiresAt <= now) remove.run({ key });
      else save.run({ key, state: JSON.stringify(state), expiresAt: expiresAt ?? Number.MAX_SAFE_INTEGER });
      dropExpired.run({ now });
    },
    remove(key: string): void {
      remove.run({ key });
    },
  };
}

/**
 * The limiter library's store upon the database. Each update is one IMMEDIATE transaction, so updates of any number
 * of processes on the same file come one after the other. It rejects when the database fails, or stays locked.
 */
export function databaseStore(
  { limiterStates, transaction }: Pick<Database, "limiterStates" | "transaction">,
  clock: Clock = () => Date.now(),
): Store {
  return {
    async update<S, R>(
      key: string,
      step: (state: S | undefined, now: number) => Update<S, R>,
      now: number = clock(),
    ): Promise<R> {
      return transaction(() => {
        // The one cast here: that the state saved under a key is an S, only the caller of `update` can know.
        const { result, next, expiresAt } = step(limiterStates.load(key, now) as S | undefined, now);
        if (next !== undefined) limiterStates.save(key, next, expiresAt, now);
        return result;
      });
    },
  };
}
