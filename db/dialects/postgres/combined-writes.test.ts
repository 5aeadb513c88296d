import { expect, test } from "vitest";
import type { RowValues } from "../../dialect.ts";
import { combined, type RowsWrite, unsentRow } from "./combined-writes.ts";

interface Row extends RowValues {
  id: number;
  value: number;
}

const keyOf = ({ id }: Row) => id;
const list = (rows: readonly Row[]) => rows.map(({ id, value }) => `${id}=${value}`).join(" ");
const many = (verb: string, table: string): RowsWrite<Row> => ({
  table,
  keyOf,
  writeOf: (rows) => ({ text: `${verb} ${table} ${list(rows)}`, values: [] }),
});
const merging: RowsWrite<Row> = {
  table: "sums",
  keyOf,
  merged: (earlier, later) => ({ ...later, value: earlier.value + later.value }),
  writeOf: (rows) => (rows.length === 1 ? { text: `add sums ${list(rows)}`, values: [] } : undefined),
};
const [insert, update, other] = [many("insert", "rows"), many("update", "rows"), many("insert", "others")];
const textsOf = (...rows: Parameters<typeof combined>[0][number][]) => combined(rows).map(({ text }) => text);
const row = (write: RowsWrite<Row>, id: number, value: number) => unsentRow(write, { id, value });

test("writes the rows of each table by one statement, and those of several tables together", () => {
  const rows = [row(insert, 1, 10), row(other, 1, 5), row(insert, 2, 20), row(other, 2, 6)];
  expect(textsOf(...rows)).toEqual([
    "with write_0 as (insert rows 1=10 2=20), write_1 as (insert others 1=5 2=6) select",
  ]);
});

test("writes a table once in a statement", () => {
  expect(textsOf(row(insert, 1, 10), row(update, 2, 20), row(insert, 3, 30))).toEqual([
    "insert rows 1=10 3=30",
    "update rows 2=20",
  ]);
});

test("writes a row that is written twice in the order of its writes", () => {
  expect(textsOf(row(update, 2, 20), row(insert, 1, 10), row(update, 1, 11), row(update, 1, 12))).toEqual([
    "update rows 2=20",
    "insert rows 1=10",
    "update rows 1=11",
    "update rows 1=12",
  ]);
});

test("merges the writes of one row, and writes others by themselves", () => {
  expect(textsOf(row(merging, 1, 1), row(merging, 1, 2), row(merging, 2, 5), row(merging, 1, 3))).toEqual([
    "add sums 1=6",
    "add sums 2=5",
  ]);
});
