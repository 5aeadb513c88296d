import { statSync } from "node:fs";
import type { Inspection } from "../../inspection.ts";
import { danglingRows, fileFaults, queryRunner } from "./check.ts";
import { databaseFile, setPragmas } from "./index.ts";
import { openSqliteReaderOfAnyVersion } from "./reader.ts";

export function inspectSqlite(url: string): Inspection {
  const file = databaseFile(url);
  const { sqlite, state } = openSqliteReaderOfAnyVersion(file);
  // These settings belong to a connection, not to the file: the app's own gets these.
  setPragmas(sqlite);
  const pragma = (name: string) => String(sqlite.pragma(name, { simple: true }));
  const advice = "The app sets it on every connection: this build of SQLite refuses it.";
  return {
    version: `SQLite ${sqlite.prepare<[], string>("select sqlite_version()").pluck().get()}`,
    bytes: statSync(file).size,
    migrations: state,
    settings: [
      {
        name: "journal_mode",
        value: pragma("journal_mode"),
        wanted: ["wal"],
        advice: "The next start sets it to wal; until then, a writer keeps others from reading.",
      },
      { name: "synchronous", value: pragma("synchronous"), wanted: ["2", "3"], advice },
      { name: "foreign_keys", value: pragma("foreign_keys"), wanted: ["1"], advice },
    ],
    now: Date.now(),
    soundness: { integrity: () => fileFaults(sqlite), references: () => danglingRows(sqlite) },
    query: queryRunner(sqlite),
    close: async () => void sqlite.close(),
  };
}
