import type { Database as Sqlite } from "better-sqlite3";
import type { Source, Target } from "../../copy/sides.ts";
import {
  type Cell,
  type CopiedTable,
  columnList,
  contentsTable,
  type Row,
  selectText,
} from "../../copy/tables.ts";
import { foldForSearch } from "../../search-text.ts";
import { databaseFile, openSqlite } from "./index.ts";
import { openSqliteReader } from "./reader.ts";
import { lockTimeoutMs } from "./session.ts";

/** A snapshot of a file. Throws a `Failure` when it holds no blog of this version. */
export function sqliteSource(url: string): Source {
  const sqlite = openSqliteReader(databaseFile(url));
  sqlite.exec("begin");
  return sourceUpon(sqlite);
}

/** A file, made when absent. A batch of rows is a transaction. */
export function sqliteTarget(url: string): Target {
  const { sqlite } = openSqlite(url);
  // The command's own process has nothing else to do while it waits for another's lock.
  sqlite.pragma(`busy_timeout = ${lockTimeoutMs}`);
  const index = sqlite.prepare<[id: Cell, title: string, content: string]>(
    "insert into posts_search (rowid, title, content) values (?, ?, ?)",
  );
  const title = sqlite.prepare<[id: Cell], string>("select title from posts where id = ?").pluck();

  function insert(table: CopiedTable, rows: readonly Row[]): void {
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
    ...sourceUpon(sqlite),
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

function sourceUpon(sqlite: Sqlite): Source {
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
