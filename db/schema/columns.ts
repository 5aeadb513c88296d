/** Columns that several tables have. */
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { postgresColumns } from "../dialects/postgres/columns.ts";

/** A table whose rows others refer to. */
export interface Referenced {
  id: AnyPgColumn;
}

/** Makes columns for the user that a row is about, and is removed with. */
export function userReference({ bigint }: typeof postgresColumns, users: Referenced) {
  return () =>
    bigint("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" });
}

/** Makes columns for the post that a row is about, and is removed with. */
export function postReference({ bigint }: typeof postgresColumns, posts: Referenced) {
  return () =>
    bigint("post_id")
      .notNull()
      .references(() => posts.id, { onDelete: "cascade" });
}

/** Makes columns for how many ratings there are of 0, 1, … 5 stars. */
export function counterColumns({ integer }: typeof postgresColumns) {
  return () => ({
    count0: integer("count_0").notNull().default(0),
    count1: integer("count_1").notNull().default(0),
    count2: integer("count_2").notNull().default(0),
    count3: integer("count_3").notNull().default(0),
    count4: integer("count_4").notNull().default(0),
    count5: integer("count_5").notNull().default(0),
  });
}
