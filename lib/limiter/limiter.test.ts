import { describe, expect, it } from "vitest";
import { createLimiter, ema, leakyBucket, memoryStore, storeFrom } from "./index.ts";

function limiterAt(start: number) {
  const time = { now: start };
  const algorithm = leakyBucket({ capacity: 2, leakPerSecond: 1 });
  const limiter = createLimiter({ algorithm, store: memoryStore(), clock: () => time.now });
  return { limiter, time };
}

describe("limiter", () => {
  it("counts allowed requests, per key", async () => {
    const { limiter } = limiterAt(0);
    const decisions = [await limiter.consume("a"), await limiter.consume("a"), await limiter.consume("a")];
    expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, false]);
    expect(await limiter.consume("b")).toMatchObject({ allowed: true, remaining: 1 });
  });

  it("goes by its own clock, in expiry too, even when that is far from the machine's", async () => {
    const { limiter, time } = limiterAt(5);
    await limiter.consume("a", 2);
    time.now = 1004;
    expect(await limiter.consume("a")).toMatchObject({ allowed: false, retryAfterMs: 1 });
    time.now = 1005;
    expect(await limiter.consume("a")).toMatchObject({ allowed: true });
  });

  it("goes by the store's clock when it has none", async () => {
    let now = 0;
    const algorithm = leakyBucket({ capacity: 1, leakPerSecond: 1 });
    const limiter = createLimiter({ algorithm, store: memoryStore({ clock: () => now }) });
    await limiter.consume("a");
    now = 999;
    expect((await limiter.consume("a")).allowed).toBe(false);
    now = 1000;
    expect((await limiter.consume("a")).allowed).toBe(true);
  });

  it("counts whole milliseconds of a finer clock", async () => {
    const { limiter, time } = limiterAt(0.9);
    await limiter.consume("a", 2);
    time.now = 999.9;
    expect((await limiter.consume("a")).retryAfterMs).toBe(1);
  });

  it("peeks without counting", async () => {
    const { limiter } = limiterAt(0);
    for (let index = 0; index < 5; index += 1) expect((await limiter.peek("a", 2)).allowed).toBe(true);
    await limiter.consume("a", 2);
    expect(await limiter.peek("a")).toMatchObject({ allowed: false, retryAfterMs: 1000 });
  });

  it("forgets a key that is reset, and no other", async () => {
    const { limiter } = limiterAt(0);
    await limiter.consume("a", 2);
    await limiter.consume("b", 2);
    await limiter.reset("a");
    await limiter.reset("never seen");
    expect((await limiter.peek("a")).remaining).toBe(2);
    expect((await limiter.peek("b")).allowed).toBe(false);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
    "rejects a cost of %s and counts nothing",
    async (cost) => {
      const { limiter } = limiterAt(0);
      await expect(limiter.consume("a", cost)).rejects.toThrow(/cost must be/);
      await expect(limiter.peek("a", cost)).rejects.toThrow(/cost must be/);
      expect((await limiter.peek("a")).remaining).toBe(2);
    },
  );

  it("rejects when the clock gives no time", async () => {
    const { limiter, time } = limiterAt(Number.NaN);
    await expect(limiter.consume("a")).rejects.toThrow(/clock must give milliseconds/);
    time.now = 0;
    expect((await limiter.consume("a")).allowed).toBe(true);
  });

  it("rejects when the store fails", async () => {
    const failing = storeFrom(() => Promise.reject(new Error("store is down")));
    const limiter = createLimiter({
      algorithm: leakyBucket({ capacity: 1, leakPerSecond: 1 }),
      store: failing,
    });
    for (const call of [limiter.consume("a"), limiter.peek("a"), limiter.reset("a")]) {
      await expect(call).rejects.toThrow("store is down");
    }
  });

  it.each(
    [leakyBucket({ capacity: 5, leakPerSecond: 1 }), ema()].map((algorithm) => ({
      algorithm,
      name: algorithm.name,
    })),
  )("$name: decisions and states survive JSON", async ({ algorithm }) => {
    let json: string | undefined;
    for (let index = 0; index < 30; index += 1) {
      const saved: ReturnType<typeof JSON.parse> = json === undefined ? undefined : JSON.parse(json);
      const { decision, next } = algorithm.step(saved, index * 10, index === 20 ? 100 : 1);
      expect(JSON.parse(JSON.stringify(decision))).toEqual(decision);
      if (next === undefined) continue;
      json = JSON.stringify(next);
      expect(JSON.parse(json)).toEqual(next);
    }
  });
});
