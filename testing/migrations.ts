/** Databases of earlier versions, for tests of their upgrade. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./database.ts";

/**
 * A folder of migrations as it was before the one of this name.
 * Throws when there is none.
 */
export function migrationsBefore(dialect: "sqlite" | "postgres", name: string): string {
  const folder = join(temporaryFolder(), "migrations");
  cpSync(join(process.cwd(), "db/migrations", dialect), folder, { recursive: true });
  const journalFile = join(folder, "meta/_journal.json");
  const journal: { entries: { tag: string }[] } = JSON.parse(readFileSync(journalFile, "utf8"));
  const index = journal.entries.findIndex(({ tag }) => tag.endsWith(`_${name}`));
  if (index < 1) throw new Error(`There is no migration ${name}.`);
  journal.entries.splice(index);
  writeFileSync(journalFile, JSON.stringify(journal));
  return folder;
}
