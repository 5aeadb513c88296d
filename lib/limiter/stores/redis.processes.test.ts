import { join } from "node:path";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import { startRedis } from "../../../scripts/cluster/start-redis.ts";
import { runChild } from "../../../testing/child-process.ts";
import { connectedRedis } from "../../../testing/redis-connection.ts";
import { seededRandom } from "../../random/seeded-random.ts";
import { createLimiter, leakyBucket, type Store } from "../index.ts";
import { redisStore } from "../redis.ts";

/** So long that a busy machine fails no decision. */
const timeoutMs = 600_000;

describe("8 processes with one key of a Redis store", () => {
  it("together admit exactly the limit, of 500 requests each", async () => {
    const { passed } = await consumeTogether({
      capacity: 1_000,
      leakPerSecond: 1,
      requests: 500,
      time: "1000000",
    });
    expect(passed).toBe(1_000);
  });

  it("never admit more than capacity and leak allow by the server's time", async () => {
    const bucket = { capacity: 20, leakPerSecond: 2_000 };
    const { passed, elapsedMs } = await consumeTogether({ ...bucket, requests: 200 });
    expect(passed).toBeLessThanOrEqual(bucket.capacity + (bucket.leakPerSecond * elapsedMs) / 1000);
    // And it does leak.
    expect(passed).toBeGreaterThan(bucket.capacity);
  });
});

describe("32 clients with one key of a Redis store", () => {
  it("all get a decision, despite constant conflicts", async () => {
    const server = await startRedis();
    onTestFinished(() => server.stop());
    const clients = await Promise.all(Array.from({ length: 32 }, () => connectedRedis(server.url)));
    const algorithm = leakyBucket({ capacity: 500, leakPerSecond: 1 });
    const limiters = clients.map((client) =>
      createLimiter({ algorithm, store: redisStore({ client, timeoutMs, clock: () => 0 }) }),
    );
    const consume = async (limiter: (typeof limiters)[number]) => {
      let passed = 0;
      for (let call = 0; call < 20; call += 1) if ((await limiter.consume("shared")).allowed) passed += 1;
      return passed;
    };
    expect(sum(await Promise.all(limiters.map(consume)))).toBe(500);
  });
});

describe("3 clients that move amounts between two keys of a Redis store", () => {
  it("lose none of 600 moves, though another client has changed one key or both", async () => {
    const server = await startRedis();
    onTestFinished(() => server.stop());
    const clients = await Promise.all(Array.from({ length: 3 }, () => connectedRedis(server.url)));
    let retries = 0;
    const onRetry = () => {
      retries += 1;
    };
    const stores = clients.map((client) => redisStore({ client, timeoutMs, onRetry }));
    const keys = ["a", "b", "c", "d"];
    const expected = new Map(keys.map((key) => [key, 0]));
    const random = seededRandom(1);
    const keyAt = (index: number) => keys[index % keys.length] ?? "a";
    const pairs = Array.from({ length: 600 }, () => {
      const from = Math.floor(random() * keys.length);
      return [keyAt(from), keyAt(from + 1 + Math.floor(random() * (keys.length - 1)))] as const;
    });
    for (const [from, to] of pairs) {
      expected.set(from, (expected.get(from) ?? 0) - 1);
      expected.set(to, (expected.get(to) ?? 0) + 1);
    }
    const moveInTurn = async (store: Store, first: number) => {
      for (let index = first; index < pairs.length; index += stores.length)
        await store.updateMany(pairs[index] ?? [], ([from = 0, to = 0]: readonly (number | undefined)[]) => ({
          result: undefined,
          changes: [{ next: from - 1 }, { next: to + 1 }],
        }));
    };
    await Promise.all(stores.map(moveInTurn));
    const saved = await stores[0]?.updateMany(keys, (states: readonly (number | undefined)[]) => ({
      result: states,
      changes: [],
    }));
    expect(saved).toEqual(keys.map((key) => expected.get(key)));
    expect(retries).toBeGreaterThan(0);
  });
});

/** How many passed in all, and the server's time that it took. */
async function consumeTogether(settings: {
  capacity: number;
  leakPerSecond: number;
  requests: number;
  time?: string;
}) {
  const { capacity, leakPerSecond, requests, time = "" } = settings;
  const server = await startRedis();
  onTestFinished(() => server.stop());
  const admin = new Redis(server.url);
  onTestFinished(() => admin.disconnect());
  const args = [server.url, `${capacity}`, `${leakPerSecond}`, `${requests}`, time];
  const children = Array.from({ length: 8 }, () =>
    runChild(join(import.meta.dirname, "../../../testing/redis-child.ts"), args),
  );
  onTestFinished(() => {
    for (const child of children) child.kill("SIGKILL");
  });
  await Promise.all(children.map((child) => child.printed(1)));
  const startedAt = await nowMs(admin);
  await admin.rpush("go", ...children.map(() => "now"));
  await Promise.all(children.map((child) => child.ended));
  const elapsedMs = (await nowMs(admin)) - startedAt;
  expect(children.map(({ lines }) => lines.length)).toEqual(children.map(() => 2));
  return { passed: sum(children.map(({ lines }) => Number(lines[1]))), elapsedMs };
}

async function nowMs(admin: Redis): Promise<number> {
  const [seconds, microseconds] = await admin.time();
  return Number(seconds) * 1000 + Number(microseconds) / 1000;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
