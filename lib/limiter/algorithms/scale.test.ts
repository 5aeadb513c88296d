import fc from "fast-check";
import { expect, it } from "vitest";
import { type Algorithm, ema, fixedWindow, leakyBucket, slidingLog, tiered, tokenBucket } from "../index.ts";

const kathmandu = { anchor: "calendar-day", timeZone: "Asia/Kathmandu" } as const;

it.each<[whole: Algorithm<unknown>, half: Algorithm<unknown>]>([
  [leakyBucket({ capacity: 20, leakPerSecond: 10 }), leakyBucket({ capacity: 10, leakPerSecond: 5 })],
  [leakyBucket({ capacity: 1.5, leakPerSecond: 10 }), leakyBucket({ capacity: 1, leakPerSecond: 5 })],
  // Where the whole limit lets no request through, its share does not either.
  [leakyBucket({ capacity: 0.5, leakPerSecond: 10 }), leakyBucket({ capacity: 0.5, leakPerSecond: 5 })],
  [tokenBucket({ capacity: 20, refillPerSecond: 10 }), tokenBucket({ capacity: 10, refillPerSecond: 5 })],
  [tokenBucket({ capacity: 1, refillPerSecond: 1 }), tokenBucket({ capacity: 1, refillPerSecond: 0.5 })],
  [fixedWindow({ limit: 7, windowMs: 500 }), fixedWindow({ limit: 3.5, windowMs: 500 })],
  [fixedWindow({ limit: 1, ...kathmandu }), fixedWindow({ limit: 1, ...kathmandu })],
  [slidingLog({ limit: 7, windowMs: 500 }), slidingLog({ limit: 3, windowMs: 500 })],
  [slidingLog({ limit: 1, windowMs: 500 }), slidingLog({ limit: 1, windowMs: 500 })],
  [
    tiered({
      freePerDay: 7,
      beyond: tokenBucket({ capacity: 1.5, refillPerSecond: 1 }),
      timeZone: "Asia/Kathmandu",
    }),
    tiered({
      freePerDay: 3,
      beyond: tokenBucket({ capacity: 1, refillPerSecond: 0.5 }),
      timeZone: "Asia/Kathmandu",
    }),
  ],
  [tiered({ freePerDay: 1, beyond: ema() }), tiered({ freePerDay: 1, beyond: ema() })],
  [ema({ threshold: 5, recentGaps: 4 }), ema({ threshold: 5, recentGaps: 4 })],
  [withFloor(8, 1), withFloor(4, 0.5)],
  [withFloor(1, 0.000_001), withFloor(1, 0.000_001)],
])("scales limit and rate by a share, but to no less than one request: %#", (whole, half) => {
  const now = 1_767_614_400_000;
  const decisionsOf = (algorithm: Algorithm<unknown>) =>
    runOf(
      algorithm,
      [0, 0, 0, 0, 0, 1, 600, 1_200, 86_400_000].map((afterMs) => now + afterMs),
    );
  expect(decisionsOf(whole.scale(0.5))).toEqual(decisionsOf(half));
  expect(decisionsOf(whole.scale(1))).toEqual(decisionsOf(whole));
});

it("lets processes at their shares pass one request each, and together no more than the limit", () => {
  const limit = fc.integer({ min: 1, max: 40 });
  const windowMs = 1_000;
  const algorithms = fc.oneof<fc.Arbitrary<Algorithm<unknown>>[]>(
    fc.tuple(limit, limit).map(([capacity, leakPerSecond]) => leakyBucket({ capacity, leakPerSecond })),
    fc.tuple(limit, limit).map(([capacity, refillPerSecond]) => tokenBucket({ capacity, refillPerSecond })),
    limit.map((most) => fixedWindow({ limit: most, windowMs })),
    limit.map((most) => slidingLog({ limit: most, windowMs })),
  );
  fc.assert(
    fc.property(algorithms, fc.integer({ min: 1, max: 12 }), (whole, processes) => {
      const burst = burstOf(whole.scale(1 / processes));
      expect(burst).toBeGreaterThanOrEqual(1);
      expect(burst * processes).toBeLessThanOrEqual(Math.max(processes, burstOf(whole)));
    }),
    { numRuns: 300, seed: 1 },
  );
});

it.each<[small: Algorithm<unknown>, large: Algorithm<unknown>]>([
  [leakyBucket({ capacity: 2, leakPerSecond: 10 }), leakyBucket({ capacity: 5, leakPerSecond: 25 })],
  [fixedWindow({ limit: 2, windowMs: 500 }), fixedWindow({ limit: 5, windowMs: 500 })],
  [slidingLog({ limit: 2, windowMs: 500 }), slidingLog({ limit: 5, windowMs: 500 })],
  [withFloor(4, 1), withFloor(10, 2.5)],
  [withFloor(1_000_000, 1), withFloor(1_000_000, 2.5)],
])("scales limit and rate by a factor above 1: %#", (small, large) =>
  expect(burstOf(small.scale(2.5))).toBe(burstOf(large)),
);

it.each([0, -1, Number.POSITIVE_INFINITY, Number.NaN])("refuses %d as a share", (share) => {
  for (const algorithm of [
    leakyBucket({ capacity: 1, leakPerSecond: 1 }),
    slidingLog({ limit: 1, windowMs: 1 }),
    ema(),
  ])
    expect(() => algorithm.scale(share)).toThrow("share must be finite and above 0");
});

/** A prior that refuses the second request of a key, unless it fits in the floor. */
function withFloor(floorRequests: number, floorPerSecond: number) {
  return ema({ floorRequests, floorPerSecond, priorGapMs: 3_600_000, priorGaps: 10, recentGaps: 2 });
}

function runOf<S>({ step }: Algorithm<S>, times: readonly number[]) {
  let state: S | undefined;
  return times.map((now) => {
    const { decision, next } = step(state, now, 1);
    state = next ?? state;
    return decision;
  });
}

/** How many requests pass at one instant. */
function burstOf<S>(algorithm: Algorithm<S>): number {
  const decisions = runOf(algorithm, Array(60).fill(0));
  const refused = decisions.findIndex(({ allowed }) => !allowed);
  return refused === -1 ? decisions.length : refused;
}
