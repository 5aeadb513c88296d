import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectedRedis } from "../../../testing/redis-connection.ts";
import { startRedis } from "../../../testing/redis-server.ts";
import { createLimiter, type Limiter, leakyBucket } from "../index.ts";
import { type RedisClient, RedisStoreError, redisStore } from "../redis.ts";

/** Nothing is asserted to the millisecond on a busy machine: the store's timeout is 80 ms, the alternative is forever. */
const soonMs = 1_000;
const backWithinMs = 5_000;

describe("a Redis store whose server", () => {
  it("is killed rejects soon, and decides again when it is restarted", async () => {
    const { limiter, server } = await newLimiter();
    await server.kill();
    await untilItSays(/^Redis failed/, () => rejectsSoon(limiter, "key"));
    const atOnce = await Promise.race([rejectsSoon(limiter, "key"), setImmediate("not at once")]);
    expect(atOnce).toBeInstanceOf(RedisStoreError);
    await server.restart();
    await isBack(limiter);
  });

  it("is killed during a call rejects soon", async () => {
    const { limiter, server } = await newLimiter();
    server.pause();
    const rejection = rejectsSoon(limiter, "key");
    await server.kill();
    expect((await rejection).message).toMatch(/^Redis failed|within 80 ms/);
  });

  it("hangs rejects after the timeout, then at once, and decides again when it resumes", async () => {
    const { limiter, server } = await newLimiter();
    server.pause();
    const first = rejectsSoon(limiter, "key");
    await sleep(30);
    const behind = rejectsSoon(limiter, "key");
    expect((await first).message).toMatch(/within 80 ms/);
    // Not by a timeout of its own, which would say that nothing was decided.
    expect((await behind).message).toBe("Redis has not answered within 80 ms");
    for (const key of ["key", "another"])
      await untilItSays(/does not answer at present/, () => rejectsSoon(limiter, key));
    server.resume();
    await isBack(limiter);
  });

  it("hangs for long, through several connections, rejects soon all the time and is back soon", async () => {
    const { limiter, server, client } = await newLimiter();
    let replaced = 0;
    client.on("close", () => {
      replaced += 1;
    });
    server.pause();
    while (replaced < 2) {
      await rejectsSoon(limiter, "key");
      await sleep(20);
    }
    server.resume();
    await isBack(limiter);
  });

  it("hangs is retried once a second, by one update, even when the client never abandons a call", async () => {
    const { limiter, server } = await newLimiter({ client: (url) => new Redis(url) });
    server.pause();
    // On a busy machine an answer from before may still arrive, late: then the next ones find out anew.
    await untilItSays(/at present/, () => rejectsSoon(limiter, "key"));
    const messages: string[] = [];
    const asksOnce = async () => {
      const errors = await Promise.all(["key", "another", "a third"].map((key) => rejectsSoon(limiter, key)));
      messages.push(...errors.map(({ message }) => message));
      await sleep(10);
    };
    const findingOut = () => messages.filter((message) => message.includes("within 80 ms"));
    const giveUpAt = performance.now() + backWithinMs;
    while (findingOut().length === 0 && performance.now() < giveUpAt) await asksOnce();
    // No update retries before a second has passed.
    for (let round = 0; round < 20; round += 1) await asksOnce();
    expect(findingOut()).toHaveLength(1);
    expect(new Set(messages)).toContain("Redis does not answer at present");
    server.resume();
    await isBack(limiter);
  });

  it("has forgotten its scripts decides as if nothing had happened", async () => {
    const { limiter, admin } = await newLimiter();
    await limiter.consume("key");
    await admin.script("FLUSH");
    const { remaining } = await untilDecided(() => limiter.consume("key"));
    expect(remaining).toBe(8);
  });

  it("has forgotten everything begins anew", async () => {
    const { limiter, admin } = await newLimiter();
    await untilDecided(() => limiter.consume("key", 10));
    await admin.flushall();
    expect(await untilDecided(() => limiter.consume("key", 10))).toMatchObject({ allowed: true });
  });

  it("takes no writes rejects what it would admit and what it would refuse, until it takes them again", async () => {
    const { limiter, admin } = await newLimiter();
    await untilDecided(() => limiter.consume("full", 10));
    expect(await untilDecided(() => limiter.consume("full"))).toMatchObject({ allowed: false });
    await admin.replicaof("127.0.0.1", 1);
    for (const key of ["empty", "full"]) {
      const error = await untilItSays(/READONLY/, () => rejectsSoon(limiter, key));
      expect(error.cause).toBeInstanceOf(Error);
    }
    await admin.replicaof("NO", "ONE");
    await isBack(limiter);
  });
});

describe("a Redis store whose client", () => {
  it("has several servers goes on with those that answer", async () => {
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
    const rejection = rejectsSoon(limiter, "hanging");
    await untilDecided(() => limiter.consume("answering"));
    await rejection;
    expect(await limiter.consume("answering")).toMatchObject({ allowed: true });
  });

  it("is slow gets no call for an update that was abandoned while it was queued", async () => {
    const { admin, client, limiter } = await newLimiter();
    const slowly: RedisClient["eval"] = async (sha1, keyCount, key, ...values) => {
      await sleep(60);
      return client.evalsha(sha1, keyCount, key, ...values);
    };
    const store = redisStore({ client: { evalsha: slowly, eval: slowly }, prefix: "slow:" });
    await untilDecided(() => limiter.consume("the script is known now"));
    await admin.set("slow:key", "=tag 1 1 1");
    await store.update("another key", () => ({ result: "brings the time" })).catch(() => undefined);
    // Two calls, because another process has written: that takes longer than the timeout.
    const first = store.update("key", () => ({ result: 1 })).catch(() => undefined);
    await sleep(10);
    let runs = 0;
    const second = store.update("key", () => ({ result: runs++ })).catch(() => undefined);
    await Promise.all([first, second]);
    await sleep(200);
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
    expect(await rejectsSoon(limiterOn({ evalsha, eval: evalsha }), "key")).toBeInstanceOf(RedisStoreError);
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

async function rejectsSoon(limiter: Limiter, key: string): Promise<RedisStoreError> {
  const outcome = limiter.consume(key).then(
    (decision) => decision,
    (error: unknown) => error,
  );
  const first = await Promise.race([outcome, sleep(soonMs, "nothing", { ref: false })]);
  if (first instanceof RedisStoreError) return first;
  throw new Error(`expected a RedisStoreError, but got ${String(first)}`);
}

/** Rejections that the busy machine causes are passed over. */
async function untilDecided<T>(decide: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + backWithinMs;
  for (;;) {
    try {
      return await decide();
    } catch (error) {
      if (!(error instanceof RedisStoreError) || performance.now() > giveUpAt) throw error;
    }
    await sleep(10);
  }
}

/** Back is who decides several times in a row. */
async function isBack(limiter: Limiter): Promise<void> {
  const decisions = await untilDecided(async () => [
    await limiter.peek("whether it is back"),
    await limiter.peek("something else"),
    await limiter.consume("whether it is back"),
  ]);
  expect(decisions).toMatchObject(decisions.map(() => ({ allowed: true })));
}

async function untilItSays(
  pattern: RegExp,
  reject: () => Promise<RedisStoreError>,
): Promise<RedisStoreError> {
  const giveUpAt = performance.now() + backWithinMs;
  for (;;) {
    const error = await reject();
    if (pattern.test(error.message) || performance.now() > giveUpAt) {
      expect(error.message).toMatch(pattern);
      return error;
    }
    await sleep(10);
  }
}
