import { readMigrationFiles } from "drizzle-orm/migrator";
import packageJson from "../package.json" with { type: "json" };
import { Failure } from "./failure.ts";

/** The migration of a database that was made last. */
export interface NewestMigration {
  /** When it was made, in milliseconds; 0 where none was applied. */
  at: number;
  /** The version of Weir that applied it; undefined if it did not record it. */
  version: string | undefined;
}

export const noMigration: NewestMigration = { at: 0, version: undefined };

/** How far a database is up to date. */
export interface MigrationState {
  /** How many migrations were applied. */
  applied: number;
  /** How many of this version's are still to be applied. */
  pending: number;
  /** Whether some were applied that this version does not know. */
  isNewer: boolean;
  /** The version of Weir that applied the newest one, where it is known. */
  version: string | undefined;
}

/** The version of this Weir. */
export const applicationVersion = packageJson.version;

/**
 * A sentence with the versions of a newer database and of this Weir.
 * For example "The database was last migrated by Weir 2.0.0; this is Weir 1.0.0, an earlier version."
 */
export function describeNewerVersion(database: string, version: string | undefined): string {
  if (version === undefined)
    return `${database} was last migrated by a later version of Weir, which it does not record; this is Weir ${applicationVersion}.`;
  // Between two releases.
  if (version === applicationVersion)
    return `${database} was last migrated by a later build of Weir ${applicationVersion}; this is an earlier build.`;
  return `${database} was last migrated by Weir ${version}; this is Weir ${applicationVersion}, an earlier version.`;
}

/**
 * Throws a `Failure` when a database is of a later version than this one.
 * `last` is the time of this version's newest migration. Rows that an older version writes into newer tables may be
 * wrong.
 */
export function requireNotNewer({ at, version }: NewestMigration, last: number): void {
  if (at <= last) return;
  throw new Failure(
    `${describeNewerVersion("The database", version)} Update Weir, or restore a backup from before the update.`,
  );
}

/** The migration state of a database with this number of migrations applied. */
export function migrationStateOf(
  migrationsFolder: string,
  applied: number,
  { at, version }: NewestMigration,
): MigrationState {
  const times = readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis);
  return {
    applied,
    pending: times.filter((time) => time > at).length,
    isNewer: at > (times.at(-1) ?? 0),
    version,
  };
}
