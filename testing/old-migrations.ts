/** The migrations of an earlier release, for databases as it left them. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./database.ts";

/** A folder with a dialect's migrations as it was before the one of this name. */
export function migrationsBefore(dialect: "sqlite" | "postgres", name: string): string {
  const folder = join(temporaryFolder(), "migrations");
  cpSync(join(import.meta.dirname, "../db/migrations", dialect), folder, { recursive: true });
  const journalFile = join(folder, "meta/_journal.json");
  const journal: { entries: { tag: string }[] } = JSON.parse(readFileSync(journalFile, "utf8"));
  const index = journal.entries.findIndex(({ tag }) => tag === name);
  if (index < 0) throw new Error(`There is no migration ${name}.`);
  journal.entries.splice(index);
  writeFileSync(journalFile, JSON.stringify(journal));
  return folder;
}
