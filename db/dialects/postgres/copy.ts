import { setTimeout as sleep } from "node:timers/promises";
import type { CopySource, CopyTarget } from "../../copy/sides.ts";
import {
  type Cell,
  type CopiedRow,
  columnList,
  contentsTable,
  copiedTables,
  selectText,
} from "../../copy/tables.ts";
import { Failure } from "../../failure.ts";
import { describeNewerVersion } from "../../migration-state.ts";
import { foldForSearch } from "../../search-text.ts";
import { openConnection, type SingleConnection, storableText } from "./client.ts";
import { migrate, migrationState, migrationsFolder } from "./migrate.ts";
import { createTokenizer } from "./search.ts";

/** How long others' connections may take to close. */
const closingMaximumMs = 2_000;
const closingCheckMs = 20;

/**
 * A snapshot of a database.
 * Rejects with a `Failure` when it holds no blog of this version.
 */
export async function postgresSource(url: string): Promise<CopySource> {
  const connection = await openForLong(url);
  try {
    const { applied, pending, isNewer, version } = await migrationState(connection);
    if (applied === 0) throw new Failure("The PostgreSQL database holds no blog of Weir's.");
    if (isNewer) throw new Failure(describeNewerVersion("The PostgreSQL database", version));
    if (pending > 0)
      throw new Failure("The PostgreSQL database is of an earlier version of Weir: start Weir on it once.");
    await connection.query("begin isolation level repeatable read read only");
  } catch (error) {
    await connection.end();
    throw error;
  }
  return sourceOn(connection);
}

/**
 * A database, its tables made when absent.
 *
 * A batch of rows is a transaction; or, when its contents are `replaced`, the whole copy is one, which commits when the
 * copy is verified. Then no server may use it: rejects with a `Failure` when one does.
 */
export async function postgresTarget(url: string, { replaces = false } = {}): Promise<CopyTarget> {
  await migrate(url, migrationsFolder);
  const connection = await openForLong(url);
  const run = (text: string) => connection.query(text);
  if (replaces) {
    try {
      await requireUnused(connection, closingMaximumMs);
      await run("begin");
      await run("set local lock_timeout = 3000");
      const names = ["media_folder", ...copiedTables.map(({ name }) => name)];
      await run(`truncate ${names.map((name) => `"${name}"`).join(", ")} cascade`);
    } catch (error) {
      await connection.end();
      throw error;
    }
  }
  const search = createTokenizer();

  async function index(rows: readonly CopiedRow[]): Promise<void> {
    const ids = rows.map(([id]) => Number(id));
    const found = await connection.query("select id, title from posts where id = any ($1::bigint[])", [ids]);
    const titles = new Map(found.map(([id, title]) => [Number(id), String(title)]));
    const inserts = rows.map(([id, content]) => {
      const title = foldForSearch(titles.get(Number(id)) ?? "");
      const { words, spelled } = search.textOf(title, foldForSearch(String(content)));
      return connection.query(
        "insert into posts_search (post_id, words, spelled) values ($1, array_to_tsvector($2::text[]), $3)",
        [Number(id), words, spelled],
      );
    });
    await Promise.all(inserts);
  }

  return {
    ...sourceOn(connection),
    keepable: storableText,
    async insert(table, rows) {
      const columns = columnList(table);
      if (!replaces) await run("begin");
      await connection.query(
        `insert into "${table.name}" (${columns}) select ${columns} from json_populate_recordset(null::"${table.name}", $1::text::json)`,
        [asRecords(table.columns, rows)],
      );
      if (table === contentsTable) await index(rows);
      if (!replaces) await run("commit");
    },
    async setLastNumber({ name }, last) {
      const isAny = last > 0;
      await connection.query(`select setval(pg_get_serial_sequence($1, 'id'), $2::bigint, $3::boolean)`, [
        name,
        Math.max(last, 1),
        isAny,
      ]);
    },
    async finish() {
      if (replaces) await run("commit");
    },
    async close() {
      search.close();
      await connection.end();
    },
  };
}

/** How many other connections of Weir's there are to the same database. */
async function othersConnected(connection: SingleConnection): Promise<number> {
  const [[count] = []] = await connection.query(
    "select count(*) from pg_stat_activity where datname = current_database() and application_name = 'weir' and pid <> pg_backend_pid()",
  );
  return Number(count);
}

/** Rejects with a `Failure` when a server of Weir's is connected to the database. */
export async function requirePostgresUnused(url: string, closingWithinMs = closingMaximumMs): Promise<void> {
  const connection = await openForLong(url);
  try {
    await requireUnused(connection, closingWithinMs);
  } finally {
    await connection.end();
  }
}

/** PostgreSQL lists a closed connection for a moment, longer on a busy machine. */
async function requireUnused(connection: SingleConnection, closingWithinMs: number): Promise<void> {
  const deadline = performance.now() + closingWithinMs;
  while ((await othersConnected(connection)) > 0) {
    if (performance.now() >= deadline)
      throw new Failure("The PostgreSQL database is in use: stop all servers first.");
    await sleep(closingCheckMs);
  }
}

/** For work that takes its time, and pauses between statements. */
async function openForLong(url: string): Promise<SingleConnection> {
  const connection = await openConnection(url, 3_600_000);
  await connection.query(
    "set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = 0; set application_name = 'weir copy'",
  );
  return connection;
}

function sourceOn(connection: SingleConnection): CopySource {
  return {
    async rows(table, after, limit) {
      const text = selectText(table, String(limit), after && ((place) => `$${place + 1}`));
      return (await connection.query(text, [...(after ?? [])])).map((row) => row.map(cellOf));
    },
    async count({ name }) {
      const [[count] = []] = await connection.query(`select count(*) from "${name}"`);
      return Number(count);
    },
    async lastNumber({ name }) {
      const [[sequence] = []] = await connection.query("select pg_get_serial_sequence($1, 'id')", [name]);
      const [[last, isCalled] = []] = await connection.query(`select last_value, is_called from ${sequence}`);
      return isCalled === true ? Number(last) : 0;
    },
    close: () => connection.end(),
  };
}

function cellOf(value: unknown): Cell {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (value === null) return null;
  throw new TypeError(`A column holds neither text, number nor boolean: ${typeof value}`);
}

/** The rows as JSON, in which an infinite number is written as PostgreSQL reads it. */
function asRecords(columns: readonly { name: string }[], rows: readonly CopiedRow[]): string {
  const records = rows.map((row) => Object.fromEntries(columns.map(({ name }, place) => [name, row[place]])));
  return JSON.stringify(records, (_key, value: unknown) =>
    typeof value === "number" && !Number.isFinite(value) ? String(value) : value,
  );
}
