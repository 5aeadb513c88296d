/**
 * Limiter states in SQLite. Every write also deletes a few rows whose time has passed, so that the table stays as small
 * as what still matters without any job having to run.
 */
import { and, between, eq, sql } from "drizzle-orm";
import type { LimiterStateQueries, LimiterStateToSave, Synchronous } from "../../types.ts";
import type { Connection } from "./index.ts";
import { limiterStates as table } from "./schema.ts";

const expiredRowsDroppedPerSave = 2;
const forGood = Number.MAX_SAFE_INTEGER;

/**
 * A row holds a state and the instant of its expiry, as JSON, and in a column of its own an instant from which the row
 * may go. That is later, by as long as the state had to live when the column was written: the expiry of most states
 * moves with each update, and the index on the column would move with it, a second page in every commit.
 */
export function limiterStates(connection: Connection): Synchronous<LimiterStateQueries> {
  const { load, rewrite, write, remove, findExpired, removeExpired } = statements(connection);

  /** What changes the state itself comes last, as one statement: where this throws, the state is as it was. */
  function save({ key, state, expiresAt = forGood }: LimiterStateToSave, now: number): void {
    const until = Math.min(expiresAt, forGood);
    const saved = JSON.stringify([state, until]);
    for (const expired of findExpired.all(now)) remove.run(expired);
    if (until <= now) {
      remove.run(key);
      return;
    }
    const later = (lives: number) => Math.min(until + lives * (until - now), forGood);
    if (rewrite.run(saved, key, until, later(2)).changes === 0) write.run(key, saved, later(1));
  }

  return {
    load: (keys, now) =>
      keys.map((key) => {
        const saved = load.get(key);
        return saved === undefined ? undefined : stateIn(saved, now);
      }),
    save(states, now) {
      for (const state of states) save(state, now);
    },
    remove(keys) {
      for (const key of keys) remove.run(key);
    },
    removeExpired: (now, limit) => removeExpired.run(now, limit).changes,
  };
}

/** Drizzle writes the statements and the driver fills them in: that takes Drizzle longer than SQLite takes to run them. */
function statements(connection: Connection) {
  const value = sql.placeholder("value");
  const hasKey = eq(table.key, value);
  const prepare = <Values extends unknown[], Row = unknown>(query: { toSQL(): { sql: string } }) =>
    connection.$client.prepare<Values, Row>(query.toSQL().sql);
  return {
    load: prepare<[key: string], string>(
      connection.select({ saved: table.state }).from(table).where(hasKey),
    ).pluck(),
    /** Leaves the column of the expiry as it is, or does nothing where that is out of bounds. */
    rewrite: prepare<[saved: string, key: string, earliest: number, latest: number]>(
      connection
        .update(table)
        .set({ state: sql`${value}` })
        .where(and(hasKey, between(table.expiresAt, value, value))),
    ),
    write: prepare<[key: string, saved: string, expiresAt: number]>(
      connection
        .insert(table)
        .values({ key: value, state: value, expiresAt: value })
        .onConflictDoUpdate({
          target: table.key,
          set: { state: sql`excluded.state`, expiresAt: sql`excluded.expires_at` },
        }),
    ),
    remove: prepare<[key: string]>(connection.delete(table).where(hasKey)),
    // As a value, the limit would have SQLite plan the statement anew each time.
    findExpired: prepare<[now: number], string>(
      connection
        .select({ key: table.key })
        .from(table)
        .where(sql`${table.expiresAt} <= ${value} limit ${sql.raw(String(expiredRowsDroppedPerSave))}`),
    ).pluck(),
    removeExpired: prepare<[now: number, limit: number]>(
      connection
        .delete(table)
        .where(
          sql`${table.key} in (select ${table.key} from ${table} where ${table.expiresAt} <= ${value} limit ${value})`,
        ),
    ),
  };
}

/** A row that is no such pair is of an earlier version, and its state is taken for none. */
function stateIn(saved: string, now: number): unknown {
  const pair: unknown = JSON.parse(saved);
  if (!Array.isArray(pair)) return undefined;
  const [state, expiresAt]: unknown[] = pair;
  return typeof expiresAt === "number" && expiresAt > now ? state : undefined;
}
