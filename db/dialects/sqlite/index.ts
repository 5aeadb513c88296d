/**
 * SQLite: one file, one connection per process. Every write transaction begins IMMEDIATE: one that begins by reading
 * and then writes would otherwise fail at once when another process writes in between. `synchronous = FULL` makes a
 * commit durable before it is answered.
 *
 * SQLite itself answers at once. Only a transaction takes more than one step, and whoever asks meanwhile waits.
 */
import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import Sqlite from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import type { Database } from "../../types.ts";
import { limiterStates } from "./limiter-states.ts";
import { migrate, migrationsFolder } from "./migrate.ts";
import { apiTokenQueries } from "./queries/api-tokens.ts";
import { attemptQueries } from "./queries/attempts.ts";
import { floodWindowQueries } from "./queries/flood-windows.ts";
import { operationQueries } from "./queries/operations.ts";
import { postQueries } from "./queries/posts.ts";
import { ratingQueries } from "./queries/ratings.ts";
import { tallyQueries } from "./queries/tallies.ts";
import { userQueries } from "./queries/users.ts";
import { busyTimeoutMs, turnsUpon } from "./turns.ts";

const unavailableCodes = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)/;

/** Whether an error says that the file cannot be used just now: locked, full, read-only, or its disk gone. */
export function isSqliteUnavailable(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && unavailableCodes.test(error.code);
}

/** What the query modules build upon. */
export type Connection = ReturnType<typeof connect>["connection"];

export interface SqliteDatabase extends Database {
  /** The connection itself, for checks and tools that ask what the app does not. */
  sqlite: Sqlite.Database;
}

/** The file behind a `file:` address, as an absolute path. */
export function databaseFile(url: string): string {
  return resolve(/* turbopackIgnore: true */ url.replace(/^file:(\/\/)?/, ""));
}

/**
 * Opens the database at a `file:` address, creating the file and its folder when absent, and brings its tables up
 * to date. Throws when the file cannot be opened or is not a database.
 */
export function openSqlite(url: string): SqliteDatabase {
  const { sqlite, connection } = connect(databaseFile(url));
  const { transaction, ask, inTurns } = turnsUpon(sqlite);
  const ping = sqlite.prepare("select 1 from sqlite_schema");
  return {
    users: inTurns(userQueries(connection)),
    posts: inTurns(postQueries(connection)),
    ratings: inTurns(ratingQueries(connection)),
    tallies: inTurns(tallyQueries(connection)),
    floodWindows: inTurns(floodWindowQueries(connection)),
    attempts: inTurns(attemptQueries(connection)),
    limiterStates: inTurns(limiterStates(connection)),
    apiTokens: inTurns(apiTokenQueries(connection)),
    operations: inTurns(operationQueries(connection)),
    transaction: (work) => transaction(work),
    transactionNow: (work) => transaction(work, { waits: false }),
    ping: () => ask(() => void ping.get()),
    close: () => ask(() => void sqlite.close()),
    sqlite,
  };
}

function connect(file: string) {
  mkdirSync(dirname(file), { recursive: true });
  const sqlite = new Sqlite(file, { timeout: busyTimeoutMs });
  switchToWriteAheadLog(sqlite);
  setPragmas(sqlite);
  migrate(sqlite, migrationsFolder);
  return { sqlite, connection: drizzle(sqlite) };
}

/** What holds for one connection only. */
export function setPragmas(sqlite: Sqlite.Database): void {
  sqlite.pragma("synchronous = FULL");
  sqlite.pragma("foreign_keys = ON");
}

/**
 * Two processes that switch the same new file at once: SQLite refuses one of them without waiting, since each holds
 * what the other needs. So the waiting is done here, and the second try finds the switch made.
 */
function switchToWriteAheadLog(sqlite: Sqlite.Database): void {
  const pauseMs = 10;
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    try {
      sqlite.pragma("journal_mode = WAL");
      return;
    } catch (error) {
      const isBusy = error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY");
      if (!isBusy || waitedMs >= busyTimeoutMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}
