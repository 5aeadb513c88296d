import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runChild } from "../../../testing/child-process.ts";
import { addUser } from "../../../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl, temporaryFolder } from "../../../testing/database.ts";
import { databaseFile, openSqlite } from "./index.ts";

test("opens with write-ahead log, full synchronisation and foreign keys", () => {
  const { sqlite } = temporaryDatabase();
  expect(sqlite.pragma("journal_mode", { simple: true })).toBe("wal");
  expect(sqlite.pragma("synchronous", { simple: true })).toBe(2);
  expect(sqlite.pragma("foreign_keys", { simple: true })).toBe(1);
  // Savepoints of shared commits need no files.
  expect(sqlite.pragma("temp_store", { simple: true })).toBe(2);
  // The session waits, on no thread.
  expect(sqlite.pragma("busy_timeout", { simple: true })).toBe(0);
});

test("applies no migration twice when a database is opened again", async () => {
  const url = temporaryDatabaseUrl();
  const first = temporaryDatabase(url);
  await addUser(first, "alder");
  const applied = () =>
    first.sqlite.prepare<[], number>("select count(*) from __drizzle_migrations").pluck().get();
  const before = applied();
  const second = temporaryDatabase(url);
  expect(await second.users.byUsernameKey("alder")).toBeDefined();
  expect(applied()).toBe(before);
});

test("opens a new database in several processes at the same moment", async () => {
  const file = join(import.meta.dirname, "../../../testing/open-child.ts");
  const [url, barrierFolder] = [temporaryDatabaseUrl(), temporaryFolder()];
  const children = [runChild(file, [url, barrierFolder]), runChild(file, [url, barrierFolder])];
  await Promise.all(children.map(({ ended }) => ended));
  expect(children.map(({ lines }) => lines)).toEqual([["0"], ["0"]]);
});

test("never finds a database locked or incomplete when two threads open it in step", async () => {
  const file = join(import.meta.dirname, "../../../testing/open-in-step.ts");
  const child = runChild(file, [temporaryFolder(), "15"]);
  await child.ended;
  expect(child.lines).toEqual(["15 opened", "15 opened"]);
});

test("creates the folder, and accepts relative and absolute file: addresses", async () => {
  const folder = temporaryFolder();
  const database = temporaryDatabase(`file:${folder}/not/yet/there/weir.db`);
  expect(await database.users.isFirst()).toBe(true);
  expect(databaseFile("file:./data/weir.db")).toBe(join(process.cwd(), "data/weir.db"));
  expect(databaseFile("file:///srv/weir.db")).toBe("/srv/weir.db");
  expect(databaseFile("file:/srv/weir.db")).toBe("/srv/weir.db");
});

test("refuses a file that is not a database", () => {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, "notes.txt"),
    "These are notes, and longer than a header of a hundred bytes. ".repeat(9),
  );
  expect(() => openSqlite(`file:${folder}/notes.txt`)).toThrow("file is not a database");
  mkdirSync(join(folder, "folder"));
  expect(() => openSqlite(`file:${folder}/folder`)).toThrow();
});

test("shows readers the state before a transaction until it commits", async () => {
  const url = temporaryDatabaseUrl();
  const [writer, reader] = [temporaryDatabase(url), temporaryDatabase(url)];
  await writer.transaction(async () => {
    await addUser(writer, "alder");
    expect(await reader.users.isFirst()).toBe(true);
  });
  expect(await reader.users.isFirst()).toBe(false);
});

test("opens an up-to-date database while another connection writes", async () => {
  const url = temporaryDatabaseUrl();
  const writer = temporaryDatabase(url);
  await writer.transaction(async () => {
    await addUser(writer, "alder");
    expect(await temporaryDatabase(url).users.isFirst()).toBe(true);
  });
});

test("rejects a score above 5, counters below 0 and a second rating by constraints", () => {
  const { sqlite } = temporaryDatabase();
  const user = sqlite
    .prepare(
      "insert into users (username, username_key, email, email_key, password_hash, created_at) values ('a', 'a', 'a', 'a', 'x', 0)",
    )
    .run().lastInsertRowid;
  const post = sqlite
    .prepare("insert into posts (slug, title, author_id, created_at, updated_at) values ('p', 'p', ?, 0, 0)")
    .run(user).lastInsertRowid;
  const rate = sqlite.prepare("insert into ratings values (?, ?, ?, 0, 0, null)");
  for (const score of [6, -1, 2.5, "good"])
    expect(() => rate.run(post, user, score)).toThrow("score_in_range");
  rate.run(post, user, 5);
  expect(() => rate.run(post, user, 5)).toThrow("UNIQUE");
  expect(() => rate.run(99, user, 5)).toThrow("FOREIGN KEY");
  expect(() => sqlite.exec("update posts set count_3 = count_3 - 1")).toThrow("counts_not_negative");
});

test("is not ready while another program keeps the write lock, or the disk is full", async () => {
  const url = temporaryDatabaseUrl();
  const database = temporaryDatabase(url, { lockTimeoutMs: 0 });
  const other = temporaryDatabase(url);
  await database.ping();
  other.sqlite.exec("begin immediate");
  await expect(database.ping()).rejects.toMatchObject({ code: "SQLITE_BUSY" });
  other.sqlite.exec("rollback");
  await database.ping();
  const full = openSqlite(url, { leastFreeBytes: Number.MAX_SAFE_INTEGER });
  onTestFinished(() => full.close());
  await expect(full.ping()).rejects.toMatchObject({ code: "SQLITE_FULL" });
});
