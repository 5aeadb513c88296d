/** The schema's column types, as SQLite's builders. */
import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { postgresColumns } from "../postgres/columns.ts";

const sqliteColumns = {
  table: sqliteTable,
  id: () => integer().primaryKey({ autoIncrement: true }),
  integer,
  bigint: integer,
  real,
  boolean: (name = "") => integer(name, { mode: "boolean" }),
  text,
  key: text,
  index,
  uniqueIndex,
  primaryKey,
  check,
  timeIndexes: () => [],
  expressions: {
    countsNotNegative: sql.raw(
      `min(${[0, 1, 2, 3, 4, 5].map((score) => `"posts"."count_${score}"`).join(", ")}) >= 0`,
    ),
    scoreInRange: sql`"ratings"."score" in (0, 1, 2, 3, 4, 5)`,
    inNoWindow: sql`window is null`,
    inWindow: sql`window is not null`,
  },
} satisfies Record<keyof typeof postgresColumns, unknown>;

/**
 * The columns, typed as PostgreSQL's.
 * Drizzle's builders have the same methods for both, which its types do not show.
 */
export const columns = sqliteColumns as unknown as typeof postgresColumns;
