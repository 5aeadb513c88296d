/**
 * Limiter states in the database. `limiterStates` is the synchronous half, for a decision that is part of a
 * larger transaction; `databaseStore` is the limiter library's `Store` upon it, in transactions of its own.
 *
 * Every write also deletes a few rows whose time has passed, so that the table stays as small as what still
 * matters without any job having to run.
 */
import { and, between, eq, sql } from "drizzle-orm";
import type { Clock, Store, Update } from "../lib/limiter/index.ts";
import type { Connection, Database } from "./index.ts";
import { limiterStates as table } from "./schema.ts";

const expiredRowsDroppedPerSave = 2;
const forGood = Number.MAX_SAFE_INTEGER;
// Other processes wait meanwhile: SQLite has one writer at a time.
const mostUpdatesPerTransaction = 256;

/**
 * A row holds a state and the instant of its expiry, as JSON, and in a column of its own an instant from which the row
 * may go. That is later, by as long as the state had to live when the column was written: the expiry of most states
 * moves with each update, and the index on the column would move with it, a second page in every commit.
 */
export function limiterStates(connection: Connection) {
  const { load, rewrite, write, remove, findExpired } = statements(connection);
  return {
    /** The state under `key`, as it was saved, or undefined when there is none or its time has passed. */
    load(key: string, now: number): unknown {
      const saved = load.get(key);
      return saved === undefined ? undefined : stateIn(saved, now);
    },
    /**
     * Saves a JSON-serialisable state that says something until `expiresAt` (milliseconds), or for good without
     * one; a state that has expired already is removed. What changes the state itself comes last, as one statement:
     * where this throws and the transaction still stands, the state is as it was.
     */
    save(key: string, state: unknown, expiresAt: number | undefined, now: number): void {
      const until = Math.min(expiresAt ?? forGood, forGood);
      const saved = JSON.stringify([state, until]);
      for (const expired of findExpired.all(now)) remove.run(expired);
      if (until <= now) {
        remove.run(key);
        return;
      }
      const later = (lives: number) => Math.min(until + lives * (until - now), forGood);
      if (rewrite.run(saved, key, until, later(2)).changes === 0) write.run(key, saved, later(1));
    },
    remove(key: string): void {
      remove.run(key);
    },
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
  };
}

/** A row that is no such pair is of an earlier version, and its state is taken for none. */
function stateIn(saved: string, now: number): unknown {
  const pair: unknown = JSON.parse(saved);
  if (!Array.isArray(pair)) return undefined;
  const [state, expiresAt]: unknown[] = pair;
  return typeof expiresAt === "number" && expiresAt > now ? state : undefined;
}

/** An update that waits for its transaction. */
type Gathered = {
  /** Runs inside the transaction; what it returns gives the answer out once that is committed. */
  run(): () => void;
  reject(error: unknown): void;
};

/**
 * The limiter library's store upon the database. Updates that are asked for in the same turn of the event loop share one
 * IMMEDIATE transaction, in the order in which they were asked for, and answer when that is committed; those of any
 * number of processes on the same file come one after the other. The clock is read inside the transaction, after the
 * wait for its lock, so that time does not run back from one update to the next.
 *
 * An update whose step throws rejects alone. When the database fails, or stays locked, all that share the transaction
 * reject and nothing of them is saved.
 */
export function databaseStore(
  { limiterStates, transaction, sqlite }: Pick<Database, "limiterStates" | "transaction" | "sqlite">,
  clock: Clock = () => Date.now(),
): Store {
  // Whatever is in here has its flush to come.
  let gathered: Gathered[] = [];

  function gather(update: Gathered): void {
    gathered.push(update);
    // A microtask would come too soon: a server's requests of one turn arrive in callbacks of their own.
    if (gathered.length === 1) setImmediate(flush);
  }

  function flush(): void {
    const updates = gathered.slice(0, mostUpdatesPerTransaction);
    gathered = gathered.slice(mostUpdatesPerTransaction);
    if (gathered.length > 0) setImmediate(flush);
    try {
      const answers = transaction(() => updates.map(({ run }) => run()));
      for (const answer of answers) answer();
    } catch (error) {
      for (const { reject } of updates) reject(error);
    }
  }

  return {
    update<S, R>(
      key: string,
      step: (state: S | undefined, now: number) => Update<S, R>,
      toldNow?: number,
    ): Promise<R> {
      const decide = (): R => {
        const now = toldNow ?? clock();
        // The one cast here: that the state saved under a key is an S, only the caller of `update` can know.
        const { result, next, expiresAt } = step(limiterStates.load(key, now) as S | undefined, now);
        if (next !== undefined) limiterStates.save(key, next, expiresAt, now);
        return result;
      };
      return new Promise((resolve, reject) => {
        const run = () => {
          try {
            const result = decide();
            return () => resolve(result);
          } catch (error) {
            // A failure that SQLite answers by rolling back is everybody's.
            if (!sqlite.inTransaction) throw error;
            return () => reject(error);
          }
        };
        gather({ run, reject });
      });
    },
  };
}
