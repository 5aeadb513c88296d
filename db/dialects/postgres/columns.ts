/** The schema's column types, as PostgreSQL's builders. */
import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  customType,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";

const number = (name = "") => bigint(name, { mode: "number" });

export const postgresColumns = {
  table: pgTable,
  /** The key of a table whose rows the database numbers. */
  id: () => number().primaryKey().generatedByDefaultAsIdentity(),
  integer,
  bigint: number,
  real: doublePrecision,
  boolean,
  text,
  /**
   * Text by which rows are found.
   * Compared by its bytes, in every language of the server.
   */
  key: customType<{ data: string }>({ dataType: () => 'text collate "C"' }),
  index,
  uniqueIndex,
  primaryKey,
  check,
  /** Indexes on the time of rows. SQLite finds old attempts by their posts. */
  timeIndexes: (name: string, time: AnyPgColumn) => [index(name).on(time)],
  /**
   * Exactly as in the first migrations.
   * Drizzle's tool recognises them by it.
   */
  expressions: {
    countsNotNegative: sql`least(count_0, count_1, count_2, count_3, count_4, count_5) >= 0`,
    scoreInRange: sql`score in (0, 1, 2, 3, 4, 5)`,
    inNoWindow: sql`"window" is null`,
    inWindow: sql`"window" is not null`,
  },
};
