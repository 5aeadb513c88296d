import { randomUUID } from "node:crypto";
import { Cluster, Redis } from "ioredis";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { startRedis } from "../../../scripts/cluster/start-redis.ts";
import { connectedRedis } from "../../../testing/redis-connection.ts";
import { createLimiter, fixedWindow } from "../index.ts";
import { type RedisClient, type RedisStoreSettings, redisClientOptions, redisStore } from "../redis.ts";
import type { Store } from "../types.ts";
import { storeContract } from "./contract.ts";

const server = await startRedis();
afterAll(() => server.stop());
// Takes two seconds, in which the other tests run.
const cluster = startCluster();
afterAll(async () => (await cluster).stop());
const admin = new Redis(server.url);
afterAll(() => admin.disconnect());
/** These tests are not about how busy the machine is. */
const timeoutMs = 600_000;

storeContract("Redis store", async ({ clock }) =>
  redisStore({ client: await connectedRedis(server.url), clock, timeoutMs }),
);

storeContract("Redis store with what others have left under its keys", async ({ clock }) =>
  redisStore({ client: withLeftovers(await connectedRedis(server.url)), clock, timeoutMs }),
);

describe("the calls of a Redis store", () => {
  it("are one for each decision without a conflict, after the one that reads the time", async () => {
    const limiter = newLimiter(await newStore());
    expect(await calls(() => limiter.consume("first"))).toBe(2);
    expect(await calls(() => limiter.consume("first"))).toBe(1);
    expect(await calls(() => limiter.peek("first"))).toBe(1);
    expect(await calls(() => limiter.refund("first"))).toBe(1);
    expect(await calls(() => limiter.reset("first"))).toBe(1);
    expect(await calls(() => limiter.consume("first"))).toBe(1);
    const keys = Array.from({ length: 100 }, (_, index) => `other ${index}`);
    expect(await calls(() => Promise.all(keys.map((key) => limiter.consume(key))))).toBe(100);
    expect(await calls(() => Promise.all(keys.map((key) => limiter.consume(key))))).toBe(100);
  });

  it("are few for many decisions on one key at a time", async () => {
    const limiter = newLimiter(await newStore());
    await limiter.consume("hot");
    const burst = () => Promise.all(Array.from({ length: 200 }, () => limiter.consume("hot")));
    expect(await calls(burst)).toBe(1);
    const oneAfterTheOther = async () => {
      for (let index = 0; index < 20; index += 1) await limiter.consume("hot");
    };
    expect(await calls(() => Promise.all(Array.from({ length: 50 }, oneAfterTheOther)))).toBeLessThan(50);
    expect((await limiter.peek("hot")).remaining).toBe(10_000 - 1 - 200 - 1000);
  });

  it("are few for many updates at a time that share one key and differ in another", async () => {
    const store = await newStore();
    const count = (states: readonly (number | undefined)[]) => {
      const changes = states.map((state = 0) => ({ next: state + 1 }));
      return { result: undefined, changes };
    };
    await store.updateMany(["hot", "user 0"], count);
    const updates = () =>
      Promise.all(
        Array.from({ length: 200 }, (_, index) => store.updateMany(["hot", `user ${index}`], count)),
      );
    expect(await calls(updates)).toBeLessThanOrEqual(2);
    const oneAfterTheOther = async (user: number) => {
      for (let index = 0; index < 20; index += 1) await store.updateMany(["hot", `user ${user}`], count);
    };
    const users = Array.from({ length: 50 }, (_, user) => user);
    expect(await calls(() => Promise.all(users.map(oneAfterTheOther)))).toBeLessThan(50);
    expect(await load(store, "hot")).toBe(1 + 200 + 1000);
    expect(await load(store, "user 49")).toBe(21);
  });

  it("are two for a key that another process has changed", async () => {
    const prefix = randomUUID();
    const ours = newLimiter(await newStore({ prefix }));
    const theirs = newLimiter(await newStore({ prefix }));
    await ours.consume("key");
    await theirs.consume("key");
    expect(await calls(() => ours.consume("key"))).toBe(2);
    expect(await calls(() => ours.consume("key"))).toBe(1);
    expect((await theirs.peek("key")).remaining).toBe(10_000 - 4);
  });

  it("are two for a key that is not among the latest maxRecentKeys", async () => {
    const limiter = newLimiter(await newStore({ maxRecentKeys: 10 }));
    const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`);
    for (const key of keys) await limiter.consume(key);
    expect(await calls(() => limiter.consume("key 19"))).toBe(1);
    expect(await calls(() => limiter.consume("key 12"))).toBe(1);
    expect(await calls(() => limiter.consume("key 0"))).toBe(2);
    expect((await limiter.peek("key 0")).remaining).toBe(10_000 - 2);
  });
});

describe("updates of one key that are decided together", () => {
  it("run in order, each on the state of the one before it and at its own time", async () => {
    const store = await newStore();
    await load(store, "key");
    const log = (word: string, now: number) =>
      store.update(
        "key",
        (words: string[] = [], at) => ({ result: [...words, at], next: [...words, word] }),
        now,
      );
    expect(await Promise.all([log("a", 1), log("b", 3), log("c", 2)])).toEqual([
      [1],
      ["a", 3],
      ["a", "b", 2],
    ]);
    expect(await load(store, "key")).toEqual(["a", "b", "c"]);
  });

  it("succeed although one step throws", async () => {
    const store = await newStore();
    const failure = new Error("step failed");
    const outcomes = await Promise.allSettled([
      save(store, "key", 1),
      store.update("key", () => {
        throw failure;
      }),
      store.update("key", (state) => ({ result: state })),
    ]);
    expect(outcomes).toEqual([
      { status: "fulfilled", value: undefined },
      { status: "rejected", reason: failure },
      { status: "fulfilled", value: 1 },
    ]);
  });

  it("reject a state that is not JSON data, and save nothing", async () => {
    const store = await newStore();
    await save(store, "key", 1);
    await expect(save(store, "key", 1n)).rejects.toThrow(TypeError);
    expect(await load(store, "key")).toBe(1);
  });
});

describe("a key with a value of another program", () => {
  it.each([
    ["text", "hello"],
    ["nothing", ""],
    ["no text", Buffer.from([0xff, 0xfe, 0, 0x20])],
    ["a tag and no more", "=tag "],
    ["something like a tag", "=tag"],
    ["no times", "=tag x y 1"],
    ["no JSON", "=tag 1 2 {"],
    ["no state", "=tag 1 2 "],
    ["two lines", "=tag 1 2 1\n2"],
    ["contention marks only", "!!"],
  ])("has no state, and can have one: %s", async (_, value) => {
    const store = await newStore({ prefix: "foreign:" });
    await admin.set("foreign:key", value);
    expect(await load(store, "key")).toBeUndefined();
    await save(store, "key", 1);
    await save(store, "key", 2);
    expect(await load(await newStore({ prefix: "foreign:" }), "key")).toBe(2);
  });

  it("makes the update reject when it is not a string: it belongs to another program", async () => {
    const store = await newStore({ prefix: "foreign:" });
    await admin.lpush("foreign:list", "item");
    await expect(save(store, "list", 1)).rejects.toThrow(/WRONGTYPE/);
    expect(await admin.lrange("foreign:list", 0, -1)).toEqual(["item"]);
  });
});

describe("the settings of a Redis store", () => {
  it.each([
    ["timeoutMs", 0],
    ["timeoutMs", Number.NaN],
    ["maxRecentKeys", 0],
    ["maxRecentKeys", 1.5],
  ])("%s cannot be %s", async (name, value) => {
    const client = await connectedRedis(server.url);
    expect(() => redisStore({ client, [name]: value })).toThrow(new RegExp(`redisStore: ${name} must be`));
  });

  it("prefix begins every key, and is limiter: by default", async () => {
    const key = randomUUID();
    const client = await connectedRedis(server.url);
    await save(redisStore({ client, timeoutMs }), key, 1);
    await save(redisStore({ client, timeoutMs, prefix: "app:" }), key, 1);
    expect((await admin.keys(`*${key}`)).sort()).toEqual([`app:${key}`, `limiter:${key}`]);
  });
});

storeContract("Redis store on a cluster", async ({ clock }) =>
  redisStore({ client: await connectedCluster(), clock, timeoutMs, prefix: "{contract}:" }),
);

it("a Redis store on a cluster rejects an update of keys that share no hash tag", async () => {
  const store = redisStore({ client: await connectedCluster(), timeoutMs });
  const load = (keys: string[]) => store.updateMany(keys, (states) => ({ result: states, changes: [] }));
  await expect(load(["a", "b"])).rejects.toThrow(
    'must share a hash tag, e.g. by redisStore\'s prefix "{limiter}:"',
  );
  expect(await load(["post {7}", "user {7}"])).toEqual([undefined, undefined]);
});

/** A store on keys of its own. */
async function newStore(settings: Partial<RedisStoreSettings> = {}): Promise<Store> {
  return redisStore({
    client: await connectedRedis(server.url),
    prefix: `${randomUUID()}:`,
    timeoutMs,
    ...settings,
  });
}

function newLimiter(store: Store) {
  return createLimiter({ algorithm: fixedWindow({ limit: 10_000, windowMs: 3_600_000 }), store });
}

/** How many calls of a script the server has seen meanwhile. */
async function calls(work: () => Promise<unknown>): Promise<number> {
  const count = async () =>
    Number(/cmdstat_evalsha:calls=(\d+)/.exec(await admin.info("commandstats"))?.[1] ?? 0);
  const before = await count();
  await work();
  return (await count()) - before;
}

function load(store: Store, key: string): Promise<unknown> {
  return store.update(key, (state) => ({ result: state }));
}

function save(store: Store, key: string, next: unknown): Promise<void> {
  return store.update(key, () => ({ result: undefined, next }));
}

/** Puts something under each key before the store uses it for the first time. */
function withLeftovers(client: Redis): RedisClient {
  const used = new Set<string>();
  const leave = async (key: string) => {
    if (used.has(key)) return;
    used.add(key);
    await client.set(key, "=something 1 2 [else");
  };
  return {
    evalsha: async (sha1, keyCount, ...keysAndValues) => {
      for (const key of keysAndValues.slice(0, keyCount)) await leave(key);
      return client.evalsha(sha1, keyCount, ...keysAndValues);
    },
    eval: (script, keyCount, ...keysAndValues) => client.eval(script, keyCount, ...keysAndValues),
  };
}

async function connectedCluster(): Promise<Cluster> {
  const { port } = await cluster;
  const nodes = new Cluster([{ host: "127.0.0.1", port }], {
    redisOptions: redisClientOptions,
  });
  onTestFinished(() => nodes.disconnect());
  await new Promise((resolve) => nodes.once("ready", resolve));
  return nodes;
}

/** A cluster of one server. */
async function startCluster() {
  const started = await startRedis({ cluster: true });
  const node = new Redis(started.url);
  await node.cluster("ADDSLOTSRANGE", 0, 16_383);
  await expect.poll(() => node.cluster("INFO")).toContain("cluster_state:ok");
  node.disconnect();
  return started;
}
