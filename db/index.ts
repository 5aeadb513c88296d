/** The database: opened by its address, SQLite or PostgreSQL; `types.ts` says what may be asked of it. */
import { isPostgresUrl } from "./address.ts";
import { isPostgresUnavailable, openPostgres, type PostgresOptions } from "./dialects/postgres/index.ts";
import { databaseFile, isSqliteUnavailable, openSqlite } from "./dialects/sqlite/index.ts";
import type { Database } from "./types.ts";

export type { PostgresOptions } from "./dialects/postgres/index.ts";
export type * from "./types.ts";
export { databaseFile, isPostgresUrl };

/**
 * Opens the database at an address, `file:…` or `postgres://…`, and brings its tables up to date. Rejects when it cannot be
 * opened or is no database. The options are for PostgreSQL.
 */
export async function openDatabase(url: string, options: PostgresOptions = {}): Promise<Database> {
  return isPostgresUrl(url) ? openPostgres(url, options) : openSqlite(url);
}

/** Whether an error says that the database cannot be used just now: locked, full, read-only, or out of reach. */
export function isUnavailable(error: unknown): boolean {
  return isSqliteUnavailable(error) || isPostgresUnavailable(error);
}
