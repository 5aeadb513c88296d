import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PostgresServer, startPostgres } from "../scripts/cluster/start-postgres.ts";
import { blogUrl, changeByHand, enlarge } from "../testing/blog.ts";
import { runChild } from "../testing/child-process.ts";
import { temporaryDatabase, temporaryDatabaseUrl, temporaryFolder } from "../testing/database.ts";
import { integrityFaults } from "../testing/integrity.ts";
import { backUp } from "./backup.ts";
import { copyDatabase } from "./copy/index.ts";
import { databaseFile } from "./index.ts";

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const child = new URL("../testing/backup-child.ts", import.meta.url).pathname;
const raterChild = new URL("../testing/rating-child.ts", import.meta.url).pathname;

test("writes one file with the whole blog, readable by its owner only", async () => {
  const url = await blogUrl();
  const folder = temporaryFolder();
  const file = join(folder, "weir.backup");
  await backUp(url, file);
  expect(readdirSync(folder)).toEqual(["weir.backup"]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  // All rows are there already, and none is another.
  expect(await copyDatabase(url, `file:${file}`)).toMatchObject({ copied: 0 });
});

test("makes a consistent backup while ratings are being saved", async () => {
  const url = await blogUrl();
  await enlarge(url, 10);
  const database = temporaryDatabase(url);
  const slugs = (await database.posts.recent(10)).map(({ slug }) => slug);
  const rating = runChild(raterChild, [url, "3", slugs.join(), "10,11,12,13,14,15,16,17,18,19"]);
  await rating.printed(20);
  let file: string;
  let [linesBefore, linesAfter] = [0, 0];
  // Until ratings are saved during one.
  do {
    [linesBefore, linesAfter] = [0, 0];
    file = join(temporaryFolder(), "weir.backup");
    await backUp(url, file, {
      onStage: (stage) => {
        if (stage === "checking") linesAfter ||= rating.lines.length;
        else linesBefore ||= rating.lines.length;
      },
    });
  } while (linesAfter === linesBefore);
  rating.kill("SIGKILL");
  await rating.ended;
  const backup = temporaryDatabase(`file:${file}`);
  expect(await integrityFaults(backup)).toEqual([]);
});

test("makes the same kind of file from PostgreSQL", async () => {
  const url = await postgres.newDatabase();
  await copyDatabase(await blogUrl(), url);
  const file = join(temporaryFolder(), "weir.backup");
  await backUp(url, file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await copyDatabase(`file:${file}`, url)).toMatchObject({ copied: 0 });
  expect(await integrityFaults(temporaryDatabase(`file:${file}`))).toEqual([]);
});

test("replaces an existing file only with --force", async () => {
  const url = await blogUrl();
  const file = join(temporaryFolder(), "weir.backup");
  writeFileSync(file, "precious");
  await expect(backUp(url, file)).rejects.toThrow("exists already");
  expect(readFileSync(file, "utf8")).toBe("precious");
  await backUp(url, file, { replaces: true });
  expect(await copyDatabase(url, `file:${file}`)).toMatchObject({ copied: 0 });
  await expect(backUp(url, databaseFile(url), { replaces: true })).rejects.toThrow("the database itself");
});

test("leaves the old file when killed, and the next backup removes the unfinished one", async () => {
  const url = await blogUrl();
  await enlarge(url, 10);
  const file = join(temporaryFolder(), "weir.backup");
  writeFileSync(file, "the one of yesterday");
  // A dozen steps of copying, then two of checking. The kill comes anywhere in the two that follow.
  for (const steps of [1, 8]) {
    const backup = runChild(child, ["backup", url, file, String(steps + 2)]);
    await backup.printed(steps);
    backup.kill("SIGKILL");
    await backup.ended;
    expect(backup.lines.some((line) => line.startsWith("checking 1"))).toBe(false);
    expect(readFileSync(file, "utf8")).toBe("the one of yesterday");
  }
  expect(readdirSync(dirname(file)).length).toBeGreaterThan(1);
  await backUp(url, file, { replaces: true });
  expect(readdirSync(dirname(file))).toEqual(["weir.backup"]);
  expect(await copyDatabase(url, `file:${file}`)).toMatchObject({ copied: 0 });
});

test.each([
  [
    "counters that a recount disagrees with",
    "update posts set count_3 = count_3 + 1 where id = 4",
    "post 4: 0,0,0,1,0,0",
  ],
  [
    "references to nothing",
    "pragma foreign_keys = off; insert into post_contents (post_id, content) values (999, 'x')",
    "post_contents 999",
  ],
])("refuses to back up a blog with %s, and names the fault", async (_what, sql, message) => {
  const url = await blogUrl();
  await changeByHand(url, sql);
  const file = join(temporaryFolder(), "weir.backup");
  await expect(backUp(url, file)).rejects.toThrow(message);
  expect(readdirSync(dirname(file))).toEqual([]);
});

test("makes no backup where there is no blog", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "weir.backup");
  const url = temporaryDatabaseUrl();
  await expect(backUp(url, file)).rejects.toThrow("There is no file");
  writeFileSync(databaseFile(url), "no database at all, but some text that is long enough");
  await expect(backUp(url, file)).rejects.toThrow("cannot be read as a database");
  await expect(backUp(await blogUrl(), join(folder, "none", "weir.backup"))).rejects.toThrow(
    "There is no folder",
  );
  expect(existsSync(file)).toBe(false);
});
