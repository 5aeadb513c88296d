/**
 * Several writes as one statement.
 * A good part of a small statement's time is overhead of PostgreSQL and the client.
 *
 * Rows of one table are one INSERT or UPDATE, and those of several tables are CTEs, which do not see each other's
 * changes; so each of these writes another table.
 */
import { Column, fillPlaceholders, is, Param } from "drizzle-orm";
import type { RowValues, RowWrite, WrittenRow } from "../../dialect.ts";

/** An INSERT, UPDATE or DELETE without a result. */
interface WriteStatement {
  text: string;
  values: readonly unknown[];
}

/** A write of rows of one table. See `RowWrite`. */
export interface RowsWrite<Row extends RowValues> extends Pick<RowWrite<Row>, "table" | "keyOf" | "merged"> {
  /** The statements for rows of different keys, in any order. */
  writeOf(rows: readonly Row[]): WriteStatement[];
}

/** A row that PostgreSQL does not have yet. */
export interface UnsentRow {
  write: RowsWrite<RowValues>;
  key: string;
  row: RowValues;
}

export function unsentRow<Row extends RowValues>(write: RowsWrite<Row>, row: Row): UnsentRow {
  return { write, key: rowKey([write.table, write.keyOf(row)]), row };
}

export function rowKey([table, key]: WrittenRow): string {
  return `${table} ${key}`;
}

/**
 * The statements that write rows.
 * With the same result as one row after the other.
 */
export function combineWrites(rows: readonly UnsentRow[]): WriteStatement[] {
  return groupsOf(rows).flatMap(statementsOf);
}

/** The rows of each write, in which no key is written twice. */
type RowGroup = Map<RowsWrite<RowValues>, Map<string, RowValues>>;

/**
 * Groups of rows, to be written one after the other.
 * The order within a group makes no difference.
 */
function groupsOf(rows: readonly UnsentRow[]): RowGroup[] {
  const groups: RowGroup[] = [];
  let writes = new Map<string, RowsWrite<RowValues>>();
  let group: RowGroup = new Map();
  for (const { write, key, row } of rows) {
    const earlierWrite = writes.get(key);
    const earlier = earlierWrite === write && write.merged ? group.get(write)?.get(key) : undefined;
    if (groups.length === 0 || (earlierWrite && !earlier)) {
      group = new Map();
      groups.push(group);
      writes = new Map();
    }
    const ofWrite = group.get(write) ?? new Map<string, RowValues>();
    group.set(write, ofWrite.set(key, (earlier && write.merged?.(earlier, row)) ?? row));
    writes.set(key, write);
  }
  return groups;
}

/** As few statements as write each table once. */
function statementsOf(group: RowGroup): WriteStatement[] {
  const statements: Map<string, WriteStatement>[] = [];
  for (const [write, rows] of group) {
    for (const each of write.writeOf([...rows.values()])) {
      const free = statements.find((statement) => !statement.has(write.table));
      if (free) free.set(write.table, each);
      else statements.push(new Map([[write.table, each]]));
    }
  }
  return statements.map((statement) => asOne([...statement.values()]));
}

/** The combined texts by their parts, of which the app has a few dozen. */
const texts = new Map<string, string>();

function asOne(writes: readonly WriteStatement[]): WriteStatement {
  const [first] = writes;
  if (first && writes.length === 1) return first;
  const key = writes.map(({ text }) => text).join(";");
  let text = texts.get(key);
  if (text === undefined) {
    let before = 0;
    const parts = writes.map(({ text, values }, index) => {
      const renumbered = text.replace(/\$(\d+)/g, (_, number) => `$${before + Number(number)}`);
      before += values.length;
      return `write_${index} as (${renumbered})`;
    });
    text = `with ${parts.join(", ")} select`;
    texts.set(key, text);
  }
  return { text, values: writes.flatMap(({ values }) => values) };
}

/**
 * A write of one row as one of several, unless they can be merged.
 * Throws when the statement cannot be changed to one of several rows.
 */
export function rowsWriteOf<Row extends RowValues>({
  table,
  keyOf,
  merged,
  statement,
}: RowWrite<Row>): RowsWrite<Row> {
  const { sql: singleRowText, params } = statement.getQuery();
  const valuesOf = (row: Row) => fillPlaceholders(params, row);
  const single = (row: Row) => ({ text: singleRowText, values: valuesOf(row) });
  if (merged) return { table, keyOf, merged, writeOf: (rows) => rows.map(single) };
  const multiRowText = multiRowTextOf(singleRowText, params.map(typeOf));
  return {
    table,
    keyOf,
    writeOf(rows) {
      if (rows.length === 1) return rows.map(single);
      const ofRows = rows.map(valuesOf);
      return [
        { text: multiRowText, values: params.map((_, index) => ofRows.map((values) => values[index])) },
      ];
    },
  };
}

const insertForm = /^(insert into "\w+") \((.*?)\) values \((.*?)\)([^$]*)$/s;
const updateForm = /^(update "\w+" set (?:"\w+" = \$\d+(?:, )?)+)( where .*)$/s;

/** An INSERT or UPDATE of one row, with an array of values in place of each. */
function multiRowTextOf(text: string, types: readonly string[]): string {
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`).join(", ");
  const columns = types.map((_, index) => `value_${index + 1}`).join(", ");
  const rows = `unnest(${arrays}) as rows (${columns})`;
  const ofRow = (part: string) => part.replace(/\$(\d+)/g, "rows.value_$1");
  const [, change, condition] = updateForm.exec(text) ?? [];
  if (change !== undefined && condition !== undefined)
    return `${ofRow(change)} from ${rows}${ofRow(condition)}`;
  const [, into, list = "", row = "", rest] = insertForm.exec(text) ?? [];
  const [names, values] = [list.split(", "), row.split(", ")];
  if (names.length !== values.length || !values.every((value) => /^(\$\d+|default)$/.test(value)))
    throw new Error(`Not a statement for one row's values: ${text}`);
  // A column is left out that gets its default.
  const given = names.flatMap((name, index) => {
    const value = values[index];
    return value === undefined || value === "default" ? [] : [{ name, value: ofRow(value) }];
  });
  const inserted = given.map(({ name }) => name).join(", ");
  return `${into} (${inserted}) select ${given.map(({ value }) => value).join(", ")} from ${rows}${rest}`;
}

function typeOf(param: unknown): string {
  if (is(param, Param) && is(param.encoder, Column))
    return param.encoder.getSQLType().replace(/ collate .*/, "");
  throw new Error("Each value of a row has the type of its column");
}
