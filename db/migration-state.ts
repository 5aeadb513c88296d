import { readMigrationFiles } from "drizzle-orm/migrator";
import { Failure } from "./failure.ts";

/** How far a database is up to date. */
export interface MigrationState {
  /** How many migrations were applied. */
  applied: number;
  /** How many of this version's are still to be applied. */
  pending: number;
  /** Whether some were applied that this version does not know. */
  isNewer: boolean;
}

/**
 * Throws a `Failure` when a database is of a later version than this one.
 * `newest` is the time of its newest migration, `last` that of this version's. Rows that an older version writes into
 * newer tables may be wrong.
 */
export function requireNotNewer(newest: number, last: number): void {
  if (newest <= last) return;
  const [there, known] = [newest, last].map((at) => new Date(at).toISOString());
  throw new Failure(
    `The database is of a later version of Weir than this one: its newest migration is of ${there}, and the newest that this version knows is of ${known}. Update Weir, or restore a backup from before the update.`,
  );
}

/**
 * The migration state of a database.
 * `applied` migrations were applied, the newest made at `newest`, in milliseconds.
 */
export function migrationStateOf(migrationsFolder: string, applied: number, newest: number): MigrationState {
  const times = readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis);
  return {
    applied,
    pending: times.filter((time) => time > newest).length,
    isNewer: newest > (times.at(-1) ?? 0),
  };
}
