import { expect, onTestFinished, test } from "vitest";
import { startRedis } from "../../scripts/cluster/start-redis.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { limiterStore } from "../limits/store.ts";
import { ready } from "./health.ts";

const works = async () => {};
/** So long that a busy machine fails no part. */
const patientMs = 600_000;
const never = () => new Promise<void>(() => {});

test("returns nothing when all parts can be used", async () => {
  const database = temporaryDatabase();
  expect(await ready([{ name: "database", check: () => database.ping() }], patientMs)).toEqual([]);
  expect(await ready([], patientMs)).toEqual([]);
});

test("names the parts that fail or time out, with a reason that contains no secrets", async () => {
  const parts = [
    { name: "works", check: works },
    { name: "hangs", check: never },
    { name: "fails", check: () => Promise.reject(new Error("postgres://weir:hush@10.0.0.1 refused")) },
    {
      name: "throws",
      check: () => {
        throw Object.assign(new Error("no"), { code: "ECONNREFUSED" });
      },
    },
    {
      name: "fails later",
      check: () => Promise.reject(Object.assign(new Error("x"), { code: "at 10.0.0.1" })),
    },
  ];
  expect(await ready(parts, 20)).toEqual([
    { name: "hangs", reason: "has not answered within 20 ms" },
    { name: "fails", reason: "cannot be used" },
    { name: "throws", reason: "cannot be used (ECONNREFUSED)" },
    { name: "fails later", reason: "cannot be used" },
  ]);
});

test("names a closed database", async () => {
  const database = temporaryDatabase();
  await database.close();
  expect(await ready([{ name: "database", check: () => database.ping() }], patientMs)).toEqual([
    { name: "database", reason: expect.stringMatching(/^cannot be used/) },
  ]);
});

test("names a Redis that hangs or is down, until it is back", async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const settings = { LIMITER_STORE: "redis", MEMORY_STORE_MAX_KEYS: 1, REDIS_URL: redis.url } as const;
  const store = limiterStore(settings, () => {});
  const check = async () => {
    if (!store?.ping) throw new Error("no ping");
    await store.ping();
  };
  const unready = (timeoutMs = 300) => ready([{ name: "limiter store", check }], timeoutMs);
  await expect.poll(() => unready()).toEqual([]);
  redis.pause();
  // Shorter than the client's own timeout.
  expect(await unready()).toEqual([{ name: "limiter store", reason: "has not answered within 300 ms" }]);
  redis.resume();
  await expect.poll(() => unready()).toEqual([]);
  await redis.kill();
  expect(await unready(patientMs)).toEqual([
    { name: "limiter store", reason: expect.stringMatching(/^cannot be used/) },
  ]);
  await redis.restart();
  await expect.poll(() => unready()).toEqual([]);
});
