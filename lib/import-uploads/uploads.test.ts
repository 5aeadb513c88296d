/** Archives that administrators upload, from the first byte to the report. */
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { newDatabases } from "../../testing/both-databases.ts";
import { addUser, morning } from "../../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl, temporaryFolder } from "../../testing/database.ts";
import { reservedBytes } from "../media/folder.ts";
import { runExclusively } from "./import-lock.ts";
import { startImport } from "./run.ts";
import {
  archiveAt,
  isAnyRunning,
  isRunning,
  newReport,
  readReport,
  removeBrokenOff,
  removeOldArchives,
  saveArchive,
  writeReport,
} from "./uploads.ts";

const folderWith = (freeBytes = 1e12) => ({ path: temporaryFolder(), freeBytes: async () => freeBytes });

async function* chunks(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

const uploads = (path: string) =>
  existsSync(join(path, "imports")) ? readdirSync(join(path, "imports")) : [];

test("an upload that is empty, too large for the disk or breaks off leaves nothing", async () => {
  const empty = folderWith();
  expect(await saveArchive(empty, chunks(), morning)).toEqual({ kind: "empty" });
  const full = folderWith(reservedBytes + 5);
  expect(await saveArchive(full, chunks("four", "more"), morning)).toEqual({ kind: "disk-full" });
  const broken = folderWith();
  async function* breaking() {
    yield Buffer.from("a part");
    throw new Error("the client has gone");
  }
  await expect(saveArchive(broken, breaking(), morning)).rejects.toThrow("the client has gone");
  expect([empty, full, broken].flatMap(({ path }) => uploads(path))).toEqual([]);
});

test("archives and reports are readable by their owner alone, in an open folder too", async () => {
  const folder = folderWith();
  const saved = await saveArchive(folder, chunks("x"), Date.now());
  const id = saved.kind === "saved" ? saved.id : expect.fail(saved.kind);
  await writeReport(folder, id, newReport({ format: "ghost", isTrial: true, at: morning }));
  const imports = join(folder.path, "imports");
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  expect([mode(imports), mode(join(imports, id))]).toEqual(["700", "700"]);
  const files = readdirSync(join(imports, id));
  expect(files.map((file) => [file, mode(join(imports, id, file))])).toEqual([
    ["archive", "600"],
    ["report.json", "600"],
  ]);
});

test("only the latest archives are kept, for a day, and found by their ids alone", async () => {
  const folder = folderWith();
  const now = Date.now();
  const ids: string[] = [];
  for (let count = 0; count < 7; count += 1) {
    const outcome = await saveArchive(folder, chunks("x"), now);
    const id = outcome.kind === "saved" ? outcome.id : expect.fail(outcome.kind);
    const at = new Date(now - 60_000 + count);
    utimesSync(join(folder.path, "imports", id), at, at);
    ids.push(id);
  }
  expect(uploads(folder.path).toSorted()).toEqual(ids.slice(-5).toSorted());
  expect(await archiveAt(folder, ids[6] ?? "")).toBeDefined();
  expect(await archiveAt(folder, ids[0] ?? "")).toBeUndefined();
  writeFileSync(join(folder.path, "archive"), "x");
  for (const id of ["", "..", `../imports/${ids[6]}`, "%2e%2e"])
    expect(await archiveAt(folder, id)).toBeUndefined();
  await removeOldArchives(folder, now + 25 * 3_600_000);
  expect(uploads(folder.path)).toEqual([]);
});

test("an import that has been silent for a minute is not running", async () => {
  const folder = folderWith();
  const id = "0".repeat(32);
  mkdirSync(join(folder.path, "imports", id), { recursive: true });
  const report = newReport({ format: "ghost", isTrial: true, at: morning });
  await writeReport(folder, id, report);
  expect(await readReport(folder, id)).toMatchObject(report);
  expect(await isAnyRunning(folder, morning + 59_000)).toBe(true);
  await removeBrokenOff(folder, morning + 59_000);
  expect(await isAnyRunning(folder, morning + 60_000)).toBe(false);
  // The process of another host may have the number of one that has ended here.
  expect(isRunning({ ...report, writer: "another-kernel pid:[1] 4194304" }, morning)).toBe(true);
  expect(isRunning({ ...report, state: "done" }, morning)).toBe(false);
  expect(uploads(folder.path)).toEqual([id]);
  await removeBrokenOff(folder, morning + 60_000);
  expect(uploads(folder.path)).toEqual([]);
});

test("a report that is larger than any import writes is not read", async () => {
  const folder = folderWith();
  const id = "0".repeat(32);
  mkdirSync(join(folder.path, "imports", id), { recursive: true });
  const report = newReport({ format: "ghost", isTrial: true, at: morning });
  await writeReport(folder, id, { ...report, problem: "x".repeat(4 * 1024 * 1024) });
  expect(await readReport(folder, id)).toBeUndefined();
});

test("an administrator's import runs in a process of its own, first on trial, and is on record", async () => {
  const url = temporaryDatabaseUrl();
  const database = temporaryDatabase(url);
  const folder = folderWith();
  vi.stubEnv("DATABASE_URL", url);
  vi.stubEnv("MEDIA_FOLDER", folder.path);
  const actor = await addUser(database, "alder", { isAdministrator: true });
  const post = { id: "1", title: "Old", slug: "old", status: "published", html: "<p>Words.</p>" };
  const data = {
    posts: [{ ...post, published_at: "2020-05-01T10:00:00.000Z", author_id: "1" }, { id: "2" }],
    users: [{ id: "1", slug: "jane-doe" }],
  };
  const saved = await saveArchive(folder, chunks(JSON.stringify({ db: [{ data }] })), Date.now());
  const id = saved.kind === "saved" ? saved.id : expect.fail(saved.kind);
  const context = { database, mediaFolder: folder };
  const begin = (isTrial: boolean, authors: { name: string; account: string }[]) =>
    startImport(context, { actor, id, format: "ghost", isTrial, authors, now: Date.now() });
  const done = async () => {
    await expect.poll(async () => (await readReport(folder, id))?.state).not.toBe("running");
    return readReport(folder, id);
  };
  expect(await begin(true, [])).toEqual({ kind: "started" });
  expect(await begin(true, [])).toEqual({ kind: "running" });
  expect(await done()).toMatchObject({
    ...{ state: "done", isTrial: true, counts: { failed: 2 } },
    authors: [{ name: "jane-doe", posts: 1, account: "" }],
    lines: [{ reason: "No account here is named jane-doe, as its author is." }, { result: "failed" }],
  });
  expect(await database.accountChanges.latest(9, undefined, "all")).toEqual([]);
  // More than an argument of a process can be.
  const others = Array.from({ length: 499 }, (_, index) => ({
    name: `${index}-${"x".repeat(300)}`,
    account: "x",
  }));
  const authors = [{ name: "jane-doe", account: "alder" }, ...others];
  expect(await begin(false, authors)).toEqual({ kind: "started" });
  expect(await done()).toMatchObject({ state: "done", counts: { imported: 1, failed: 1 } });
  expect((await database.exports.posts({ after: 0, limit: 9 })).map(({ slug }) => slug)).toEqual(["old"]);
  const changes = await database.accountChanges.latest(9, undefined, "all");
  expect(changes.map(({ kind, by }) => [kind, by])).toEqual([
    ["make-writer", "alder"],
    ["import-posts", "alder"],
  ]);

  const reader = await addUser(database, "birch");
  const request = { id, format: "ghost", isTrial: true, authors: [], now: Date.now() } as const;
  expect(await startImport(context, { ...request, actor: reader })).toEqual({ kind: "forbidden" });
  const gone = { ...request, actor, id: "0".repeat(32) };
  expect(await startImport(context, gone)).toEqual({ kind: "nothing-there" });
});

describe.each(newDatabases)("imports on %s", (_, open) => {
  test("that begin at once are one", async () => {
    const database = await open();
    const folder = folderWith();
    // The processes are on trial, on a database of their own.
    vi.stubEnv("DATABASE_URL", temporaryDatabaseUrl());
    vi.stubEnv("MEDIA_FOLDER", folder.path);
    const actor = await addUser(database, "alder", { isAdministrator: true });
    const ids = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const saved = await saveArchive(folder, chunks("{}"), Date.now());
        return saved.kind === "saved" ? saved.id : expect.fail(saved.kind);
      }),
    );
    const request = { actor, format: "ghost", isTrial: true, authors: [], now: Date.now() } as const;
    const started = await Promise.all(
      ids.map((id) => startImport({ database, mediaFolder: folder }, { ...request, id })),
    );
    expect(started.map(({ kind }) => kind).toSorted()).toEqual(["running", "running", "running", "started"]);
    await expect.poll(async () => isAnyRunning(folder, Date.now())).toBe(false);
  });

  test("by command run one at a time, and none begins on a page meanwhile", async () => {
    const database = await open();
    const folder = folderWith();
    const actor = await addUser(database, "alder", { isAdministrator: true });
    const saved = await saveArchive(folder, chunks("{}"), Date.now());
    const id = saved.kind === "saved" ? saved.id : expect.fail(saved.kind);
    const onPage = () =>
      startImport(
        { database, mediaFolder: folder },
        { actor, id, format: "ghost", isTrial: true, authors: [], now: database.time() },
      );
    const command = (lines: AsyncIterable<Buffer>) =>
      runExclusively({ database, folder }, { format: "ghost", isTrial: false }, lines);
    const first = command(chunks("a", "b"));
    expect((await first.next()).value?.toString()).toBe("a");
    await expect(command(chunks("c")).next()).rejects.toThrow("Another import is running");
    expect(await onPage()).toEqual({ kind: "running" });
    expect((await first.next()).value?.toString()).toBe("b");
    expect((await first.next()).done).toBe(true);
    expect(uploads(folder.path)).toEqual([id]);
    const both = [command(chunks("c")), command(chunks("d"))];
    const begun = await Promise.allSettled(both.map((each) => each.next()));
    expect(begun.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    for (const each of both) await each.return(undefined);
    expect(uploads(folder.path)).toEqual([id]);
  });
});
