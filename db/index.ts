/**
 * The database: one SQLite file, opened, migrated and wrapped in the queries that the app asks.
 *
 * One connection per process, used synchronously, so whatever runs inside `transaction` is alone on it. Every
 * write goes through `transaction`, which begins IMMEDIATE: a transaction that begins by reading and then writes
 * would otherwise fail at once when another process writes in between. `synchronous = FULL` makes a commit
 * durable before it is answered.
 */
import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import Sqlite from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { limiterStates } from "./limiter-store.ts";
import { migrate } from "./migrate.ts";
import { attemptQueries } from "./queries/attempts.ts";
import { floodWindowQueries } from "./queries/flood-windows.ts";
import { postQueries } from "./queries/posts.ts";
import { ratingQueries } from "./queries/ratings.ts";
import { tallyQueries } from "./queries/tallies.ts";
import { userQueries } from "./queries/users.ts";

const busyTimeoutMs = 5_000;

const unavailableCodes = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)/;

/** Whether an error says that the database cannot be used just now: locked, full, read-only, or its disk gone. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && unavailableCodes.test(error.code);
}

export type Database = ReturnType<typeof openDatabase>;
/** What the query modules build upon. */
export type Connection = ReturnType<typeof connect>["connection"];

/** The file behind a `file:` address, as an absolute path. */
export function databaseFile(url: string): string {
  return resolve(/* turbopackIgnore: true */ url.replace(/^file:(\/\/)?/, ""));
}

/**
 * Opens the database at a `file:` address, creating the file and its folder when absent, and brings its tables up
 * to date. Throws when the file cannot be opened or is not a database.
 */
export function openDatabase(url: string) {
  const { sqlite, connection } = connect(databaseFile(url));
  const inTransaction = sqlite.transaction((work: () => unknown) => work());
  function transaction<T>(work: () => T): T {
    let result: { value: T } | undefined;
    inTransaction.immediate(() => {
      result = { value: work() };
    });
    if (!result) throw new Error("The transaction's work did not run.");
    return result.value;
  }
  return {
    users: userQueries(connection),
    posts: postQueries(connection),
    ratings: ratingQueries(connection),
    tallies: tallyQueries(connection),
    floodWindows: floodWindowQueries(connection),
    attempts: attemptQueries(connection),
    limiterStates: limiterStates(connection),
    /**
     * Runs `work` in one IMMEDIATE transaction and returns what it returns; throws what it throws, with nothing
     * saved. `work` is synchronous. Within a transaction it is a part of that one.
     */
    transaction,
    /** As `transaction`, without waiting for others who write: then it throws what `isUnavailable` recognises. */
    transactionNow<T>(work: () => T): T {
      sqlite.pragma("busy_timeout = 0");
      try {
        return transaction(work);
      } finally {
        sqlite.pragma(`busy_timeout = ${busyTimeoutMs}`);
      }
    },
    /** Resolves when the database answers; rejects with why it does not. Reads its file. */
    ping: async () => void sqlite.prepare("select 1 from sqlite_schema").get(),
    /** The connection itself, for checks and tools that ask what the app does not. */
    sqlite,
    close: () => void sqlite.close(),
  };
}

function connect(file: string) {
  mkdirSync(dirname(file), { recursive: true });
  const sqlite = new Sqlite(file, { timeout: busyTimeoutMs });
  switchToWriteAheadLog(sqlite);
  sqlite.pragma("synchronous = FULL");
  sqlite.pragma("foreign_keys = ON");
  migrate(sqlite, join(/* turbopackIgnore: true */ process.cwd(), "db/migrations"));
  return { sqlite, connection: drizzle(sqlite) };
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
