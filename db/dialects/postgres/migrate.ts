/**
 * Brings the tables up to date with `db/migrations/postgres`.
 * It does not use Drizzle's migrator, for the reason given in `../sqlite/migrate.ts`: a lock makes the second of two
 * nodes wait, and it then finds nothing to do. A node that finds a database up to date only reads.
 */
import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import {
  applicationVersion,
  type MigrationState,
  migrationStateOf,
  type NewestMigration,
  noMigration,
  requireNotNewer,
} from "../../migration-state.ts";
import {
  commandTimeouts,
  defaultTimeouts,
  openConnection,
  type SingleConnection,
  type Timeouts,
} from "./client.ts";
import { migrations as migrationsLock } from "./locks.ts";

export const migrationsFolder = join(/* turbopackIgnore: true */ process.cwd(), "db/migrations/postgres");

/** How far a database is up to date. Only reads. */
export async function migrationState(connection: SingleConnection): Promise<MigrationState> {
  const newest = await newestApplied(connection);
  const [[applied] = []] = newest.at
    ? await connection.query("select count(*) from __drizzle_migrations")
    : [];
  return migrationStateOf(migrationsFolder, Number(applied ?? 0), newest);
}

/**
 * Applies the migrations of `folder` that are newer than the newest applied.
 * They are applied in order, all or none.
 */
export async function migrate(url: string, folder: string, timeouts = defaultTimeouts): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder: folder });
  const last = migrations.at(-1)?.folderMillis ?? 0;
  if (await isUpToDate(url, last, timeouts)) return;
  // Migrations may rewrite whole tables, and wait for a node that does.
  const connection = await openConnection(url, commandTimeouts.query, timeouts);
  try {
    // Explicit: by another default the second of two nodes would not see the first one's migrations.
    await connection.query("begin isolation level read committed");
    await connection.query("set local statement_timeout = 0");
    await connection.query("set local lock_timeout = 0");
    await connection.query(`select pg_advisory_xact_lock(${migrationsLock})`);
    await connection.query(
      "create table if not exists __drizzle_migrations (id bigint generated always as identity primary key, hash text not null, created_at bigint)",
    );
    // Earlier versions made the table without it.
    await connection.query("alter table __drizzle_migrations add column if not exists version text");
    const newest = await newestApplied(connection);
    requireNotNewer(newest, last); // another node may have migrated meanwhile
    for (const { sql, hash, folderMillis } of migrations) {
      if (folderMillis <= newest.at) continue;
      for (const statement of sql) await connection.query(statement);
      await connection.query(
        "insert into __drizzle_migrations (hash, created_at, version) values ($1, $2, $3)",
        [hash, folderMillis, applicationVersion],
      );
    }
    await connection.query("commit");
  } finally {
    // Where the transaction has not ended, the server rolls it back.
    await connection.end();
  }
}

/**
 * Whether the newest migration is applied.
 * Rejects for a database that cannot hold every text.
 */
async function isUpToDate(url: string, last: number, timeouts: Timeouts): Promise<boolean> {
  const connection = await openConnection(url, timeouts.query, timeouts);
  try {
    await refuseOtherEncodings(connection);
    const newest = await newestApplied(connection);
    requireNotNewer(newest, last);
    return newest.at === last;
  } finally {
    await connection.end();
  }
}

async function refuseOtherEncodings(connection: SingleConnection): Promise<void> {
  const [[encoding] = []] = await connection.query("show server_encoding");
  if (encoding !== "UTF8")
    throw new Error(`The PostgreSQL database must have the encoding UTF8, not ${encoding}.`);
}

async function newestApplied(connection: SingleConnection): Promise<NewestMigration> {
  const [[table] = []] = await connection.query("select to_regclass('__drizzle_migrations')::text");
  if (table === null) return noMigration;
  // As JSON: a table of an earlier version has no column for the version.
  const [newest] = await connection.query(
    "select created_at, to_jsonb(m) ->> 'version' from __drizzle_migrations m order by created_at desc, id desc limit 1",
  );
  return newest
    ? { at: Number(newest[0]), version: newest[1] === null ? undefined : String(newest[1]) }
    : noMigration;
}
