/**
 * Times in the future, which a clock that was ahead has written.
 * Columns with the time of a past event are checked, and due times that are further ahead than any pause.
 */
import { getTableColumns } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { tables } from "./dialects/sqlite/schema.ts";
import type { RunQuery } from "./recount.ts";

/** Clocks of several machines differ a little. */
export const aheadMs = 600_000;

/** The longest pause before a due time is a day. */
const dueAheadMs = 2 * 86_400_000;
/** Repaired with their posts: their due times follow from scores. */
const posts = getTableConfig(tables.posts).name;

/** Columns of due times, which are usually in the future. */
const mayBeAhead = new Set(["due_at", "replay_due_at", "expires_at", "publish_at"]);

interface TimeColumns {
  table: string;
  columns: readonly string[];
  /** The column of the time at which a row expires, a lifetime after `created_at`. */
  expiry: string | undefined;
}

/** The columns with times of past events, by table. */
export const pastColumns: readonly TimeColumns[] = Object.values(tables).flatMap((table) => {
  if (table === tables.trustedTime) return []; // follows the clock by itself within an hour, and no sooner
  const columns = Object.values(getTableColumns(table)).map(({ name }) => name);
  const past = columns.filter((name) => /(^|_)(at|since|mailed_until)$/.test(name) && !mayBeAhead.has(name));
  const expiry = past.includes("created_at") ? columns.find((name) => name === "expires_at") : undefined;
  return past.length > 0 ? [{ table: getTableConfig(table).name, columns: past, expiry }] : [];
});

/** The columns with the time of the next attempt or mail, by table. */
export const dueColumns: readonly TimeColumns[] = Object.values(tables).flatMap((table) => {
  const columns = Object.values(getTableColumns(table)).map(({ name }) => name);
  const { name } = getTableConfig(table);
  const isDue = columns.includes("due_at") && name !== posts;
  return isDue ? [{ table: name, columns: ["due_at"], expiry: undefined }] : [];
});

/**
 * The time at which a webhook's former secret stops signing.
 * A day ahead at most, as due times are.
 */
const formerSecrets: TimeColumns = {
  table: getTableConfig(tables.webhooks).name,
  columns: [tables.webhooks.previousUntil.name],
  expiry: undefined,
};

/** A line per column with future times, e.g. `ratings.updated_at: 3, up to 2027-…`. */
export async function futureTimes(query: RunQuery, now: number): Promise<string[]> {
  const lines: string[] = [];
  const checked = [
    ...pastColumns.map((each) => ({ ...each, after: now + aheadMs })),
    ...[...dueColumns, formerSecrets].map((each) => ({ ...each, after: now + dueAheadMs })),
  ];
  for (const { table, columns, after } of checked) {
    const found = columns.map(
      (column) => `sum(case when ${column} > ${after} then 1 else 0 end), max(${column})`,
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
