/** Whether a file is sound. */
import type { Database as Sqlite } from "better-sqlite3";
import { countersThatDisagree, type RunQuery } from "../../recount.ts";

export function queryRunner(sqlite: Sqlite): RunQuery {
  return async (text) => sqlite.prepare<[], unknown[]>(text).raw().all();
}

/**
 * The faults that SQLite itself finds in the file, a line each;
 * none in a sound one.
 */
export function fileFaults(sqlite: Sqlite): string[] {
  const lines = sqlite.prepare<[], string>("pragma integrity_check").pluck().all();
  return lines.filter((line) => line !== "ok");
}

/** The rows that refer to missing rows, a line each. */
export function danglingRows(sqlite: Sqlite): string[] {
  const rows = sqlite
    .prepare<[], { table: string; rowid: number; parent: string }>("pragma foreign_key_check")
    .all();
  return rows.map(({ table, rowid, parent }) => `${table} ${rowid} refers to ${parent}`);
}

/**
 * The faults of a blog's database, one line each.
 * Counters are checked only for this version (`counted`).
 */
export async function blogFaults(sqlite: Sqlite, counted = true): Promise<string[]> {
  const faults = fileFaults(sqlite);
  // The counts of a broken file mean nothing.
  if (faults.length > 0) return faults;
  return [...danglingRows(sqlite), ...(counted ? await countersThatDisagree(queryRunner(sqlite)) : [])];
}
