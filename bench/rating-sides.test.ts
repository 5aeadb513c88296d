import { expect, test } from "vitest";
import { compareWithRaw as compareOnPostgres } from "./nodes-transaction.bench.ts";
import { compareWithRaw as compareOnSqlite } from "./ratings.bench.ts";

// They throw when lib/ratings and the statements by hand have not left the same rows.
test.each([
  ["SQLite", compareOnSqlite],
  ["PostgreSQL", compareOnPostgres],
])("the statements by hand write the same rows as lib/ratings on %s", async (_, compare) => {
  await expect(compare(1)).resolves.toHaveProperty("durable");
});
