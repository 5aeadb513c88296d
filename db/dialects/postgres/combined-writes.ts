/**
 * Several writes as one statement.
 * A good part of a small statement's time is overhead of PostgreSQL and the client.
 *
 * Rows of one table are one INSERT or UPDATE, and those of several tables are CTEs, which do not see each other's
 * changes; so each of these writes another table.
 */
import { Column, fillPlaceholders, is, Param } from "drizzle-orm";
import type { RowValues, RowWrite } from "../../dialect.ts";

/** An INSERT, UPDATE or DELETE without a result. */
interface WriteStatement {
  text: string;
  values: readonly unknown[];
}

/** A write of rows of one table. See `RowWrite`. */
export interface RowsWrite<Row extends RowValues> extends Pick<RowWrite<Row>, "table" | "keyOf" | "merged"> {
  /**
   * The statement for rows of different keys.
   * Undefined when it takes only one of them.
   */
  writeOf(rows: readonly Row[]): WriteStatement | undefined;
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

export function rowKey([table, key]: readonly [table: string, key: string | number]): string {
  return `${table} ${key}`;
}

/**
 * The statements that write rows.
 * With the same result as one row after the other.
 */
export function combined(rows: readonly UnsentRow[]): WriteStatement[] {
  return inOrder(rows).flatMap(statementsOf);
}

/** The rows of each write, in which no key is written twice. */
type Rows = Map<RowsWrite<RowValues>, Map<string, RowValues>>;

/**
 * Groups of rows, to be written one after the other.
 * The order within a group makes no difference.
 */
function inOrder(rows: readonly UnsentRow[]): Rows[] {
  const groups: Rows[] = [];
  let writes = new Map<string, RowsWrite<RowValues>>();
  let group: Rows = new Map();
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
function statementsOf(rows: Rows): WriteStatement[] {
  const statements: Map<string, WriteStatement>[] = [];
  for (const [write, ofKeys] of rows) {
    const all = [...ofKeys.values()];
    const together = write.writeOf(all);
    for (const each of together ? [together] : all.flatMap((row) => write.writeOf([row]) ?? [])) {
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

const known = new WeakMap<RowWrite<RowValues>, RowsWrite<RowValues>>();

/** A write of one row as one of several, unless they can be merged. */
export function rowsWriteOf(write: RowWrite<RowValues>): RowsWrite<RowValues> {
  const found = known.get(write) ?? createRowsWrite(write);
  known.set(write, found);
  return found;
}

function createRowsWrite(write: RowWrite<RowValues>): RowsWrite<RowValues> {
  const { sql: ofOne, params } = write.statement.getQuery();
  const ofSeveral = write.merged ? undefined : textOfSeveral(ofOne, params.map(typeOf));
  return {
    table: write.table,
    keyOf: write.keyOf,
    ...(write.merged && { merged: write.merged }),
    writeOf(rows) {
      const [first] = rows;
      if (first && rows.length === 1) return { text: ofOne, values: fillPlaceholders(params, first) };
      if (ofSeveral === undefined) return undefined;
      const filled = rows.map((row) => fillPlaceholders(params, row));
      return { text: ofSeveral, values: params.map((_, index) => filled.map((values) => values[index])) };
    },
  };
}

/** An INSERT or UPDATE of one row, with an array of values in place of each. */
function textOfSeveral(text: string, types: readonly string[]): string {
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`).join(", ");
  const columns = types.map((_, index) => `value_${index + 1}`).join(", ");
  const rows = `unnest(${arrays}) as rows (${columns})`;
  const ofRow = (part: string) => part.replace(/\$(\d+)/g, "rows.value_$1");
  const insert = /^(insert into "\w+") \((.*?)\) values \((.*?)\)(.*)$/s.exec(text);
  if (insert) {
    const [, into, names = "", values = "", rest = ""] = insert;
    const valuesOfRow = values.split(", ");
    // A column is left out that gets its default.
    const given = names.split(", ").flatMap((name, index) => {
      const value = valuesOfRow[index];
      return value === undefined || value === "default" ? [] : [[name, ofRow(value)]];
    });
    const list = (place: 0 | 1) => given.map((each) => each[place]).join(", ");
    return `${into} (${list(0)}) select ${list(1)} from ${rows}${rest}`;
  }
  const where = text.indexOf(" where ");
  return `${ofRow(text.slice(0, where))} from ${rows}${ofRow(text.slice(where))}`;
}

function typeOf(param: unknown): string {
  if (is(param, Param) && is(param.encoder, Column)) return param.encoder.getSQLType();
  throw new Error("Each value of a row has the type of its column");
}
