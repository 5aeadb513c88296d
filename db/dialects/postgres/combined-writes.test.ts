import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/pg-proxy";
import { expect, test } from "vitest";
import type { RowValues, RowWrite } from "../../dialect.ts";
import { combineWrites, type RowsWrite, rowsWriteOf, unsentRow } from "./combined-writes.ts";
import { limiterStates } from "./schema.ts";

interface Row extends RowValues {
  id: number;
  value: number;
}

const keyOf = ({ id }: Row) => id;
const list = (rows: readonly Row[]) => rows.map(({ id, value }) => `${id}=${value}`).join(" ");
const many = (verb: string, table: string): RowsWrite<Row> => ({
  table,
  keyOf,
  writeOf: (rows) => [{ text: `${verb} ${table} ${list(rows)}`, values: [] }],
});
const merging: RowsWrite<Row> = {
  table: "sums",
  keyOf,
  merged: (earlier, later) => ({ ...later, value: earlier.value + later.value }),
  writeOf: (rows) => rows.map((row) => ({ text: `add sums ${list([row])}`, values: [] })),
};
const [insert, update, other] = [many("insert", "rows"), many("update", "rows"), many("insert", "others")];
const textsOf = (...rows: Parameters<typeof combineWrites>[0][number][]) =>
  combineWrites(rows).map(({ text }) => text);
const rowOf = (write: RowsWrite<Row>, id: number, value: number) => unsentRow(write, { id, value });

test("writes the rows of each table by one statement, and those of several tables together", () => {
  const rows = [rowOf(insert, 1, 10), rowOf(other, 1, 5), rowOf(insert, 2, 20), rowOf(other, 2, 6)];
  expect(textsOf(...rows)).toEqual([
    "with write_0 as (insert rows 1=10 2=20), write_1 as (insert others 1=5 2=6) select",
  ]);
});

test("writes a table once in a statement", () => {
  expect(textsOf(rowOf(insert, 1, 10), rowOf(update, 2, 20), rowOf(insert, 3, 30))).toEqual([
    "insert rows 1=10 3=30",
    "update rows 2=20",
  ]);
});

test("writes a row that is written twice in the order of its writes", () => {
  expect(
    textsOf(rowOf(update, 2, 20), rowOf(insert, 1, 10), rowOf(update, 1, 11), rowOf(update, 1, 12)),
  ).toEqual(["update rows 2=20", "insert rows 1=10", "update rows 1=11", "update rows 1=12"]);
});

test("merges the writes of one row, and writes others by themselves", () => {
  expect(
    textsOf(rowOf(merging, 1, 1), rowOf(merging, 1, 2), rowOf(merging, 2, 5), rowOf(merging, 1, 3)),
  ).toEqual(["add sums 1=6", "add sums 2=5"]);
});

const statements = drizzle(async () => ({ rows: [] }));
const insertInto = statements.insert(limiterStates);
const updateOf = statements.update(limiterStates);
const [key, state, expiresAt] = [
  sql.placeholder("key"),
  sql.placeholder("state"),
  sql.placeholder("expiresAt"),
];
const [givenKey, given] = [sql.param(key, limiterStates.key), sql.param(state, limiterStates.state)];
const ofKey = eq(limiterStates.key, sql`${givenKey}`);
const changed = sql`lower(${given})`;

function writesOf(statement: { prepare(name: string): RowWrite<RowValues>["statement"] }) {
  const prepared = statement.prepare("write");
  const write = rowsWriteOf({
    table: "limiter_states",
    keyOf: ({ key }) => String(key),
    statement: prepared,
  });
  return write.writeOf(["a", "b"].map((key) => ({ key, state: "{}", expiresAt: 5 })));
}

test("writes several rows by a statement for one, with an array of each column's type", () => {
  expect(writesOf(insertInto.values({ key, state, expiresAt }).onConflictDoNothing())).toEqual([
    {
      text: 'insert into "limiter_states" ("key", "state", "expires_at") select rows.value_1, rows.value_2, rows.value_3 from unnest($1::text[], $2::text[], $3::bigint[]) as rows (value_1, value_2, value_3) on conflict do nothing',
      values: [
        ["a", "b"],
        ["{}", "{}"],
        [5, 5],
      ],
    },
  ]);
  expect(writesOf(updateOf.set({ state: sql`${given}` }).where(ofKey))).toEqual([
    {
      text: 'update "limiter_states" set "state" = rows.value_1 from unnest($1::text[], $2::text[]) as rows (value_1, value_2) where "limiter_states"."key" = rows.value_2',
      values: [
        ["{}", "{}"],
        ["a", "b"],
      ],
    },
  ]);
});

const row = { key, state, expiresAt };
const conflict = { target: limiterStates.key, set: { state: sql`${given}` } };
test.each([
  ["an INSERT with a value in its end", insertInto.values(row).onConflictDoUpdate(conflict)],
  ["an INSERT of an expression", insertInto.values({ ...row, state: changed })],
  ["an INSERT of two rows", insertInto.values([row, row])],
  ["an UPDATE without a condition", updateOf.set({ state: sql`${given}` })],
  ["an UPDATE with an expression", updateOf.set({ state: changed }).where(ofKey)],
  ["a DELETE", statements.delete(limiterStates).where(ofKey)],
])("refuses %s as a statement for several rows", (_, statement) => {
  expect(() => writesOf(statement)).toThrow("Not a statement for one row's values");
});
