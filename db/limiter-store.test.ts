import { join } from "node:path";
import { expect, test } from "vitest";
import { createLimiter, leakyBucket } from "../lib/limiter/index.ts";
import { storeContract } from "../lib/limiter/stores/contract.ts";
import { runChild } from "../testing/child-process.ts";
import { morning } from "../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl } from "../testing/database.ts";
import { databaseStore } from "./limiter-store.ts";

storeContract("The database store", ({ clock }) => databaseStore(temporaryDatabase(), clock));

const oneAtATime = leakyBucket({ capacity: 10, leakPerSecond: 1 });

test("Fifty concurrent requests on one key over two connections admit as many as the bucket holds", async () => {
  const url = temporaryDatabaseUrl();
  const limiters = [temporaryDatabase(url), temporaryDatabase(url)].map((database) =>
    createLimiter({ algorithm: oneAtATime, store: databaseStore(database, () => morning) }),
  );
  const decisions = await Promise.all(
    Array.from({ length: 25 }, () => limiters.map((limiter) => limiter.consume("shared"))).flat(),
  );
  expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(10);
});

test("Two processes on one new database admit together as many as the bucket holds", async () => {
  const url = temporaryDatabaseUrl();
  const file = join(import.meta.dirname, "../testing/consume-child.ts");
  const children = [runChild(file, [url, "150"]), runChild(file, [url, "150"])];
  await Promise.all(children.map(({ ended }) => ended));
  const passed = children.map(({ lines }) => Number(lines[0]));
  expect(passed.reduce((sum, count) => sum + count, 0)).toBe(150);
});

test("A state whose expiry moves on stays where it is in the index, and is gone at its own instant", () => {
  const { limiterStates, sqlite } = temporaryDatabase();
  const rowGoesAt = sqlite.prepare<[], number>("select expires_at from limiter_states").pluck();
  for (let ms = 0; ms <= 100; ms += 1) {
    limiterStates.save("a", { ms }, morning + ms + 100, morning + ms);
    expect(rowGoesAt.get()).toBe(morning + 200);
  }
  expect(limiterStates.load("a", morning + 199)).toEqual({ ms: 100 });
  expect(limiterStates.load("a", morning + 200)).toBeUndefined();
  limiterStates.save("a", 1, morning + 201, morning + 101);
  expect(rowGoesAt.get()).toBe(morning + 301);
  limiterStates.save("a", 1, morning + 102, morning + 101);
  expect(rowGoesAt.get()).toBe(morning + 103);
});

test("A row of an earlier version, the state alone, is taken for none", async () => {
  const { limiterStates, sqlite } = temporaryDatabase();
  sqlite.exec(`insert into limiter_states values ('a', '{"level":1}', ${morning})`);
  expect(limiterStates.load("a", morning - 1)).toBeUndefined();
});

test("A saved state drops a few rows whose time has passed twice over, and none that still counts", () => {
  const { limiterStates, sqlite } = temporaryDatabase();
  const keys = () => sqlite.prepare<[], string>("select key from limiter_states order by key").pluck().all();
  for (const key of ["a", "b", "c"]) limiterStates.save(key, 1, morning + 10, morning);
  limiterStates.save("d", 1, undefined, morning);
  limiterStates.save("e", 1, morning + 1_000, morning + 19);
  expect(keys()).toEqual(["a", "b", "c", "d", "e"]);
  limiterStates.save("e", 2, morning + 1_000, morning + 20);
  expect(keys()).toHaveLength(3);
  limiterStates.save("e", 3, morning + 1_000, morning + 21);
  expect(keys()).toEqual(["d", "e"]);
});
