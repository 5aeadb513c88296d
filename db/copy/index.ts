/**
 * Copies a whole blog from one database to another, and verifies the copy.
 * The source and the target are SQLite or PostgreSQL. At the end the rows of each table are counted and summed up on
 * both sides, and must be the same.
 *
 * The source is read as it was at one instant. A batch of rows is a transaction, and the rows that the target holds
 * already are all that is known of an interrupted run: they must be the source's first rows, and the copy continues
 * after them.
 */
import { createHash } from "node:crypto";
import { postgresSource, postgresTarget } from "../dialects/postgres/copy.ts";
import { sqliteSource, sqliteTarget } from "../dialects/sqlite/copy.ts";
import { Failure } from "../failure.ts";
import { isPostgresUrl } from "../index.ts";
import type { CopySource, CopyTarget } from "./sides.ts";
import { type CopiedRow, type CopiedTable, contentsTable, copiedTables, keyOf } from "./tables.ts";

interface CopiedCount {
  table: string;
  rows: number;
  /**
   * SHA-256 over all rows in the order of the key.
   * Each is JSON on a line of its own.
   */
  sha256: string;
}

interface Copied {
  /** How many rows were in the target before. */
  found: number;
  copied: number;
  tables: CopiedCount[];
}

interface CopyOptions {
  /**
   * Receives the progress: the rows in the target, of how many.
   * Then how many are verified.
   */
  onProgress?: ((stage: "copying" | "verifying", done: number, total: number) => void) | undefined;
}

/**
 * Copies between the databases at two addresses.
 * Rejects with a `Failure` when it cannot, or the outcome is not the same.
 */
export async function copyDatabase(
  fromUrl: string,
  toUrl: string,
  options: CopyOptions = {},
): Promise<Copied> {
  const from = await openSource(fromUrl);
  try {
    const to = await openTarget(toUrl);
    try {
      return await copyBetween(from, to, options);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

/** As `copyDatabase`, between databases that are already open. */
export async function copyBetween(
  source: CopySource,
  to: CopyTarget,
  { onProgress }: CopyOptions = {},
): Promise<Copied> {
  const from = asKeptBy(to, source);
  let total = 0;
  for (const table of copiedTables) total += await from.count(table);
  const starts = [];
  let found = 0;
  for (const table of copiedTables) {
    const start = await existingData(table, from, to);
    starts.push({ table, after: start.after });
    found += start.rows;
  }
  let done = found;
  for (const { table, after } of starts)
    for await (const rows of batches(from, table, after)) {
      await to.insert(table, rows);
      done += rows.length;
      onProgress?.("copying", done, total);
    }
  for (const table of copiedTables)
    if (table.isNumbered) await to.setLastNumber(table, await from.lastNumber(table));
  const tables = await verify(from, to, (rows) => onProgress?.("verifying", rows, total));
  await to.finish();
  return { found, copied: done - found, tables };
}

/**
 * The key of the last row that is in the target.
 * The target's rows must be the first ones of the source.
 */
async function existingData(
  table: CopiedTable,
  from: CopySource,
  to: CopyTarget,
): Promise<{ after: CopiedRow | undefined; rows: number }> {
  let after: CopiedRow | undefined;
  let rows = 0;
  for await (const there of batches(to, table)) {
    const wanted = await from.rows(table, after, there.length);
    for (const [index, row] of there.entries())
      if (JSON.stringify(row) !== JSON.stringify(wanted[index])) throw foreign(table, keyOf(table, row));
    after = keyOf(table, there.at(-1) ?? []);
    rows += there.length;
  }
  return { after, rows };
}

function foreign({ name }: CopiedTable, key: CopiedRow): Failure {
  return new Failure(
    `The target holds what the source does not have (${name} ${key.join(", ")}): it is another blog, or the source has changed since an earlier copy was cut short. Copy to an empty database, from a blog that no server writes to.`,
  );
}

async function verify(
  from: CopySource,
  to: CopyTarget,
  onRows: (rows: number) => void,
): Promise<CopiedCount[]> {
  const tables: CopiedCount[] = [];
  let rows = 0;
  for (const table of copiedTables) {
    const wanted = await sumUp(from, table);
    const found = await sumUp(to, table);
    if (wanted.rows !== found.rows || wanted.sha256 !== found.sha256)
      throw new Failure(
        `The copy is not the same: ${table.name} has ${wanted.rows} rows (SHA-256 ${wanted.sha256}) in the source, ${found.rows} (${found.sha256}) in the target.`,
      );
    tables.push(found);
    rows += found.rows;
    onRows(rows);
  }
  return tables;
}

async function sumUp(side: CopySource, table: CopiedTable): Promise<CopiedCount> {
  const hash = createHash("sha256");
  let count = 0;
  for await (const rows of batches(side, table)) {
    for (const row of rows) hash.update(`${JSON.stringify(row)}\n`);
    count += rows.length;
  }
  return { table: table.name, rows: count, sha256: hash.digest("hex") };
}

async function* batches(
  side: CopySource,
  table: CopiedTable,
  start?: CopiedRow,
): AsyncGenerator<CopiedRow[]> {
  const limit = table === contentsTable ? 100 : 1_000; // a text may be long
  let after = start;
  for (;;) {
    const rows = await side.rows(table, after, limit);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < limit) return;
    after = keyOf(table, last);
  }
}

/** The source with its texts as the target will keep them. */
function asKeptBy({ keepable }: CopyTarget, source: CopySource): CopySource {
  return {
    ...source,
    rows: async (table, after, limit) =>
      (await source.rows(table, after, limit)).map((row) =>
        row.map((cell) => (typeof cell === "string" ? keepable(cell) : cell)),
      ),
  };
}

async function openSource(url: string): Promise<CopySource> {
  return isPostgresUrl(url) ? postgresSource(url) : sqliteSource(url);
}

async function openTarget(url: string): Promise<CopyTarget> {
  return isPostgresUrl(url) ? postgresTarget(url) : sqliteTarget(url);
}
