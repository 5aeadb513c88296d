import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Algorithm,
  fixedWindow,
  gcra,
  leakyBucket,
  slidingLog,
  slidingWindowCounter,
  tokenBucket,
} from "../index.ts";

const start = 1_767_614_400_000;
const windowMs = 1_000;
const limit = 10;

/**
 * The algorithms that measure time, with the most that passes in a time:
 * `burst` limits at once, and one limit per `windowMs`.
 */
const cases: [name: string, algorithm: Algorithm<unknown>, burst: number][] = [
  ["leakyBucket", leakyBucket({ capacity: limit, leakPerSecond: limit }), 1],
  ["tokenBucket", tokenBucket({ capacity: limit, refillPerSecond: limit }), 1],
  ["gcra", gcra({ capacity: limit, ratePerSecond: limit }), 1],
  ["fixedWindow", fixedWindow({ limit, windowMs }), 1],
  ["slidingLog", slidingLog({ limit, windowMs }), 1],
  ["slidingWindowCounter", slidingWindowCounter({ limit, windowMs }), 2],
];

/** How many of 20 requests each pass from two callers with clocks `skewMs` apart. */
function passed<S>(algorithm: Algorithm<S>, behindAt: number, skewMs: number, turns: number): number {
  let state: S | undefined;
  let count = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    const now = behindAt + (turn % 2 === 0 ? skewMs : 0);
    for (let index = 0; index < 20; index += 1) {
      const { decision, next } = algorithm.step(state, now, 1);
      state = next ?? state;
      if (decision.allowed) count += 1;
    }
  }
  return count;
}

describe.each(cases)("%s, used in turn by two callers whose clocks differ", (_name, algorithm, burst) => {
  it("passes no more than it would if each turn forward were that much time", () => {
    const skew = fc.integer({ min: 0, max: 3 * windowMs });
    fc.assert(
      fc.property(fc.integer({ min: -windowMs, max: windowMs }), skew, (offset, skewMs) => {
        const forwardMs = 99 * skewMs;
        const most = limit * (burst + forwardMs / windowMs);
        expect(passed(algorithm, start + offset, skewMs, 200)).toBeLessThanOrEqual(most);
      }),
      {
        numRuns: 300,
        examples: [
          [-100, 200],
          [-10, 20],
          [-400, 900],
          [-100, 1_000],
        ],
      },
    );
  });
});

it.each([200, 900])(
  "windows from the first request on and sliding ones pass one limit for clocks %d ms apart",
  (skewMs) => {
    const counts = [fixedWindow, slidingLog, slidingWindowCounter].map((create) =>
      passed(create({ limit, windowMs }) as Algorithm<unknown>, start - skewMs / 2, skewMs, 200),
    );
    expect(counts).toEqual([limit, limit, limit]);
  },
);
