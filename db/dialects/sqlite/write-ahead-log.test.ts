import { statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDatabase, temporaryDatabaseUrl, temporaryFolder } from "../../../testing/database.ts";
import { databaseFile, type SqliteDatabase } from "./index.ts";
import { logMaximumBytes, logSize } from "./write-ahead-log.ts";

const megabyte = 2 ** 20;

/** Writes more than the write-ahead log may hold, a megabyte per transaction. */
async function growLog(database: SqliteDatabase): Promise<void> {
  database.sqlite.pragma("synchronous = OFF"); // no power failure to survive here
  const insert = database.sqlite.prepare(
    "insert into limiter_states (key, state, expires_at) values (?, '[]' || zeroblob(?), 0)",
  );
  for (let written = 0; written <= logMaximumBytes; written += megabyte)
    await database.transaction(async () => void insert.run(`filler:${written}`, megabyte));
}

test("shrinks a log that grew during a long read as soon as the reader ends, without another write", async () => {
  const url = temporaryDatabaseUrl();
  const [database, reader] = [temporaryDatabase(url), temporaryDatabase(url)];
  const file = database.sqlite.name;
  const checkpointPages = () => database.sqlite.pragma("wal_autocheckpoint", { simple: true });
  reader.sqlite.exec("begin; select count(*) from users");
  await growLog(database);
  expect(await logSize(file)).toBeGreaterThan(logMaximumBytes);
  // Meanwhile a commit does not move the log's pages on this thread.
  await expect.poll(checkpointPages).toBe(0);
  await database.transaction(() => database.limiterStates.remove(["filler:0"]));
  expect(await logSize(file)).toBeGreaterThan(logMaximumBytes);
  reader.sqlite.exec("commit");
  await expect.poll(() => logSize(file)).toBe(0);
  await expect.poll(checkpointPages).toBe(1_000);
  expect(database.sqlite.pragma("integrity_check", { simple: true })).toBe("ok");
});

test("shrinks a large log of a file that is opened by a symbolic link", async () => {
  const target = temporaryDatabaseUrl();
  const link = join(temporaryFolder(), "link.db");
  temporaryDatabase(target);
  symlinkSync(databaseFile(target), link);
  const [database, reader] = [temporaryDatabase(`file:${link}`), temporaryDatabase(target)];
  reader.sqlite.exec("begin; select count(*) from users");
  await growLog(database);
  expect(await logSize(link)).toBeGreaterThan(logMaximumBytes);
  reader.sqlite.exec("commit");
  await expect.poll(() => statSync(`${databaseFile(target)}-wal`).size).toBe(0);
});

test("truncates a large log to the limit when a commit restarts it", async () => {
  const database = temporaryDatabase();
  database.sqlite.pragma("wal_autocheckpoint = 0");
  await growLog(database);
  database.sqlite.pragma("wal_checkpoint(PASSIVE)");
  await database.transaction(() => database.limiterStates.remove(["filler:0"]));
  expect(await logSize(database.sqlite.name)).toBeLessThanOrEqual(logMaximumBytes);
});

test("closes while a reader keeps a large log from being truncated", async () => {
  const url = temporaryDatabaseUrl();
  const [database, reader] = [temporaryDatabase(url), temporaryDatabase(url)];
  reader.sqlite.exec("begin; select count(*) from users");
  await growLog(database);
  await expect.poll(() => database.sqlite.pragma("wal_autocheckpoint", { simple: true })).toBe(0);
  await database.close();
  expect(await logSize(database.sqlite.name)).toBeGreaterThan(logMaximumBytes);
});
