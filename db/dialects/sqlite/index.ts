/**
 * SQLite: one file, one connection per process.
 *
 * Every write transaction begins IMMEDIATE: one that begins by reading and then writes would otherwise fail at once
 * when another process writes in between. `synchronous = FULL` makes a commit durable before it is answered.
 *
 * SQLite itself answers synchronously. Only a transaction takes more than one step, and other callers wait meanwhile.
 */
import { accessSync, constants, statfsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import Sqlite from "better-sqlite3";
import { type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import { createDatabase, type Database } from "../../database.ts";
import type { Dialect, Statements } from "../../dialect.ts";
import { makePrivateSqliteFile } from "../../private-files.ts";
import { isBusy } from "./connection-queue.ts";
import { limiterStateQueries } from "./limiter-states.ts";
import { migrate, migrationsFolder } from "./migrate.ts";
import { tables } from "./schema.ts";
import { searchQueries } from "./search.ts";
import { createSession, lockTimeoutMs, type SessionSettings, type SqliteSession } from "./session.ts";
import { keepLogSmall, logMaximumBytes } from "./write-ahead-log.ts";

const unavailableCodes = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)/;

/**
 * Whether an error means that the file cannot be used just now.
 * Locked, full, read-only, or its disk gone.
 */
export function isSqliteUnavailable(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && unavailableCodes.test(error.code);
}

/** Throws when a file cannot grow: a commit would fail. */
function requireWritable(file: string, leastFreeBytes: number): void {
  try {
    accessSync(file, constants.W_OK);
  } catch (error) {
    throw new Sqlite.SqliteError(`The file cannot be written: ${error}`, "SQLITE_READONLY");
  }
  const { bavail, bsize } = statfsSync(dirname(file));
  if (bavail * bsize < leastFreeBytes) throw new Sqlite.SqliteError("The disk is full", "SQLITE_FULL");
}

export interface SqliteSettings extends SessionSettings {
  leastFreeBytes?: number;
}

export interface SqliteDatabase extends Database {
  /** The connection itself, for checks and tools beyond the app's queries. */
  sqlite: Sqlite.Database;
}

/** The file behind a `file:` address, as an absolute path. */
export function databaseFile(url: string): string {
  return resolve(/* turbopackIgnore: true */ url.replace(/^file:(\/\/)?/, ""));
}

/**
 * Opens the database at a `file:` address and brings its tables up to date.
 * Creates the file and its folder when absent. Throws when the file cannot be opened or is not a database. With fewer
 * than `leastFreeBytes` free, `ping` rejects.
 */
export function openSqlite(
  url: string,
  { leastFreeBytes = 2 ** 20, ...settings }: SqliteSettings = {},
): SqliteDatabase {
  const file = databaseFile(url);
  const sqlite = connect(file);
  const session = createSession(sqlite, settings);
  const stopLogChecks = keepLogSmall(sqlite);
  return {
    ...createDatabase(sqliteDialect(session), {
      limiterStates: limiterStateQueries(sqlite, session),
      time: () => Date.now(),
      async ping() {
        requireWritable(file, leastFreeBytes);
        // Takes the write lock, and saves nothing.
        await session.transaction(async () => {});
      },
      async close() {
        await stopLogChecks();
        await session.close();
      },
    }),
    sqlite,
  };
}

function sqliteDialect(session: SqliteSession): Dialect {
  const builders = drizzle(async (text, values) => ({ rows: await session.run(text, values) }));
  const execute: Dialect["execute"] = async (query) => void (await builders.run(query));
  const dialect = {
    // The one cast of the builders: those of both dialects have the same methods, and differ only in their types.
    statements: builders as unknown as Statements,
    tables,
    session,
    execute,
    countChanged: async (query: SQL) => (await builders.all(query)).length,
    // The one writer locks everything.
    locking: <Select>(select: Select) => select,
    lockClause: () => sql.empty(),
    lockByName: async () => {},
    lockByText: async () => {},
    // A plus sign: without it, SQLite plans a joined or limited statement again whenever it gets other values, which
    // takes longer than to run it.
    opaque: (name: string) => sql`+${sql.placeholder(name)}`,
    now: sql`cast(unixepoch('subsec') * 1000 as integer)`,
    rowId: sql`rowid`,
    // By the index on post and time: one on the time alone would make each attempt slower to record.
    oldAttempts: sql`(select a.id from posts p cross join attempts a on a.post_id = p.id where p.id > ${sql.placeholder("after")} and p.id <= ${sql.placeholder("last")} and a.at < ${sql.placeholder("at")} limit ${sql.placeholder("limit")})`,
    findsOldAttemptsByPost: true,
  };
  return { ...dialect, search: searchQueries(dialect) };
}

function connect(file: string): Sqlite.Database {
  makePrivateSqliteFile(file);
  const sqlite = new Sqlite(file, { timeout: lockTimeoutMs });
  switchToWriteAheadLog(sqlite);
  setPragmas(sqlite);
  migrate(sqlite, migrationsFolder);
  // A savepoint copies the pages that it changes, and of a rating they exceed SQLite's 64 KiB: the rest of the shared
  // transaction would write them to a temporary file. A migration may sort more than the memory holds.
  sqlite.pragma("temp_store = MEMORY");
  // Until here the process has nothing else to do. From here on the session waits asynchronously.
  sqlite.pragma("busy_timeout = 0");
  return sqlite;
}

/** Settings of one connection only. */
export function setPragmas(sqlite: Sqlite.Database): void {
  sqlite.pragma("synchronous = FULL");
  sqlite.pragma(`journal_size_limit = ${logMaximumBytes}`);
  sqlite.pragma("foreign_keys = ON");
}

/**
 * Two processes that switch the same new file at once.
 *
 * SQLite refuses one of them without waiting, since each holds the lock that the other needs. So the waiting is done
 * here, and the second attempt finds the switch made.
 */
function switchToWriteAheadLog(sqlite: Sqlite.Database): void {
  const pauseMs = 10;
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    try {
      sqlite.pragma("journal_mode = WAL");
      return;
    } catch (error) {
      if (!isBusy(error) || waitedMs >= lockTimeoutMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}
