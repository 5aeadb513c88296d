import type { Database as Sqlite } from "better-sqlite3";
import type { CopySource, CopyTarget } from "../../copy/sides.ts";
import {
  type Cell,
  type CopiedRow,
  type CopiedTable,
  columnList,
  contentsTable,
  selectText,
} from "../../copy/tables.ts";
import { foldForSearch } from "../../search-text.ts";
import { databaseFile, openSqlite } from "./index.ts";
import { openSqliteReader } from "./reader.ts";
import { lockTimeoutMs } from "./session.ts";

/** A snapshot of a file. Throws a `Failure` when it holds no blog of this version. */
export function sqliteSource(url: string): CopySource {
  const sqlite = openSqliteReader(databaseFile(url));
  sqlite.exec("begin");
  return sourceOn(sqlite);
}

/** A file, made when absent. A batch of rows is a transaction. */
export function sqliteTarget(url: string): CopyTarget {
  const { sqlite } = openSqlite(url);
  // The command's own process has nothing else to do while it waits for another's lock.
  sqlite.pragma(`busy_timeout = ${lockTimeoutMs}`);
  const index = sqlite.prepare<[id: Cell, title: string, content: string]>(
    "insert into posts_search (rowid, title, content) values (?, ?, ?)",
  );
  const title = sqlite.prepare<[id: Cell], string>("select title from posts where id = ?").pluck();

  function insert(table: CopiedTable, rows: readonly CopiedRow[]): void {
    const { name, columns } = table;
    const values = columns.map(() => "?").join(", ");
    const statement = sqlite.prepare<Cell[]>(
      `insert into "${name}" (${columnList(table)}) values (${values})`,
    );
    for (const row of rows)
      statement.run(...row.map((cell) => (typeof cell === "boolean" ? Number(cell) : cell)));
    if (table !== contentsTable) return;
    for (const [id = null, content] of rows)
      index.run(id, foldForSearch(title.get(id) ?? ""), foldForSearch(String(content)));
  }

  return {
    ...sourceOn(sqlite),
    keepable: (text) => text,
    insert: async (table, rows) => sqlite.transaction(insert).immediate(table, rows),
    setLastNumber: async ({ name }, last) =>
      sqlite
        .transaction(() => {
          sqlite.prepare("delete from sqlite_sequence where name = ?").run(name);
          sqlite.prepare("insert into sqlite_sequence (name, seq) values (?, ?)").run(name, last);
        })
        .immediate(),
    finish: async () => {},
  };
}

function sourceOn(sqlite: Sqlite): CopySource {
  return {
    async rows(table, after, limit) {
      const text = selectText(table, "?", after && (() => "?"));
      const rows = sqlite
        .prepare<Cell[], Cell[]>(text)
        .raw()
        .all(...(after ?? []), limit);
      return rows.map((row) =>
        row.map((cell, place) => (table.columns[place]?.isBoolean ? Boolean(cell) : cell)),
      );
    },
    count: async ({ name }) =>
      sqlite.prepare<[], number>(`select count(*) from "${name}"`).pluck().get() ?? 0,
    lastNumber: async ({ name }) =>
      sqlite.prepare<[string], number>("select seq from sqlite_sequence where name = ?").pluck().get(name) ??
      0,
    close: async () => void sqlite.close(),
  };
}
