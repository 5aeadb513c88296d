/** A blog's file, opened read-only and not brought up to date. */
import { existsSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { Failure } from "../../failure.ts";
import { describeNewerVersion, type MigrationState } from "../../migration-state.ts";
import { migrationState } from "./migrate.ts";
import { lockTimeoutMs } from "./session.ts";

/**
 * Opens a file of any version.
 * Throws a `Failure` when it is missing or not a database.
 */
export function openSqliteReaderOfAnyVersion(file: string): {
  sqlite: Sqlite.Database;
  state: MigrationState;
} {
  if (!existsSync(file)) throw new Failure(`There is no file ${file}.`);
  try {
    const sqlite = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: lockTimeoutMs });
    return { sqlite, state: migrationState(sqlite) };
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error;
    throw new Failure(`${file} cannot be read as a database: ${error.message}.`);
  }
}

/** Opens a blog of this version. Throws a `Failure` when it is something else. */
export function openSqliteReader(file: string): Sqlite.Database {
  const { sqlite, state } = openSqliteReaderOfAnyVersion(file);
  try {
    requireBlog(file, state);
    if (state.pending > 0)
      throw new Failure(
        `${file} is of an earlier version of Weir: start Weir on it once, which brings it up to date.`,
      );
  } catch (error) {
    sqlite.close();
    throw error;
  }
  return sqlite;
}

/** Throws a `Failure` when it holds no blog, or that of a version unknown here. */
export function requireBlog(file: string, { applied, isNewer, version }: MigrationState): void {
  if (applied === 0) throw new Failure(`${file} is a database, but holds no blog of Weir's.`);
  if (isNewer) throw new Failure(describeNewerVersion(file, version));
}
