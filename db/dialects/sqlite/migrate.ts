/**
 * Brings the tables up to date with `db/migrations/sqlite`.
 * Drizzle's tool writes these; Drizzle's own table records the applied migrations.
 *
 * Drizzle's migrator is not used: it looks these up before its transaction begins, so of two processes that open a new
 * file at once, one would make tables that exist already. Here both happen in one IMMEDIATE transaction, and the second
 * process waits and then finds nothing to do. A process that opens a file that is up to date only reads: it need not
 * wait for writers.
 */
import { join } from "node:path";
import type { Database as Sqlite } from "better-sqlite3";
import { readMigrationFiles } from "drizzle-orm/migrator";
import {
  applicationVersion,
  type MigrationState,
  migrationStateOf,
  type NewestMigration,
  noMigration,
  requireNotNewer,
} from "../../migration-state.ts";

export const migrationsFolder = join(/* turbopackIgnore: true */ process.cwd(), "db/migrations/sqlite");

/** How far a file is up to date. Only reads. */
export function migrationState(sqlite: Sqlite): MigrationState {
  const newest = newestApplied(sqlite);
  const count = () =>
    sqlite.prepare<[], number>("select count(*) from __drizzle_migrations").pluck().get() ?? 0;
  return migrationStateOf(migrationsFolder, newest.at === 0 ? 0 : count(), newest);
}

/**
 * Applies the migrations of `folder` that are newer than the newest applied.
 * They are applied in order, all or none.
 */
export function migrate(sqlite: Sqlite, folder: string): void {
  const migrations = readMigrationFiles({ migrationsFolder: folder });
  const last = migrations.at(-1)?.folderMillis ?? 0;
  const applied = newestApplied(sqlite);
  requireNotNewer(applied, last);
  if (applied.at === last) return;
  const applyMissing = sqlite.transaction(() => {
    sqlite.exec(
      "create table if not exists __drizzle_migrations (id integer primary key, hash text not null, created_at numeric, version text)",
    );
    // Earlier versions made the table without it.
    const columns = sqlite.prepare<[], string>("select name from pragma_table_info('__drizzle_migrations')");
    if (!columns.pluck().all().includes("version"))
      sqlite.exec("alter table __drizzle_migrations add column version text");
    const newest = newestApplied(sqlite);
    requireNotNewer(newest, last); // another process may have migrated meanwhile
    const record = sqlite.prepare(
      "insert into __drizzle_migrations (hash, created_at, version) values (?, ?, ?)",
    );
    for (const { sql, hash, folderMillis } of migrations) {
      if (folderMillis <= newest.at) continue;
      for (const statement of sql) sqlite.exec(statement);
      record.run(hash, folderMillis, applicationVersion);
    }
  });
  applyMissing.immediate();
}

function newestApplied(sqlite: Sqlite): NewestMigration {
  const isNew = !sqlite.prepare("select 1 from sqlite_master where name = '__drizzle_migrations'").get();
  if (isNew) return noMigration;
  // All columns: a table of an earlier version has no version.
  const newest = sqlite
    .prepare<[], { created_at: number; version?: string | null }>(
      "select * from __drizzle_migrations order by created_at desc, id desc limit 1",
    )
    .get();
  return newest ? { at: newest.created_at, version: newest.version ?? undefined } : noMigration;
}
