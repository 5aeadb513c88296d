import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWindow } from "../lib/ratings/floods/flood-window.ts";
import { type PostgresServer, startPostgres } from "../scripts/cluster/start-postgres.ts";
import { blogUrl, changeByHand, enlarge, removeUnrestored } from "../testing/blog.ts";
import { runChild } from "../testing/child-process.ts";
import { addPost, addUser, morning } from "../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl, temporaryFolder } from "../testing/database.ts";
import { integrityFaults } from "../testing/integrity.ts";
import { patientTimeouts } from "../testing/postgres-server.ts";
import { backUp } from "./backup.ts";
import { copyDatabase } from "./copy/index.ts";
import { requirePostgresUnused } from "./dialects/postgres/copy.ts";
import { databaseFile, openDatabase } from "./index.ts";
import { restore } from "./restore.ts";

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const child = new URL("../testing/backup-child.ts", import.meta.url).pathname;
const raterChild = new URL("../testing/rating-child.ts", import.meta.url).pathname;
const now = morning;
const keptEnding = ".before-restore-20260301T090000Z";

async function backupOf(url: string): Promise<string> {
  const file = join(temporaryFolder(), "weir.backup");
  await backUp(url, file);
  return file;
}

/** The address of a database that holds one user and nothing else. */
async function smallBlogUrl(): Promise<string> {
  const url = temporaryDatabaseUrl();
  const database = temporaryDatabase(url);
  await addUser(database, "stranger");
  await database.close();
  return url;
}

/** Expects the blog at `from` at `url`, without its sessions and mails. */
async function expectRestored(from: string, url: string): Promise<void> {
  await removeUnrestored(from);
  expect(await copyDatabase(from, url)).toMatchObject({ copied: 0 });
}

async function slugOf(url: string): Promise<string> {
  const database = temporaryDatabase(url);
  const [post] = await database.posts.recent(1);
  await database.close();
  return post?.slug ?? "";
}

async function usernames(url: string): Promise<string[]> {
  const database = await openDatabase(url, { timeouts: patientTimeouts });
  const users = await database.users.all();
  await database.close();
  return users.map(({ username }) => username);
}

test("restores a backup into a new database, and the app continues from there", async () => {
  const from = await blogUrl();
  const file = await backupOf(from);
  const url = temporaryDatabaseUrl();
  expect(await restore(url, file, { now })).toBeUndefined();
  const database = temporaryDatabase(url);
  expect(await integrityFaults(database)).toEqual([]);
  expect(database.sqlite.pragma("journal_mode", { simple: true })).toBe("wal");
  await expectRestored(from, url);
});

test("lets floods that are still held be mailed again, as their mails are not restored", async () => {
  const from = await smallBlogUrl();
  const database = temporaryDatabase(from);
  const [user] = await database.users.all();
  const { id: postId } = await addPost(database, user ?? expect.fail());
  for (const [number, status] of [
    [1, "held"],
    [2, "counted"],
  ] as const) {
    await database.floodWindows.save(postId, {
      ...openWindow(number, morning, 3_600_000, []),
      lastAt: morning + 1,
      recentGapMs: 1,
      status,
    });
    await database.floodSubscriptions.markMailed(postId, number);
  }
  await database.close();
  const url = temporaryDatabaseUrl();
  await restore(url, await backupOf(from), { now });
  const restored = temporaryDatabase(url);
  expect(restored.sqlite.prepare("select number from mailed_floods").pluck().all()).toEqual([2]);
});

test.each(["SQLite", "PostgreSQL"])("restores no session from a backup to %s", async (name) => {
  const from = await smallBlogUrl();
  const database = temporaryDatabase(from);
  const [user] = await database.users.all();
  const session = { userId: user?.id ?? 0, tokenHash: "copied", device: "A device" };
  await database.sessions.insert({ ...session, createdAt: now, lastUsedAt: now }, 9);
  const url = name === "SQLite" ? temporaryDatabaseUrl() : await postgres.newDatabase();
  await restore(url, await backupOf(from), { now });
  const restored = await openDatabase(url, { timeouts: patientTimeouts });
  expect(await restored.users.all()).toHaveLength(1);
  expect(
    await restored.sessions.byHash("copied", {
      usedAfter: 0,
      begunAfter: 0,
      latest: Number.MAX_SAFE_INTEGER,
    }),
  ).toBeUndefined();
  await restored.close();
});

test("changes nothing when the sessions of a backup cannot be removed", async () => {
  const from = await smallBlogUrl();
  const database = temporaryDatabase(from);
  const [user] = await database.users.all();
  const session = { userId: user?.id ?? 0, tokenHash: "copied", device: "A device" };
  await database.sessions.insert({ ...session, createdAt: now, lastUsedAt: now }, 9);
  await database.close();
  const refuse = "create trigger refuse before delete on sessions begin select raise(abort, 'kept'); end";
  await changeByHand(from, refuse);
  const url = await smallBlogUrl();
  await changeByHand(url, "update users set username = 'resident'");
  await expect(restore(url, await backupOf(from), { now, replaces: true })).rejects.toThrow("kept");
  expect(await usernames(url)).toEqual(["resident"]);
  expect(readdirSync(dirname(databaseFile(url))).toSorted()).toEqual(["weir.db", `weir.db${keptEnding}`]);
});

test("replaces users and posts only with --force, and keeps them in a file beside", async () => {
  const [from, url] = [await blogUrl(), await smallBlogUrl()];
  const file = await backupOf(from);
  await expect(restore(url, file, { now })).rejects.toThrow("holds users or posts already");
  expect(await usernames(url)).toEqual(["stranger"]);
  const kept = await restore(url, file, { now, replaces: true });
  expect(kept).toBe(`${databaseFile(url)}${keptEnding}`);
  expect(statSync(kept ?? "").mode & 0o777).toBe(0o600);
  expect(await usernames(`file:${kept}`)).toEqual(["stranger"]);
  await expectRestored(from, url);
});

test("leaves a database alone that another process has open", async () => {
  const [file, url] = [await backupOf(await blogUrl()), await smallBlogUrl()];
  const server = temporaryDatabase(url); // open, and doing nothing
  await expect(restore(url, file, { now, replaces: true })).rejects.toThrow("stop the server first");
  expect(readdirSync(dirname(databaseFile(url))).filter((name) => name.includes("before"))).toEqual([]);
  await server.close();
  await restore(url, file, { now, replaces: true });
  expect(await usernames(url)).not.toContain("stranger");
});

test("keeps the write-ahead log of a killed server out of the restored database", async () => {
  const [from, url] = [await blogUrl(), await blogUrl()];
  const file = await backupOf(from);
  const slug = await slugOf(url);
  const rating = runChild(raterChild, [url, "5", slug, "20,21,22,23"]);
  await rating.printed(40);
  rating.kill("SIGKILL");
  await rating.ended;
  expect(statSync(`${databaseFile(url)}-wal`).size).toBeGreaterThan(0);
  await restore(url, file, { now, replaces: true });
  await expectRestored(from, url);
  expect(await integrityFaults(temporaryDatabase(url))).toEqual([]);
});

test("leaves the whole old or the whole new blog when a restore is killed", async () => {
  const [from, to] = [await blogUrl(), await blogUrl()];
  await enlarge(from, 10);
  await changeByHand(to, "delete from limiter_states; delete from attempts where id > 50");
  const file = await backupOf(from);
  const outcomes = new Set<string>();
  for (const steps of [6, 1_000]) {
    const url = temporaryDatabaseUrl();
    copyFileSync(databaseFile(to), databaseFile(url));
    const restoring = runChild(child, ["restore", url, file, String(steps + 2)]);
    await restoring.printed(steps);
    restoring.kill("SIGKILL"); // in the two steps that follow, or, the last time, when it is done
    await restoring.ended;
    const database = temporaryDatabase(url);
    expect(await integrityFaults(database)).toEqual([]);
    const attempts = database.sqlite.prepare<[], number>("select count(*) from attempts").pluck().get() ?? 0;
    const isOld = attempts === 50;
    if (isOld) expect(await copyDatabase(to, url)).toMatchObject({ copied: 0 });
    else await expectRestored(from, url);
    outcomes.add(isOld ? "old" : "new");
    await database.close();
    await restore(url, file, { now: now + 1_000, replaces: true });
    await expectRestored(from, url);
  }
  expect([...outcomes]).toEqual(["old", "new"]);
});

test.each([
  ["cut off", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ["no database", () => Buffer.from("a text of some length that is not a database")],
  ["empty", () => Buffer.alloc(0)],
  [
    "damaged",
    (bytes: Buffer) =>
      Buffer.concat([bytes.subarray(0, 40_960), Buffer.alloc(65_536, 7), bytes.subarray(106_496)]),
  ],
])("A backup that is %s is refused before anything is changed", async (_what, damage) => {
  const [file, url] = [await backupOf(await blogUrl()), await smallBlogUrl()];
  const before = readFileSync(databaseFile(url));
  writeFileSync(file, damage(readFileSync(file)));
  await expect(restore(url, file, { now, replaces: true })).rejects.toThrow(
    /is not sound|cannot be read as a database|holds no blog/,
  );
  expect(readFileSync(databaseFile(url))).toEqual(before);
});

test("replaces an unreadable database, and keeps it as it is", async () => {
  const [from, url] = [await blogUrl(), temporaryDatabaseUrl()];
  const file = await backupOf(from);
  writeFileSync(databaseFile(url), "what a failing disk has left of a database");
  await expect(restore(url, file, { now })).rejects.toThrow("--force");
  const kept = await restore(url, file, { now, replaces: true });
  expect(readFileSync(kept ?? "", "utf8")).toBe("what a failing disk has left of a database");
  await expectRestored(from, url);
});

test("replaces data in PostgreSQL only with --force, and keeps it", async () => {
  const [from, url] = [await blogUrl(), await postgres.newDatabase()];
  const file = await backupOf(from);
  const server = await openDatabase(url, { timeouts: patientTimeouts });
  await addUser(server, "stranger");
  await expect(restore(url, file, { now })).rejects.toThrow("holds users or posts already");
  await expect(restore(url, file, { now, replaces: true })).rejects.toThrow("stop all servers first");
  expect(existsSync(join(dirname(file), `weir.db${keptEnding}`))).toBe(false);
  await server.close();
  // A busy machine may list the closed connections for longer than a restore waits.
  await requirePostgresUnused(url, Number.POSITIVE_INFINITY);
  const kept = await restore(url, file, { now, replaces: true });
  expect(await usernames(`file:${kept}`)).toEqual(["stranger"]);
  await expectRestored(from, url);
});

test("changes nothing when a restore to PostgreSQL is killed", async () => {
  const url = await postgres.newDatabase();
  const database = await openDatabase(url, { timeouts: patientTimeouts });
  await addUser(database, "stranger");
  await database.close();
  await requirePostgresUnused(url, Number.POSITIVE_INFINITY);
  const file = await backupOf(await blogUrl());
  const restoring = runChild(child, ["restore", url, file, "8"]);
  await restoring.printed(6);
  restoring.kill("SIGKILL");
  await restoring.ended;
  expect(restoring.lines.at(-1)).toMatch(/^copying/);
  expect(await usernames(url)).toEqual(["stranger"]);
});

test("restores the files of images with the rows, from one file, and keeps the replaced database's", async () => {
  const [name, other] = ["i".repeat(25), "o".repeat(25)];
  const [from, to] = [temporaryFolder(), join(temporaryFolder(), "media")];
  const image = Buffer.alloc(2_000_000, "pixels");
  writeFileSync(join(from, `${name}-480x270.webp`), image);
  writeFileSync(join(from, `${other}-480x270.webp`), "of no row");
  const file = join(temporaryFolder(), "weir.backup");
  const made = await backUp(await blogUrl(), file, { mediaFolder: from });
  expect(made).toEqual({ files: 1, missingImages: 0 });
  const url = temporaryDatabaseUrl();
  await restore(url, file, { now, mediaFolder: to });
  expect(readdirSync(to)).toEqual([`${name}-480x270.webp`]);
  expect(readFileSync(join(to, `${name}-480x270.webp`)).equals(image)).toBe(true);
  const modes = [to, join(to, `${name}-480x270.webp`)].map((path) => statSync(path).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600]);
  expect(statSync(databaseFile(url)).size).toBeLessThan(statSync(file).size - image.length);

  writeFileSync(join(to, `${name}-960x540.webp`), "one more");
  const kept = await restore(url, file, { now, mediaFolder: to, replaces: true });
  const again = temporaryFolder();
  await restore(temporaryDatabaseUrl(), kept ?? "", { now, mediaFolder: again });
  expect(readdirSync(again)).toEqual([`${name}-480x270.webp`, `${name}-960x540.webp`]);
});

test("refuses a backup with a damaged file of an image, and changes nothing", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, `${"i".repeat(25)}-480x270.webp`), "pixels");
  const file = join(temporaryFolder(), "weir.backup");
  await backUp(await blogUrl(), file, { mediaFolder: folder });
  await changeByHand(`file:${file}`, "update media_files set bytes = x'00'");
  const url = temporaryDatabaseUrl();
  await expect(restore(url, file, { now, mediaFolder: temporaryFolder() })).rejects.toThrow(
    /480x270.webp .* damaged/,
  );
  expect(existsSync(databaseFile(url)) && statSync(databaseFile(url)).size > 0).toBe(false);
});
