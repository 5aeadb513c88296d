import { join } from "node:path";
import { expect, test } from "vitest";
import { createLimiter, leakyBucket, type Store } from "../lib/limiter/index.ts";
import { runChild } from "../testing/child-process.ts";
import { commitsIn } from "../testing/commits.ts";
import { morning } from "../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl } from "../testing/database.ts";
import { databaseStore } from "./limiter-store.ts";

const oneAtATime = leakyBucket({ capacity: 10, leakPerSecond: 1 });
const countOn = (count = 0) => ({ result: count + 1, next: count + 1 });

function counting(times: number, store: Store): Promise<number>[] {
  return Array.from({ length: times }, () => store.update("count", countOn));
}

test("commits up to 256 updates of one turn together, in order", async () => {
  const url = temporaryDatabaseUrl();
  const store = databaseStore(temporaryDatabase(url));
  const before = commitsIn(url);
  expect(await Promise.all(counting(200, store))).toEqual(
    Array.from({ length: 200 }, (_, index) => index + 1),
  );
  expect(commitsIn(url) - before).toBe(1);
  expect((await Promise.all(counting(600, store))).at(-1)).toBe(800);
  // Some of its transactions may share a commit.
  expect(commitsIn(url) - before).toBeLessThanOrEqual(4);
});

test("commits updates of different callbacks of one turn together", async () => {
  const url = temporaryDatabaseUrl();
  const store = databaseStore(temporaryDatabase(url));
  const before = commitsIn(url);
  const later = Array.from({ length: 20 }, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return store.update("count", countOn);
  });
  expect((await Promise.all(later)).at(-1)).toBe(20);
  expect(commitsIn(url) - before).toBe(1);
});

test("rejects only the update whose step throws or whose state cannot be saved", async () => {
  const store = databaseStore(temporaryDatabase());
  const failure = new Error("step failed");
  const outcomes = await Promise.allSettled([
    ...counting(1, store),
    store.update("count", () => {
      throw failure;
    }),
    store.update("count", () => ({ result: 0, next: { count: 7n } })),
    store.update("count", () => ({ result: 0, next: 7, expiresAt: Number.NaN })),
    ...counting(1, store),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "rejected",
    "rejected",
    "fulfilled",
  ]);
  expect(outcomes[1]).toMatchObject({ reason: failure });
  expect(outcomes[4]).toMatchObject({ value: 2 });
  expect(await Promise.all(counting(1, store))).toEqual([3]);
});

test("rejects all updates while another connection holds the write lock, and works afterwards", async () => {
  const url = temporaryDatabaseUrl();
  const [database, other] = [temporaryDatabase(url, { lockTimeoutMs: 20 }), temporaryDatabase(url)];
  const store = databaseStore(database);
  other.sqlite.exec("begin immediate");
  const outcomes = await Promise.allSettled(counting(3, store));
  expect(outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason.code)).toEqual(
    Array(3).fill("SQLITE_BUSY"),
  );
  other.sqlite.exec("rollback");
  expect(await Promise.all(counting(2, store))).toEqual([1, 2]);
});

test("rejects all updates of a transaction in which the disk fills up", async () => {
  const database = temporaryDatabase();
  const store = databaseStore(database);
  const pages = database.sqlite.pragma("page_count", { simple: true });
  database.sqlite.pragma(`max_page_count = ${pages}`);
  const outcomes = await Promise.allSettled([
    ...counting(1, store),
    store.update("large", () => ({ result: 0, next: "x".repeat(100_000) })),
    ...counting(1, store),
  ]);
  expect(outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason.code)).toEqual(
    Array(3).fill("SQLITE_FULL"),
  );
  database.sqlite.pragma("max_page_count = 100000");
  expect(await Promise.all(counting(2, store))).toEqual([1, 2]);
});

test("reads the clock when the lock is held, not before", async () => {
  const database = temporaryDatabase();
  const lockHeld: boolean[] = [];
  const store = databaseStore(database, () => {
    lockHeld.push(database.sqlite.inTransaction);
    return morning;
  });
  await Promise.all(counting(3, store));
  expect(lockHeld).toEqual([true, true, true]);
});

test("loads, for updates of one turn with different times, the states that have not expired by each time", async () => {
  const store = databaseStore(temporaryDatabase(), () => morning);
  const load = (now?: number) => store.update("key", (state: string | undefined) => ({ result: state }), now);
  const saved = store.update("key", () => ({ result: "", next: "kept", expiresAt: 100 }), 0);
  const found = await Promise.all([saved, load(99), load(100), load(), load(99)]);
  expect(found).toEqual(["", "kept", undefined, undefined, "kept"]);
});

test("admits exactly the capacity of fifty concurrent requests over two connections", async () => {
  const url = temporaryDatabaseUrl();
  const limiters = [temporaryDatabase(url), temporaryDatabase(url)].map((database) =>
    createLimiter({ algorithm: oneAtATime, store: databaseStore(database, () => morning) }),
  );
  const decisions = await Promise.all(
    Array.from({ length: 25 }, () => limiters.map((limiter) => limiter.consume("shared"))).flat(),
  );
  expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(10);
});

/**
 * Three processes consume one key.
 * The number of requests that passed in all, and the time until the last one did.
 */
async function consumeInThree(url: string, ...settings: number[]) {
  const file = join(import.meta.dirname, "../testing/consume-child.ts");
  const children = Array.from({ length: 3 }, () => runChild(file, [url, ...settings.map(String)]));
  await Promise.all(children.map(({ ended }) => ended));
  const runs = children.map(({ lines }) => JSON.parse(lines[0] ?? ""));
  return {
    passed: runs.reduce((sum, { passed }) => sum + passed, 0),
    ms:
      Math.max(...runs.map(({ lastPassedAt }) => lastPassedAt)) -
      Math.min(...runs.map(({ startedAt }) => startedAt)),
  };
}

test("three processes on one new database admit together as many as the bucket holds at one instant", async () => {
  expect((await consumeInThree(temporaryDatabaseUrl(), 150)).passed).toBe(150);
});

test("three processes together admit the bucket's capacity and the amount that leaks in real time, and no more", async () => {
  const [capacity, leakPerSecond] = [20, 500];
  const { passed, ms } = await consumeInThree(temporaryDatabaseUrl(), capacity, leakPerSecond, 3);
  expect(passed).toBeLessThanOrEqual(capacity + (leakPerSecond * ms) / 1_000);
  expect(passed).toBeGreaterThan(capacity);
});
