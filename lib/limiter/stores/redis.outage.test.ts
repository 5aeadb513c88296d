import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startRedis } from "../../../scripts/cluster/start-redis.ts";
import { connectedRedis } from "../../../testing/redis-connection.ts";
import { createLimiter, type Limiter, leakyBucket } from "../index.ts";
import { type RedisClient, RedisStoreError, redisStore } from "../redis.ts";

describe("a Redis store whose server", () => {
  it("is killed rejects at once, and decides again when it is restarted", async () => {
    const { limiter, server } = await newLimiter();
    await server.kill();
    await rejectionWith(/^Redis failed/, () => rejectionOf(limiter, "key"));
    const atOnce = await Promise.race([rejectionOf(limiter, "key"), setImmediate("not at once")]);
    expect(atOnce).toBeInstanceOf(RedisStoreError);
    await server.restart();
    await isBack(limiter);
  });

  it("is killed during a call rejects", async () => {
    const { limiter, server } = await newLimiter();
    server.pause();
    const rejection = rejectionOf(limiter, "key");
    await server.kill();
    expect((await rejection).message).toMatch(/^Redis failed|within 80 ms/);
  });

  it("hangs rejects after the timeout, then at once, and decides again when it resumes", async () => {
    const { limiter, server } = await newLimiter();
    server.pause();
    const first = rejectionOf(limiter, "key");
    await setImmediate();
    const behind = rejectionOf(limiter, "key");
    expect((await first).message).toMatch(/within 80 ms/);
    // Not by a timeout of its own, which would mean that nothing was decided.
    expect((await behind).message).toBe("Redis has not answered within 80 ms");
    for (const key of ["key", "another"])
      await rejectionWith(/does not answer at present/, () => rejectionOf(limiter, key));
    server.resume();
    await isBack(limiter);
  });

  it("hangs for long, through several connections, rejects all the time, and decides again when it resumes", async () => {
    const { limiter, server, client } = await newLimiter();
    let replaced = 0;
    client.on("close", () => {
      replaced += 1;
    });
    server.pause();
    while (replaced < 2) {
      await rejectionOf(limiter, "key");
      await sleep(20);
    }
    server.resume();
    await isBack(limiter);
  });

  it("hangs is retried once a second, by one update, even when the client never abandons a call", async () => {
    const { limiter, server } = await newLimiter({ client: (url) => new Redis(url) });
    server.pause();
    await rejectionWith(/at present/, () => rejectionOf(limiter, "key"));
    const retries: { before: number; after: number }[] = [];
    while (retries.length < 3) {
      const before = performance.now();
      const rejections = ["key", "another", "a third"].map((key) => rejectionOf(limiter, key));
      const after = performance.now();
      const messages = (await Promise.all(rejections)).map(({ message }) => message);
      const others = messages.filter((message) => message === "Redis does not answer at present");
      expect(others.length).toBeGreaterThanOrEqual(2);
      if (others.length < 3) retries.push({ before, after });
      await sleep(10);
    }
    for (const [index, { before }] of retries.slice(0, -1).entries())
      expect((retries[index + 1]?.after ?? 0) - before).toBeGreaterThanOrEqual(1_000);
    server.resume();
    await isBack(limiter);
  });

  it("has lost its scripts decides as if nothing had happened", async () => {
    const { limiter, admin } = await newLimiter();
    await untilDecided(() => limiter.consume("key"));
    await admin.script("FLUSH");
    const { allowed, remaining } = await untilDecided(() => limiter.consume("key"));
    expect(allowed).toBe(true);
    // Redis may have counted requests that it has answered too late.
    expect(remaining).toBeLessThanOrEqual(8);
  });

  it("has lost all data starts from empty states", async () => {
    const { limiter, admin } = await newLimiter();
    await untilDecided(() => limiter.consume("key", 10));
    const consumeAnew = async () => {
      await admin.flushall();
      return limiter.consume("key", 10);
    };
    expect(await untilDecided(consumeAnew)).toMatchObject({ allowed: true });
  });

  it("takes no writes rejects every request, until it takes writes again", async () => {
    const { limiter, admin } = await newLimiter();
    await untilDecided(() => limiter.consume("full", 10));
    expect(await untilDecided(() => limiter.consume("full"))).toMatchObject({ allowed: false });
    await admin.replicaof("127.0.0.1", 1);
    for (const key of ["empty", "full"]) {
      const error = await rejectionWith(/READONLY/, () => rejectionOf(limiter, key));
      expect(error.cause).toBeInstanceOf(Error);
    }
    await admin.replicaof("NO", "ONE");
    await isBack(limiter);
  });
});

describe("a Redis store whose client", () => {
  it("has several servers continues with those that answer", async () => {
    const [hanging, answering] = [await startRedis(), await startRedis()];
    onTestFinished(() => hanging.stop());
    onTestFinished(() => answering.stop());
    const [one, other] = [await connectedRedis(hanging.url), await connectedRedis(answering.url)];
    const clientOf = (key: string) => (key.endsWith("hanging") ? one : other);
    const limiter = limiterOn({
      evalsha: (sha1, keyCount, key, ...values) => clientOf(key).evalsha(sha1, keyCount, key, ...values),
      eval: (script, keyCount, key, ...values) => clientOf(key).eval(script, keyCount, key, ...values),
    });
    await untilDecided(() => limiter.consume("hanging"));
    hanging.pause();
    const rejection = rejectionOf(limiter, "hanging");
    await untilDecided(() => limiter.consume("answering"));
    await rejection;
    const answered = await untilDecided(() => limiter.consume("answering"), /within 80 ms/);
    expect(answered).toMatchObject({ allowed: true });
  });

  it("is slow gets no call for an update that was abandoned while it was queued", async () => {
    const { admin, client } = await newLimiter();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    let isSlow = true;
    const held: (() => void)[] = [];
    const heldBack: RedisClient["eval"] = async (sha1, keyCount, key, ...values) => {
      if (isSlow && key === "slow:key") await new Promise<void>((resolve) => held.push(resolve));
      return client.evalsha(sha1, keyCount, key, ...values);
    };
    const store = redisStore({ client: { evalsha: heldBack, eval: heldBack }, prefix: "slow:" });
    await admin.set("slow:key", "=tag 1 1 1");
    await store.update("another key", () => ({ result: "brings the time" }));
    // Two calls, because another process has written: together they take longer than the timeout.
    const first = failureOf(store.update("key", () => ({ result: 1 })));
    await until(() => held.length === 1);
    vi.advanceTimersByTime(10);
    let runs = 0;
    const second = failureOf(store.update("key", () => ({ result: runs++ })));
    vi.advanceTimersByTime(50);
    held[0]?.();
    await until(() => held.length === 2);
    vi.advanceTimersByTime(40);
    expect(String(await first)).toContain("has not decided within 80 ms");
    expect(String(await second)).toContain("has not decided within 80 ms");
    const third = store.update("key", () => ({ result: "decided" }));
    isSlow = false;
    held[1]?.();
    expect(await third).toBe("decided");
    expect(runs).toBe(0);
  });

  it.each([
    ["answers something else", async () => "OK"],
    ["answers nothing", async () => null],
    [
      "throws",
      () => {
        throw new RedisStoreError("thrown");
      },
    ],
  ])("%s rejects", async (_, evalsha) => {
    expect(await rejectionOf(limiterOn({ evalsha, eval: evalsha }), "key")).toBeInstanceOf(RedisStoreError);
  });
});

/** A bucket of 10 for each key, on a server of its own; it has decided once. */
async function newLimiter({
  client = connectedRedis,
}: {
  client?: (url: string) => Redis | Promise<Redis>;
} = {}) {
  const server = await startRedis();
  onTestFinished(() => server.stop());
  const admin = await connectedRedis(server.url);
  const connection = await client(server.url);
  onTestFinished(() => connection.disconnect());
  const limiter = limiterOn(connection);
  await isBack(limiter);
  return { limiter, server, admin, client: connection };
}

function limiterOn(client: RedisClient): Limiter {
  const algorithm = leakyBucket({ capacity: 10, leakPerSecond: 0.001 });
  return createLimiter({ algorithm, store: redisStore({ client }) });
}

/** The error with which a decision rejects, which is a RedisStoreError. */
async function rejectionOf(limiter: Limiter, key: string): Promise<RedisStoreError> {
  const failure = await failureOf(limiter.consume(key));
  if (failure instanceof RedisStoreError) return failure;
  throw new Error(`expected a RedisStoreError, but got ${String(failure)}`);
}

/** Resolves to the error with which an update rejects, or to its result. */
function failureOf(update: Promise<unknown>): Promise<unknown> {
  return update.catch((error: unknown) => error);
}

/** Waits without timers, which the test may have replaced. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setImmediate();
}

/**
 * Retries decisions that the store rejects, with a message like `retried`.
 * On a busy machine also a healthy server may not answer in time.
 */
async function untilDecided<T>(decide: () => Promise<T>, retried = /./): Promise<T> {
  for (;;) {
    try {
      return await decide();
    } catch (error) {
      if (!(error instanceof RedisStoreError) || !retried.test(error.message)) throw error;
    }
    await sleep(10);
  }
}

/** Resolves when the store decides several times in a row. */
async function isBack(limiter: Limiter): Promise<void> {
  // A key for each attempt: Redis may count one that it has answered too late.
  let attempts = 0;
  const decisions = await untilDecided(async () => {
    attempts += 1;
    return [
      await limiter.peek(`attempt ${attempts}`),
      await limiter.peek("something else"),
      await limiter.consume(`attempt ${attempts}`),
    ];
  });
  expect(decisions).toMatchObject(decisions.map(() => ({ allowed: true })));
}

/** Resolves to the first rejection with such a message. */
async function rejectionWith(
  pattern: RegExp,
  reject: () => Promise<RedisStoreError>,
): Promise<RedisStoreError> {
  for (;;) {
    const error = await reject();
    if (pattern.test(error.message)) return error;
    await sleep(10);
  }
}
