/**
 * Real databases for tests.
 * Each is a new file in a folder of its own, gone when the test is done.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openSqlite, type SqliteDatabase, type SqliteSettings } from "../db/dialects/sqlite/index.ts";

/** A new empty folder, removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "weir-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The address of a database that does not exist yet, in the test's own folder. */
export function temporaryDatabaseUrl(): string {
  return `file:${join(temporaryFolder(), "weir.db")}`;
}

/** A new database, migrated and empty; or another connection to the one at `url`. */
export function temporaryDatabase(
  url = temporaryDatabaseUrl(),
  settings: SqliteSettings = {},
): SqliteDatabase {
  const database = openSqlite(url, settings);
  onTestFinished(() => database.close());
  return database;
}
