/** Inspects a database without writing to it or bringing it up to date. */

import { inspectPostgres } from "./dialects/postgres/inspect.ts";
import { inspectSqlite } from "./dialects/sqlite/inspect.ts";
import { isPostgresUrl } from "./index.ts";
import type { Inspection } from "./inspection.ts";

export type { Inspection };

/**
 * Opens a database read-only.
 * Rejects with a `Failure` that gives the reason when it cannot be opened.
 */
export async function inspect(url: string): Promise<Inspection> {
  return isPostgresUrl(url) ? inspectPostgres(url) : inspectSqlite(url);
}
