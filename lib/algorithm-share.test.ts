import fc from "fast-check";
import { expect, test } from "vitest";
import { atShare } from "./algorithm-share.ts";
import { type AlgorithmParameters, algorithmFrom } from "./algorithms.ts";

test.each<[AlgorithmParameters, AlgorithmParameters]>([
  [
    { algorithm: "leaky-bucket", capacity: 20, leakPerSecond: 10 },
    { algorithm: "leaky-bucket", capacity: 10, leakPerSecond: 5 },
  ],
  [
    { algorithm: "leaky-bucket", capacity: 1.5, leakPerSecond: 10 },
    { algorithm: "leaky-bucket", capacity: 1, leakPerSecond: 5 },
  ],
  // Where not even the whole limit lets one through, its share does not either.
  [
    { algorithm: "leaky-bucket", capacity: 0.5, leakPerSecond: 10 },
    { algorithm: "leaky-bucket", capacity: 0.5, leakPerSecond: 5 },
  ],
  [
    { algorithm: "token-bucket", capacity: 20, refillPerSecond: 10 },
    { algorithm: "token-bucket", capacity: 10, refillPerSecond: 5 },
  ],
  [
    { algorithm: "token-bucket", capacity: 1, refillPerSecond: 1 },
    { algorithm: "token-bucket", capacity: 1, refillPerSecond: 0.5 },
  ],
  [
    { algorithm: "fixed-window", limit: 7, windowMs: 500 },
    { algorithm: "fixed-window", limit: 3.5, windowMs: 500 },
  ],
  [
    { algorithm: "fixed-window", limit: 1, anchor: "calendar-day", timeZone: "Asia/Kathmandu" },
    { algorithm: "fixed-window", limit: 1, anchor: "calendar-day", timeZone: "Asia/Kathmandu" },
  ],
  [
    { algorithm: "sliding-log", limit: 7, windowMs: 500 },
    { algorithm: "sliding-log", limit: 3, windowMs: 500 },
  ],
  [
    { algorithm: "sliding-log", limit: 1, windowMs: 500 },
    { algorithm: "sliding-log", limit: 1, windowMs: 500 },
  ],
  [
    {
      algorithm: "tiered",
      freePerDay: 7,
      beyond: { algorithm: "token-bucket", capacity: 1.5, refillPerSecond: 1 },
      timeZone: "Asia/Kathmandu",
    },
    {
      algorithm: "tiered",
      freePerDay: 3,
      beyond: { algorithm: "token-bucket", capacity: 1, refillPerSecond: 0.5 },
      timeZone: "Asia/Kathmandu",
    },
  ],
  [
    { algorithm: "tiered", freePerDay: 1, beyond: { algorithm: "ema", threshold: 5 } },
    { algorithm: "tiered", freePerDay: 1, beyond: { algorithm: "ema", threshold: 5 } },
  ],
  [
    { algorithm: "ema", threshold: 5, recentGaps: 4, adaptMs: 1_000 },
    { algorithm: "ema", threshold: 5, recentGaps: 4, adaptMs: 1_000 },
  ],
])("Half of %j has half of its limit and rate, and at least one request", (whole, half) => {
  expect(atShare(whole, 0.5)).toEqual(half);
  expect(atShare(whole, 1)).toEqual(whole);
});

test("Processes that stand in at their shares let at least one request through each, and no more than the limit together", () => {
  const limit = fc.integer({ min: 1, max: 40 });
  const windowMs = 1_000;
  const parameters = fc.oneof(
    fc.record({ algorithm: fc.constant("leaky-bucket" as const), capacity: limit, leakPerSecond: limit }),
    fc.record({ algorithm: fc.constant("token-bucket" as const), capacity: limit, refillPerSecond: limit }),
    fc.record({ algorithm: fc.constant("fixed-window" as const), limit, windowMs: fc.constant(windowMs) }),
    fc.record({ algorithm: fc.constant("sliding-log" as const), limit, windowMs: fc.constant(windowMs) }),
  );
  fc.assert(
    fc.property(parameters, fc.integer({ min: 1, max: 12 }), (whole, processes) => {
      const burst = burstOf(atShare(whole, 1 / processes));
      expect(burst).toBeGreaterThanOrEqual(1);
      expect(burst * processes).toBeLessThanOrEqual(Math.max(processes, burstOf(whole)));
    }),
    { numRuns: 300, seed: 1 },
  );
});

/** How many requests pass at one instant. */
function burstOf(parameters: AlgorithmParameters): number {
  const algorithm = algorithmFrom(parameters);
  let state: unknown;
  for (let passed = 0; ; passed += 1) {
    const { decision, next } = algorithm.step(state, 0, 1);
    if (!decision.allowed) return passed;
    state = next;
  }
}
