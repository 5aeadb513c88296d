import { describe, expect, it } from "vitest";
import {
  createLimiter,
  ema,
  fixedWindow,
  leakyBucket,
  memoryStore,
  slidingLog,
  tiered,
  tokenBucket,
} from "./index.ts";
import type { Algorithm } from "./types.ts";

describe("refund of a cost that was counted too early", () => {
  it.each<{ name: string; algorithm: Algorithm<unknown> }>(
    [
      leakyBucket({ capacity: 3, leakPerSecond: 1 }),
      tokenBucket({ capacity: 3, refillPerSecond: 1 }),
      fixedWindow({ limit: 3, windowMs: 1000 }),
      slidingLog({ limit: 3, windowMs: 1000 }),
      tiered({ freePerDay: 1, beyond: slidingLog({ limit: 2, windowMs: 1000 }) }),
    ].map((algorithm) => ({ name: algorithm.name, algorithm })),
  )(
    "$name: takes back what was counted, and never leaves more than an untouched key has",
    async ({ algorithm }) => {
      const limiter = createLimiter({ algorithm, store: memoryStore(), clock: () => 1_000_000 });
      const untouched = await limiter.peek("key");
      expect(await limiter.refund("key")).toBe(false);
      await limiter.consume("key", 3);
      expect((await limiter.consume("key")).allowed).toBe(false);
      expect(await limiter.refund("key", 2)).toBe(true);
      expect(await limiter.peek("key", 2)).toMatchObject({ allowed: true, remaining: 2 });
      expect((await limiter.peek("key", 3)).allowed).toBe(false);
      expect(await limiter.refund("key", 1000)).toBe(true);
      expect(await limiter.peek("key")).toEqual(untouched);
      expect(await limiter.refund("key")).toBe(false);
      await expect(limiter.refund("key", -1)).rejects.toThrow(/cost must be/);
    },
  );

  it("ema: reports that it cannot, and changes nothing", async () => {
    const limiter = createLimiter({ algorithm: ema(), store: memoryStore(), clock: () => 1_000_000 });
    await limiter.consume("key");
    const before = await limiter.peek("key");
    expect(await limiter.refund("key")).toBe(false);
    expect(await limiter.peek("key")).toEqual(before);
  });
});
