/** What an inspection of a database reports. */
import type { MigrationState } from "./migration-state.ts";
import type { RunQuery } from "./recount.ts";

export interface Inspection {
  /** Such as "SQLite 3.50.4". */
  version: string;
  /** How large it is. */
  bytes: number;
  migrations: MigrationState;
  /** What matters of how it is set up. */
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

export interface DatabaseSetting {
  name: string;
  value: string;
  /** What it may be. */
  wanted: readonly string[];
  /** What to do when it is something else. */
  advice: string;
}
