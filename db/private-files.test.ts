import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/database.ts";

const child = join(import.meta.dirname, "../testing/private-files-child.ts");

/** Runs the child in `folder`, with a umask of 0, until it kills itself. */
function runIn(folder: string): void {
  if (!existsSync(join(folder, "db"))) symlinkSync(import.meta.dirname, join(folder, "db")); // for the migrations
  const { signal, stderr } = spawnSync(process.execPath, [child], { cwd: folder, encoding: "utf8" });
  expect({ signal, stderr }).toEqual({ signal: "SIGKILL", stderr: "" });
}

/** The modes of all files in the data folder, and of that itself. */
function modesIn(folder: string): Record<string, string> {
  const data = join(folder, "data");
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  return Object.fromEntries([
    ["data", mode(data)],
    ...readdirSync(data)
      .toSorted()
      .map((name) => [name, mode(join(data, name))]),
  ]);
}

const files = [
  "auth-secret",
  "copy.db",
  "restored.db",
  "weir.backup",
  "weir.db",
  "weir.db-shm",
  "weir.db-wal",
];

test("creates data, secret, backup, copy and restored database for their owner alone under a lax umask", () => {
  const folder = temporaryFolder();
  runIn(folder);
  const modes = modesIn(folder);
  expect(modes).toMatchObject({ data: "700", ...Object.fromEntries(files.map((name) => [name, "600"])) });
  expect(Object.entries(modes).filter(([name, mode]) => name !== "data" && mode !== "600")).toEqual([]);
});

test("takes the rights of others on files that exist already", () => {
  const folder = temporaryFolder();
  runIn(folder);
  const data = join(folder, "data");
  chmodSync(data, 0o755);
  for (const name of files) chmodSync(join(data, name), 0o644);
  runIn(folder);
  expect(modesIn(folder)).toMatchObject({
    data: "700",
    ...Object.fromEntries(files.map((name) => [name, "600"])),
  });
});

test("leaves the folder of a database elsewhere, and a folder in its place, as they are", async () => {
  const { makePrivateSqliteFile } = await import("./private-files.ts");
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  makePrivateSqliteFile(join(folder, "weir.db"));
  expect(existsSync(join(folder, "weir.db"))).toBe(true);
  expect(statSync(folder).mode & 0o777).toBe(0o755);
  mkdirSync(join(folder, "a"), { mode: 0o700 });
  writeFileSync(join(folder, "a", "b"), "");
  makePrivateSqliteFile(join(folder, "a"));
  expect(statSync(join(folder, "a")).mode & 0o777).toBe(0o700);
});
