import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { startRedis } from "../../../scripts/cluster/start-redis.ts";
import { connectedRedis } from "../../../testing/redis-connection.ts";
import { type RedisClient, redisStore } from "../redis.ts";
import type { Clock, Update } from "../types.ts";
import { script } from "./redis/script.ts";

const server = await startRedis();
afterAll(() => server.stop());
const admin = new Redis(server.url);
afterAll(() => admin.disconnect());

describe("the time of a Redis store", () => {
  it("is the server's, in whole milliseconds, a little late but never ahead", async () => {
    const { update } = await newStore();
    for (let index = 0; index < 50; index += 1) {
      const before = await serverNow();
      const now = await update((_, at) => ({ result: at, next: at }));
      expect(now).toBeLessThanOrEqual(await serverNow());
      // How late depends on the machine; the server accepts a second.
      expect(now).toBeGreaterThan(before - 1_001);
      expect(Number.isInteger(now)).toBe(true);
    }
  });

  it("is known before any step is run", async () => {
    const { update } = await newStore();
    const times: number[] = [];
    await update((_, now) => ({ result: times.push(now) }));
    expect(times).toHaveLength(1);
    expect(times[0]).toBeGreaterThan((await serverNow()) - 60_000);
  });

  it("stands still, for a key, where a process with a faster estimate has written", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const standing = await serverNow();
    const client = withTimeAt(await connectedRedis(server.url), standing);
    const { update, put } = await newStore({ client });
    const ahead = standing + 700;
    await put(`=tag ${ahead} 60000 "state"`);
    const first = await update((state, now) => ({ result: [state, now], next: "next" }));
    const second = await update((state, now) => ({ result: [state, now] }));
    expect([first, second]).toEqual([
      ["state", ahead],
      ["next", ahead],
    ]);
  });

  it("goes back when the key was written before the server's clock was set back", async () => {
    const { update, put } = await newStore();
    const ahead = (await serverNow()) + 60_000;
    await put(`=tag ${ahead} 60000 "state"`);
    const [state, now] = await update((found, at) => ({ result: [found, at], next: "next" }));
    expect(state).toBe("state");
    expect(now).toBeLessThanOrEqual(await serverNow());
  });

  it.each([
    ["forward", -60_000],
    ["back", 60_000],
  ])("is right again when the server's clock was set %s", async (_, wasAheadMs) => {
    let wrongBy = wasAheadMs;
    const client = await connectedRedis(server.url);
    const { update } = await newStore({ client: withTimeOff(client, () => wrongBy) });
    await update(() => ({ result: "brings a time of before" }));
    wrongBy = 0;
    const before = await serverNow();
    const now = await update((_state, at) => ({ result: at, next: at }));
    expect(now).toBeGreaterThan(before - 1_001);
    expect(now).toBeLessThanOrEqual(await serverNow());
  });

  it("is the clock's where there is one, and the caller's before that", async () => {
    const { update } = await newStore({ clock: () => 5 });
    expect(await update((_, now) => ({ result: now }))).toBe(5);
    expect(await update((_, now) => ({ result: now }), 3)).toBe(3);
  });
});

describe("the script of a Redis store", () => {
  it.each([
    ["a second late and more, its caller having given up", -1_050],
    ["ahead of the server", 600_000],
  ])("changes nothing when the call is %s", async (_, byMs) => {
    const key = randomUUID();
    const claim = `${Math.floor((await serverNow()) + byMs)}`;
    const [, value] = await replyOf(key, "", claim, "=new 1 1 1", "1000");
    expect(value).toBe("");
    expect(await admin.exists(key)).toBe(0);
    await admin.set(key, "=tag 1 1 1");
    expect((await replyOf(key, "=tag ", claim, ""))[1]).toBe("=tag 1 1 1");
    expect(await admin.get(key)).toBe("=tag 1 1 1");
  });

  it("changes nothing when another process has written, and returns its value", async () => {
    const key = randomUUID();
    await admin.set(key, "=theirs 1 1 1");
    for (const tag of ["", "=ours "]) {
      const reply = await replyOf(key, tag, `${Math.floor(await serverNow())}`, "=new 1 1 1", "");
      expect(reply[1]).toBe("=theirs 1 1 1");
    }
    expect(await admin.get(key)).toBe("=theirs 1 1 1");
  });

  it("reports to the next writer how many came too late", async () => {
    const key = randomUUID();
    await admin.set(key, "=tag 1 1 1", "PX", 60_000);
    const write = async (tag: string, mark?: string) =>
      replyOf(key, tag, `${Math.floor(await serverNow())}`, "=new 1 1 1", "60000", mark);
    await write("=late ", "!");
    await write("=later ", "!");
    expect(await admin.get(key)).toBe("=tag 1 1 1!!");
    expect(await admin.pttl(key)).toBeGreaterThan(0);
    expect((await write("=tag "))[1]).toBe(2);
    expect((await write("=new "))[1]).toBeUndefined();
  });
});

describe("keys of a Redis store", () => {
  it("expire two seconds after their states", async () => {
    const { update, key } = await newStore();
    await update(() => ({ result: "brings the time" }));
    const before = (await serverNow()) - 1_000;
    await update((_, now) => ({ result: 0, next: 1, expiresAt: now + 300 }));
    const leftMs = await admin.pttl(key);
    expect(leftMs).toBeLessThanOrEqual(2_300);
    expect(leftMs).toBeGreaterThan(2_300 - ((await serverNow()) - before));
    await expect.poll(() => admin.exists(key)).toBe(0);
    expect(await update((state) => ({ result: state }))).toBeUndefined();
  });

  it("stay when their states do, and are deleted with them", async () => {
    const { update, key } = await newStore();
    await update(() => ({ result: 0, next: 1, expiresAt: Number.POSITIVE_INFINITY }));
    expect(await admin.pttl(key)).toBe(-1);
    await update(() => ({ result: 0, next: 1 }));
    expect(await admin.pttl(key)).toBe(-1);
    await update((_, now) => ({ result: 0, next: 1, expiresAt: now }));
    expect(await admin.exists(key)).toBe(0);
  });

  it("are found gone without a second call when they had to be", async () => {
    let now = 1_000;
    const { update, key } = await newStore({ clock: () => now });
    await update(() => ({ result: 0, next: 1, expiresAt: 2_000 }));
    await admin.del(key);
    now = 4_000;
    let runs = 0;
    const state = await update((found) => {
      runs += 1;
      return { result: found, next: 2 };
    });
    expect([state, runs]).toEqual([undefined, 1]);
  });
});

/** A new store with one key. */
async function newStore({ client, clock }: { client?: RedisClient; clock?: Clock } = {}) {
  const prefix = randomUUID();
  const store = redisStore({
    client: client ?? (await connectedRedis(server.url)),
    prefix,
    timeoutMs: 600_000,
    ...(clock && { clock }),
  });
  return {
    key: prefix,
    update: <R>(step: (state: unknown, now: number) => Update<unknown, R>, now?: number) =>
      store.update("", step, now),
    put: (value: string) => admin.set(prefix, value),
  };
}

/** The script's reply: the server's time in microseconds, and the rest, if any. */
async function replyOf(
  key: string,
  tag: string,
  claim: string,
  value: string,
  lifetime = "",
  mark = "",
): Promise<unknown[]> {
  const reply = await admin.eval(script, 1, key, claim, mark, tag, value, lifetime);
  return Array.isArray(reply) ? reply : [reply];
}

async function serverNow(): Promise<number> {
  const [seconds, microseconds] = await admin.time();
  return Number(seconds) * 1000 + Number(microseconds) / 1000;
}

/** Like a server whose clock stands still, in replies; no claim of a time is late. */
function withTimeAt(client: Redis, standingMs: number): RedisClient {
  const run =
    (command: "evalsha" | "eval"): RedisClient["eval"] =>
    async (text, keyCount, key = "", claim = "", ...rest) => {
      const now = claim === "0" ? claim : `${Math.floor(await serverNow())}`;
      const reply = await client[command](text, keyCount, key, now, ...rest);
      const [, ...others] = Array.isArray(reply) ? reply : [reply];
      return [standingMs * 1000, ...others];
    };
  return { evalsha: run("evalsha"), eval: run("eval") };
}

/** Like a server whose clock is wrong, in comparisons and in replies. */
function withTimeOff(client: Redis, wrongByMs: () => number): RedisClient {
  const run =
    (command: "evalsha" | "eval"): RedisClient["eval"] =>
    async (text, keyCount, key = "", claim = "", ...rest) => {
      const byMs = wrongByMs();
      const reply = await client[command](text, keyCount, key, `${Number(claim) - byMs}`, ...rest);
      const [time, ...others] = Array.isArray(reply) ? reply : [reply];
      return [Number(time) + byMs * 1000, ...others];
    };
  return { evalsha: run("evalsha"), eval: run("eval") };
}
