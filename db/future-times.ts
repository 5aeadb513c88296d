/**
 * Times in the future, which a clock that was ahead has written.
 * Only columns with the time of a past event are checked.
 */
import { getTableColumns } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { tables } from "./dialects/sqlite/schema.ts";
import type { RunQuery } from "./recount.ts";

/** Clocks of several machines differ a little. */
export const aheadMs = 600_000;

/** Columns of due times, which are usually in the future. */
const mayBeAhead = new Set(["due_at", "replay_due_at", "expires_at", "publish_at"]);

export interface PastColumns {
  table: string;
  columns: readonly string[];
  /** The column of the time at which a row expires, a lifetime after `created_at`. */
  expiry: string | undefined;
}

/** The columns with times of past events, by table. */
export const pastColumns: readonly PastColumns[] = Object.values(tables).flatMap((table) => {
  if (table === tables.trustedTime) return []; // follows the clock by itself within an hour, and no sooner
  const columns = Object.values(getTableColumns(table)).map(({ name }) => name);
  const past = columns.filter((name) => /(^|_)(at|since|mailed_until)$/.test(name) && !mayBeAhead.has(name));
  const expiry = past.includes("created_at") ? columns.find((name) => name === "expires_at") : undefined;
  return past.length > 0 ? [{ table: getTableConfig(table).name, columns: past, expiry }] : [];
});

/** A line per column with future times, e.g. `ratings.updated_at: 3, up to 2027-…`. */
export async function futureTimes(query: RunQuery, now: number): Promise<string[]> {
  const lines: string[] = [];
  for (const { table, columns } of pastColumns) {
    const found = columns.map(
      (column) => `sum(case when ${column} > ${now + aheadMs} then 1 else 0 end), max(${column})`,
    );
    const [row = []] = await query(`select ${found.join(", ")} from ${table}`);
    columns.forEach((column, index) => {
      const [count, latest] = [Number(row[2 * index] ?? 0), Number(row[2 * index + 1])];
      if (count > 0) lines.push(`${table}.${column}: ${count}, up to ${dateText(latest)}`);
    });
  }
  return lines;
}

/** A time as a date where it is one. */
export function dateText(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString();
}
