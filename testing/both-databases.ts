/** New databases of both kinds, for tests that run on each; closed after the test. */
import Sqlite from "better-sqlite3";
import postgres from "postgres";
import { onTestFinished } from "vitest";
import { openPostgres } from "../db/dialects/postgres/index.ts";
import { migrate as migratePostgres } from "../db/dialects/postgres/migrate.ts";
import { databaseFile } from "../db/dialects/sqlite/index.ts";
import { migrate as migrateSqlite } from "../db/dialects/sqlite/migrate.ts";
import { type Database, openDatabase } from "../db/index.ts";
import { temporaryDatabase, temporaryDatabaseUrl } from "./database.ts";
import { migrationsBefore } from "./migrations.ts";
import { patientTimeouts, sharedPostgres } from "./postgres-server.ts";

/** Empty ones. */
export const newDatabases: readonly [name: string, open: () => Promise<Database>][] = [
  ["SQLite", async () => temporaryDatabase()],
  [
    "PostgreSQL",
    async () => {
      const url = await (await sharedPostgres()).newMigratedDatabase();
      return closedAfterTest(await openPostgres(url, { timeouts: patientTimeouts }));
    },
  ],
];

type Upgraded = [name: string, open: (migration: string, blog: string) => Promise<Database>];

/**
 * Upgraded ones.
 * The version before a migration has filled them by `blog`, SQL that both understand.
 */
export const upgradedDatabases: readonly [Upgraded, Upgraded] = [
  [
    "SQLite",
    async (migration, blog) => {
      const url = temporaryDatabaseUrl();
      const sqlite = new Sqlite(databaseFile(url));
      migrateSqlite(sqlite, migrationsBefore("sqlite", migration));
      sqlite.exec(blog);
      sqlite.close();
      return closedAfterTest(await openDatabase(url));
    },
  ],
  [
    "PostgreSQL",
    async (migration, blog) => {
      const url = await (await sharedPostgres()).newDatabase();
      await migratePostgres(url, migrationsBefore("postgres", migration), patientTimeouts);
      const sql = postgres(url, { max: 1, onnotice: () => {} });
      await sql.unsafe(blog);
      await sql.end();
      return closedAfterTest(await openDatabase(url, { timeouts: patientTimeouts }));
    },
  ],
];

function closedAfterTest(database: Database): Database {
  onTestFinished(() => database.close());
  return database;
}
