/** The report of a database's inspection. */
import type { MigrationState } from "./migration-state.ts";
import type { RunQuery } from "./recount.ts";

export interface Inspection {
  /** Such as "SQLite 3.50.4". */
  version: string;
  /** How large it is. */
  bytes: number;
  migrations: MigrationState;
  /** A setting of the database that matters. */
  settings: readonly DatabaseSetting[];
  /**
   * The faults below the counters, by the part that was checked.
   * Empty for PostgreSQL, which offers no such check.
   */
  soundness: Readonly<Record<string, () => string[]>>;
  /** The time by the clock that counts, in milliseconds. */
  now: number;
  query: RunQuery;
  close(): Promise<void>;
}

interface DatabaseSetting {
  name: string;
  value: string;
  /** Its allowed values. */
  wanted: readonly string[];
  /** The remedy for another value. */
  advice: string;
}
