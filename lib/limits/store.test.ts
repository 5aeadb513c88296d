import { expect, onTestFinished, test } from "vitest";
import { startRedis } from "../../scripts/cluster/start-redis.ts";
import { limiterStore } from "./store.ts";

const settings = { LIMITER_STORE: "redis", MEMORY_STORE_MAX_KEYS: 10 } as const;
const count = (counted = 0) => ({ result: counted + 1, next: counted + 1 });

test("reports a Redis that refuses the password without showing the password", async () => {
  const redis = await startRedis({ password: "another" });
  onTestFinished(() => redis.stop());
  const reported: unknown[] = [];
  const store = limiterStore(
    { ...settings, REDIS_URL: redis.url.replace("//", "//:hush-hush@") },
    (error) => void reported.push(error),
  );
  // On a busy machine it may be out of reach at first.
  await expect.poll(() => reported.map(String).join()).toMatch(/WRONGPASS|NOAUTH|invalid/);
  for (const error of reported) {
    expect(error).toBeInstanceOf(Error);
    expect(JSON.stringify([String(error), Object.entries(Object(error))])).not.toContain("hush");
  }
  await expect(store?.update("key", count)).rejects.toThrow();
});

test("a Redis that is not there at the start fails at once, and is used once it is", async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  await redis.kill();
  const store = limiterStore({ ...settings, REDIS_URL: redis.url }, () => {});
  await expect(store?.update("key", count)).rejects.toThrow();
  await redis.restart();
  // A key for each attempt: Redis may count one that it has answered too late.
  let attempts = 0;
  await expect.poll(() => store?.update(`key-${attempts++}`, count).catch(() => "not yet")).toBe(1);
});

test("creates no store for LIMITER_STORE=database, and one of at most the set number of keys for memory", async () => {
  expect(limiterStore({ ...settings, LIMITER_STORE: "database", REDIS_URL: "" }, () => {})).toBeUndefined();
  const memory = limiterStore({ ...settings, LIMITER_STORE: "memory", REDIS_URL: "" }, () => {});
  for (let key = 0; key < 11; key += 1) await memory?.update(String(key), count);
  expect(await memory?.update("10", count)).toBe(2);
  expect(await memory?.update("0", count)).toBe(1);
});
