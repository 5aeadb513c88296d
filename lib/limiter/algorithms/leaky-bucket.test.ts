import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Decision } from "../types.ts";
import { type LeakyBucketSettings, type LeakyBucketState, leakyBucket } from "./leaky-bucket.ts";

type Try = { t: number; cost?: number; allowed: boolean; retryAfterMs?: number };

function bucketWithMemory(settings: LeakyBucketSettings) {
  const algorithm = leakyBucket(settings);
  let state: LeakyBucketState | undefined;
  return {
    peek: (t: number, cost = 1): Decision => algorithm.step(state, t, cost).decision,
    consume(t: number, cost = 1): Decision {
      const { decision, next } = algorithm.step(state, t, cost);
      if (next !== undefined) state = JSON.parse(JSON.stringify(next));
      return decision;
    },
  };
}

const ok = (t: number, cost?: number): Try => ({ t, allowed: true, ...(cost !== undefined && { cost }) });
const no = (t: number, retryAfterMs: number, cost?: number): Try => ({
  t,
  retryAfterMs,
  allowed: false,
  ...(cost !== undefined && { cost }),
});

const tables: { name: string; settings: LeakyBucketSettings; tries: Try[] }[] = [
  {
    name: "exactly the capacity passes at one instant",
    settings: { capacity: 3, leakPerSecond: 1 },
    tries: [ok(0), ok(0), ok(0), no(0, 1000), no(0, 1000)],
  },
  {
    name: "the level drains between whole requests, and a request passes at the very millisecond",
    settings: { capacity: 2, leakPerSecond: 10 },
    tries: [ok(0), ok(0), no(99, 1), ok(100), no(199, 1), no(150, 50), ok(200)],
  },
  {
    name: "a leak of a tenth is a tenth",
    settings: { capacity: 1, leakPerSecond: 0.1 },
    tries: [ok(0), no(9_999, 1), ok(10_000), no(19_999, 1), ok(20_000), no(29_999, 1), ok(30_000)],
  },
  {
    name: "a leak of a third is a third, which no double is",
    settings: { capacity: 1, leakPerSecond: 1 / 3 },
    tries: [ok(0), no(2_999, 1), ok(3_000), no(5_999, 1), ok(6_000), no(8_999, 1), ok(9_000)],
  },
  {
    name: "a bucket never drains below empty",
    settings: { capacity: 2, leakPerSecond: 1 },
    tries: [ok(0), ok(1_000_000), ok(1_000_000), no(1_000_000, 1000)],
  },
  {
    name: "costs add up, in fractions too",
    settings: { capacity: 1, leakPerSecond: 1 },
    tries: [ok(0, 0.1), ok(0, 0.2), ok(0, 0.7), no(0, 1, 0.001), ok(1, 0.001), no(1, 500, 0.5)],
  },
  {
    name: "a thousandth is a thousandth, also where doubles miss it",
    settings: { capacity: 3, leakPerSecond: 1 },
    tries: [ok(0, 2.007), ok(0, 0.993), no(0, 1, 0.001)],
  },
  {
    name: "a large cost waits for its room, a smaller one passes meanwhile",
    settings: { capacity: 10, leakPerSecond: 1 },
    tries: [ok(0, 8), no(0, 6_000, 8), ok(0, 2), no(0, 8_000, 8), no(7_999, 1, 8), ok(8_000, 8)],
  },
  {
    name: "a refusal costs nothing",
    settings: { capacity: 1, leakPerSecond: 1 },
    tries: [ok(0), ...Array.from({ length: 20 }, (_, index) => no(index * 40, 1000 - index * 40)), ok(1000)],
  },
  {
    name: "a clock that jumps back grants nothing and locks no key out",
    settings: { capacity: 3, leakPerSecond: 10 },
    tries: [ok(100_000), ok(0), ok(0), no(0, 100), no(0, 100), ok(100), no(100, 100), no(150, 50), ok(200)],
  },
  {
    name: "a clock that jumps back while the bucket is full needs no success to recover",
    settings: { capacity: 1, leakPerSecond: 1 },
    tries: [ok(100_000), no(50_000, 1000), no(50_999, 1), ok(51_000)],
  },
];

describe("leaky bucket", () => {
  it.each(tables)("$name", ({ settings, tries }) => {
    const bucket = bucketWithMemory(settings);
    for (const [index, { t, cost, allowed, retryAfterMs }] of tries.entries()) {
      const decision = bucket.consume(t, cost);
      const found = { index, allowed: decision.allowed, retryAfterMs: decision.retryAfterMs };
      expect(found).toEqual({ index, allowed, retryAfterMs: allowed ? 0 : retryAfterMs });
    }
  });

  it("reports limit, remaining, reset time and reason", () => {
    const bucket = bucketWithMemory({ capacity: 20, leakPerSecond: 10 });
    bucket.consume(0, 15);
    expect(bucket.consume(50)).toEqual({
      allowed: true,
      limit: 20,
      remaining: 4,
      retryAfterMs: 0,
      resetAfterMs: 1550,
      reason: { algorithm: "leaky-bucket", neverFits: false, level: 14.5, capacity: 20, leakPerSecond: 10 },
    });
    expect(bucket.consume(50, 5)).toMatchObject({
      allowed: false,
      remaining: 4,
      retryAfterMs: 50,
      resetAfterMs: 1550,
    });
  });

  it("refuses a cost above the bucket for good, and reports that", () => {
    const bucket = bucketWithMemory({ capacity: 5, leakPerSecond: 2 });
    expect(bucket.consume(0, 5.001)).toEqual({
      allowed: false,
      limit: 5,
      remaining: 5,
      retryAfterMs: 0,
      resetAfterMs: 0,
      reason: { algorithm: "leaky-bucket", neverFits: true, cost: 5.001, limit: 5, windowMs: 2500 },
    });
    expect(bucket.consume(0, Number.MAX_SAFE_INTEGER).reason.neverFits).toBe(true);
    expect(bucket.consume(0, 5).allowed).toBe(true);
  });

  it("saves nothing when it refuses, and lets go of the state once the bucket is empty", () => {
    const algorithm = leakyBucket({ capacity: 2, leakPerSecond: 4 });
    const { next, expiresAt } = algorithm.step(undefined, 1000, 2);
    expect(expiresAt).toBe(1500);
    expect(algorithm.step(next, 1000, 1).next).toBeUndefined();
  });

  it("reads a state that was saved under other settings", () => {
    const before = leakyBucket({ capacity: 20, leakPerSecond: 10 }).step(undefined, 0, 15).next;
    const after = leakyBucket({ capacity: 30, leakPerSecond: 1 / 3 });
    expect(after.step(before, 0, 15).decision.allowed).toBe(true);
    expect(after.step(before, 0, 15.001).decision.allowed).toBe(false);
    const smaller = leakyBucket({ capacity: 2, leakPerSecond: 1 });
    expect(smaller.step(before, 0, 1).decision.retryAfterMs).toBe(1000);
  });

  it.each([
    null,
    7,
    "full",
    {},
    [],
    { level: "1", unitsPerRequest: 1000, updatedAt: 0 },
    { level: null, unitsPerRequest: 1000, updatedAt: 0 },
    { level: -1e9, unitsPerRequest: 1000, updatedAt: 0 },
    { level: 1, unitsPerRequest: 0, updatedAt: 0 },
    { level: 1, unitsPerRequest: 1000 },
  ])("takes the unknown state %j for none", (garbage) => {
    const algorithm = leakyBucket({ capacity: 2, leakPerSecond: 1 });
    const readBack: ReturnType<typeof JSON.parse> = garbage;
    expect(algorithm.step(readBack, 0, 1)).toEqual(algorithm.step(undefined, 0, 1));
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
    "refuses %s as a setting or a cost, by name",
    (bad) => {
      expect(() => leakyBucket({ capacity: bad, leakPerSecond: 1 })).toThrow(/capacity must be/);
      expect(() => leakyBucket({ capacity: 1, leakPerSecond: bad })).toThrow(/leakPerSecond must be/);
      expect(() => leakyBucket({ capacity: 1, leakPerSecond: 1 }).step(undefined, 0, bad)).toThrow(
        /cost must be/,
      );
    },
  );

  it("refuses settings that whole numbers cannot hold, with the remedy", () => {
    expect(() => leakyBucket({ capacity: 1e15, leakPerSecond: 1 })).toThrow(/capacity must be at most/);
    const tooSmall = { capacity: 1e-308, leakPerSecond: 1 };
    expect(() => leakyBucket(tooSmall)).toThrow(/capacity must be at least 0.001, but is 1e-308/);
    expect(() => leakyBucket({ capacity: 1e9, leakPerSecond: 1e-9 })).toThrow(/leakPerSecond .* raise it/);
    const fromEnvironment: ReturnType<typeof JSON.parse> = { capacity: "20", leakPerSecond: 1 };
    expect(() => leakyBucket(fromEnvironment)).toThrow(/the string "20": give a number/);
  });
});

const anyBucket = fc.record({
  capacity: fc.integer({ min: 1, max: 50 }),
  leak: fc.record({
    requests: fc.integer({ min: 1, max: 1000 }),
    seconds: fc.integer({ min: 1, max: 1000 }),
  }),
});
const anySteps = fc.array(
  fc.record({ wait: fc.integer({ min: -500, max: 3000 }), cost: fc.integer({ min: 1, max: 8 }) }),
  { minLength: 1, maxLength: 100 },
);

describe("leaky bucket, over random buckets and traffic", () => {
  it("decides as exact fractions do", () => {
    fc.assert(
      fc.property(anyBucket, anySteps, ({ capacity, leak }, steps) => {
        const bucket = bucketWithMemory({ capacity, leakPerSecond: leak.requests / leak.seconds });
        // In units of 1 / (1000 · seconds) request, as big integers.
        const unit = BigInt(1000 * leak.seconds);
        let [level, at, t] = [0n, 0, 1_700_000_000_000];
        for (const { wait, cost } of steps) {
          t += wait;
          const drained = BigInt(Math.max(0, t - at)) * BigInt(leak.requests);
          const levelNow = level > drained ? level - drained : 0n;
          const allowed = levelNow + BigInt(cost) * unit <= BigInt(capacity) * unit;
          expect(bucket.consume(t, cost).allowed).toBe(allowed);
          if (allowed) [level, at] = [levelNow + BigInt(cost) * unit, t];
          else if (t < at) at = t;
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("names the first millisecond at which the same request passes", () => {
    fc.assert(
      fc.property(anyBucket, anySteps, ({ capacity, leak }, steps) => {
        const bucket = bucketWithMemory({ capacity, leakPerSecond: leak.requests / leak.seconds });
        let t = 1_700_000_000_000;
        for (const { wait, cost } of steps) {
          t += wait;
          const { allowed, retryAfterMs, reason } = bucket.consume(t, cost);
          if (allowed || reason.neverFits) continue;
          expect(bucket.peek(t + retryAfterMs - 1, cost).allowed).toBe(false);
          expect(bucket.peek(t + retryAfterMs, cost).allowed).toBe(true);
        }
      }),
    );
  });

  it("admits in no interval more than the capacity and the amount that leaks in it, for any double as a rate", () => {
    const anyRate = fc.double({ min: 1e-3, max: 1e3, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), anyRate, anySteps, (capacity, leakPerSecond, steps) => {
        const bucket = bucketWithMemory({ capacity, leakPerSecond });
        const admitted: { t: number; cost: number }[] = [];
        let t = 0;
        for (const { wait, cost } of steps) {
          t += Math.abs(wait);
          if (bucket.consume(t, cost).allowed) admitted.push({ t, cost });
        }
        for (const [first, { t: from }] of admitted.entries()) {
          let sum = 0;
          for (const { t: to, cost } of admitted.slice(first)) {
            sum += cost;
            expect(sum).toBeLessThanOrEqual(capacity + ((to - from) / 1000) * leakPerSecond + 1e-6);
          }
        }
      }),
    );
  });
});
