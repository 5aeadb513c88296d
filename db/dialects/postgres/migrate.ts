/**
 * Brings the tables up to date with `migrations/`, which Drizzle's tool writes; what was applied is kept in Drizzle's
 * own table.
 *
 * Drizzle's migrator is not used: it looks up what was applied before its transaction begins, so of two nodes that start at
 * once, one would make tables that exist already. Here both happen in one transaction, behind a lock, and the second node waits
 * and then finds nothing to do. Whoever finds a database that is up to date only reads.
 */
import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type { MigrationState } from "../sqlite/migrate.ts";
import { type Connection, openConnection } from "./connection.ts";
import { migrations as migrationsLock } from "./locks.ts";

export const migrationsFolder = join(/* turbopackIgnore: true */ process.cwd(), "db/migrations/postgres");

/** How far a database is up to date; see `../sqlite/migrate.ts`. Only reads. */
export async function migrationState(connection: Connection): Promise<MigrationState> {
  const times = readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis);
  const newest = await newestApplied(connection);
  const [[applied] = []] = newest ? await connection.query("select count(*) from __drizzle_migrations") : [];
  const isNewer = newest > (times.at(-1) ?? 0);
  return { applied: Number(applied ?? 0), pending: times.filter((time) => time > newest).length, isNewer };
}

/** Migrations may rewrite whole tables, and wait for a node that does. */
const patienceMs = 30 * 60_000;
const connectMs = 5_000;

/** Applies, in order, the migrations of `folder` that are newer than the newest applied. All of them or none. */
export async function migrate(url: string, folder: string): Promise<void> {
  const connection = openConnection(url, { connectMs, queryMs: connectMs });
  try {
    await refuseOtherEncodings(connection);
    const migrations = readMigrationFiles({ migrationsFolder: folder });
    const last = migrations.at(-1)?.folderMillis ?? 0;
    if ((await newestApplied(connection)) >= last) return;
    connection.setPatience(patienceMs);
    const run = (text: string) => connection.query(text, [], false);
    await run("begin");
    await run("set local statement_timeout = 0");
    await run("set local lock_timeout = 0");
    await run(`select pg_advisory_xact_lock(${migrationsLock})`);
    await run(
      "create table if not exists __drizzle_migrations (id bigint generated always as identity primary key, hash text not null, created_at bigint)",
    );
    const newest = await newestApplied(connection);
    for (const { sql, hash, folderMillis } of migrations) {
      if (folderMillis <= newest) continue;
      for (const statement of sql) await run(statement);
      await connection.query("insert into __drizzle_migrations (hash, created_at) values ($1, $2)", [
        hash,
        folderMillis,
      ]);
    }
    await run("commit");
  } finally {
    // Where the transaction has not ended, the server takes back what it did.
    await connection.end();
  }
}

async function refuseOtherEncodings(connection: Connection): Promise<void> {
  const [[encoding] = []] = await connection.query("show server_encoding");
  if (encoding !== "UTF8")
    throw new Error(`The PostgreSQL database must have the encoding UTF8, not ${encoding}.`);
}

/** When the newest migration that was applied was made, in milliseconds; 0 when none was. */
async function newestApplied(connection: Connection): Promise<number> {
  const [[table] = []] = await connection.query("select to_regclass('__drizzle_migrations')::text");
  if (table === null) return 0;
  const [[newest] = []] = await connection.query("select max(created_at) from __drizzle_migrations");
  return Number(newest ?? 0);
}
