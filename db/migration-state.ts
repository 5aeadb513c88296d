import { readMigrationFiles } from "drizzle-orm/migrator";

/** How far a database is up to date. */
export interface MigrationState {
  /** How many migrations were applied. */
  applied: number;
  /** How many of this version's are still to be applied. */
  pending: number;
  /** Whether some were applied that this version does not know. */
  isNewer: boolean;
}

/** The state of a database to which \`applied\` migrations were applied, the newest made at \`newest\`, in milliseconds. */
export function migrationStateOf(migrationsFolder: string, applied: number, newest: number): MigrationState {
  const times = readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis);
  return {
    applied,
    pending: times.filter((time) => time > newest).length,
    isNewer: newest > (times.at(-1) ?? 0),
  };
}
