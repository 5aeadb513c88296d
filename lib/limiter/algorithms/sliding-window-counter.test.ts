import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type SlidingWindowCounterState, slidingLog, slidingWindowCounter } from "../index.ts";
import type { Algorithm } from "../types.ts";

/** An algorithm with its state, as a store keeps it. */
function kept<S>(algorithm: Algorithm<S>) {
  let state: S | undefined;
  return {
    state: () => state,
    peek: (now: number, cost = 1) => algorithm.step(state, now, cost).decision,
    consume(now: number, cost = 1) {
      const { decision, next } = algorithm.step(state, now, cost);
      if (next !== undefined) state = JSON.parse(JSON.stringify(next));
      return decision;
    },
    refund(now: number, cost = 1) {
      const back = state === undefined ? undefined : algorithm.refund?.(state, now, cost);
      if (back) state = back.next;
      return back !== undefined;
    },
    count(now: number, cost: number, grantedAt: number) {
      const counted = algorithm.count?.(state, now, cost, grantedAt);
      if (counted) state = counted.next;
      return counted !== undefined;
    },
  };
}

const start = 1_767_614_400_000;
const windowMs = fc.constantFrom(7, 1_000, 60_000);
const limit = fc.integer({ min: 1, max: 40 });
/** Parts of a window between requests, many of them at one instant. */
const gaps = fc.array(
  fc.oneof(fc.constant(0), fc.constant(0), fc.double({ min: 0, max: 0.4, noNaN: true })),
  {
    maxLength: 200,
  },
);
const estimateOf = (decision: { reason: object }) =>
  "used" in decision.reason ? Number(decision.reason.used) : NaN;

describe("slidingWindowCounter", () => {
  it("weights the previous window by the part of it that lies in the last windowMs", () => {
    const counter = kept(slidingWindowCounter({ limit: 10, windowMs: 1_000 }));
    for (let index = 0; index < 10; index += 1) expect(counter.consume(start + 900).allowed).toBe(true);
    expect(counter.peek(start + 999)).toMatchObject({ allowed: false, remaining: 0, retryAfterMs: 101 });
    // At three tenths of the next window seven of the ten count.
    expect(estimateOf(counter.peek(start + 1_300))).toBe(7);
    for (let index = 0; index < 3; index += 1) expect(counter.consume(start + 1_300).allowed).toBe(true);
    expect(counter.consume(start + 1_300)).toMatchObject({ allowed: false, retryAfterMs: 100 });
    expect(counter.state()).toEqual({ startsAt: start + 1_000, current: 3_000, previous: 10_000 });
    expect(estimateOf(counter.peek(start + 2_500))).toBe(1.5);
    expect(counter.peek(start + 3_000)).toMatchObject({ remaining: 9, resetAfterMs: 2_000 });
  });

  it("estimates the exact log's count with an error of at most the previous window's part", () => {
    fc.assert(
      fc.property(limit, windowMs, gaps, (most, lengthMs, between) => {
        const counter = kept(slidingWindowCounter({ limit: most, windowMs: lengthMs }));
        const log = kept(slidingLog({ limit: 1_000, windowMs: lengthMs }));
        let now = start;
        for (const gap of between) {
          now += Math.floor(gap * lengthMs);
          const decision = counter.consume(now);
          const elapsed = (now % lengthMs) / lengthMs;
          const state = counter.state();
          const inThisWindow = state !== undefined && state.startsAt === now - (now % lengthMs);
          const previous = inThisWindow ? state.previous / 1_000 : (state?.current ?? 0) / 1_000;
          const exact = estimateOf(log.peek(now));
          const estimate = estimateOf(decision);
          expect(exact - estimate).toBeLessThanOrEqual(elapsed * previous + 1e-9);
          expect(estimate - exact).toBeLessThanOrEqual((1 - elapsed) * previous + 0.001 + 1e-9);
          if (decision.allowed) log.consume(now);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("passes at most 1 + f times the limit in any windowMs that begins at a fraction f of a window", () => {
    fc.assert(
      fc.property(limit, windowMs, gaps, (most, lengthMs, between) => {
        const counter = kept(slidingWindowCounter({ limit: most, windowMs: lengthMs }));
        const passed: number[] = [];
        let now = start;
        for (const gap of between) {
          now += Math.floor(gap * lengthMs);
          if (counter.consume(now).allowed) passed.push(now);
        }
        for (const first of passed) {
          const within = passed.filter((at) => at >= first && at < first + lengthMs).length;
          expect(within).toBeLessThanOrEqual(most * (1 + (first % lengthMs) / lengthMs) + 1e-9);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("comes near that bound: all of one window at its end, then all that passes", () => {
    const counter = kept(slidingWindowCounter({ limit: 100, windowMs: 1_000 }));
    let passed = 0;
    for (let index = 0; index < 100; index += 1) if (counter.consume(start + 999).allowed) passed += 1;
    for (let now = start + 1_000; now < start + 1_999; now += 1)
      if (counter.consume(now).allowed) passed += 1;
    expect(passed).toBe(199);
  });

  it("names the first instant at which the same request passes", () => {
    const act = fc.record({
      verb: fc.constantFrom("request", "request", "request", "refund", "count"),
      gap: fc.oneof(fc.constant(0), fc.double({ min: -0.5, max: 1.5, noNaN: true })),
      cost: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 50 }), fc.constantFrom(0.001, 0.25, 2.5)),
    });
    fc.assert(
      fc.property(limit, windowMs, fc.array(act, { maxLength: 60 }), (most, lengthMs, acts) => {
        const counter = kept(slidingWindowCounter({ limit: most, windowMs: lengthMs }));
        let now = start;
        for (const { verb, gap, cost } of acts) {
          now += Math.floor(gap * lengthMs);
          if (verb === "refund") counter.refund(now, cost);
          else if (verb === "count") counter.count(now, cost, now - Math.floor(Math.abs(gap) * lengthMs));
          else {
            const { allowed, retryAfterMs, reason } = counter.consume(now, cost);
            expect(reason.neverFits).toBe(cost > most);
            if (allowed || reason.neverFits) continue;
            expect(counter.peek(now + retryAfterMs - 1, cost).allowed).toBe(false);
            expect(counter.peek(now + retryAfterMs, cost).allowed).toBe(true);
            expect(retryAfterMs).toBeLessThanOrEqual(2 * lengthMs);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("keeps its counts when the clock runs back, for no longer than two windows", () => {
    const counter = kept(slidingWindowCounter({ limit: 2, windowMs: 1_000 }));
    counter.consume(start, 2);
    expect(counter.consume(start - 3_600_000)).toMatchObject({ allowed: false, retryAfterMs: 1_500 });
    expect(counter.consume(start - 3_600_000 + 1_500).allowed).toBe(true);
  });

  it("counts the grants of others in the window in which they granted them, and nothing older", () => {
    const counter = kept(slidingWindowCounter({ limit: 10, windowMs: 1_000 }));
    expect(counter.count(start + 500, 8, start - 1_001)).toBe(false);
    expect(counter.count(start + 500, 8, start - 1)).toBe(true);
    expect(estimateOf(counter.peek(start + 500))).toBe(4);
    expect(counter.count(start + 500, 3, start + 600)).toBe(true);
    expect(counter.state()).toEqual({ startsAt: start, current: 3_000, previous: 8_000 });
  });

  it("refunds the current window first, then the previous one, and never more than was counted", () => {
    const counter = kept(slidingWindowCounter({ limit: 10, windowMs: 1_000 }));
    expect(counter.refund(start)).toBe(false);
    counter.consume(start, 4);
    counter.consume(start + 1_000, 2);
    expect(counter.refund(start + 1_000, 3)).toBe(true);
    expect(counter.state()).toEqual({ startsAt: start + 1_000, current: 0, previous: 3_000 });
    expect(counter.refund(start + 1_000, 9)).toBe(true);
    expect(counter.refund(start + 1_000)).toBe(false);
  });

  it.each([
    {},
    { startsAt: start, current: -1, previous: 0 },
    { startsAt: "x", current: 1, previous: 1 },
    7,
    null,
  ])("takes the state %j, which is not its own, for none", (foreign) => {
    const { step } = slidingWindowCounter({ limit: 1, windowMs: 1_000 });
    expect(step(foreign as SlidingWindowCounterState, start, 1)).toEqual(step(undefined, start, 1));
  });

  it.each([
    [{ limit: 0, windowMs: 1 }, "slidingWindowCounter: limit must be a finite number above 0"],
    [{ limit: 1, windowMs: 2 ** 51 + 1 }, "slidingWindowCounter: windowMs must be at most"],
    [{ limit: 1, windowMs: 0.5 }, "slidingWindowCounter: windowMs must be a whole number"],
  ])("refuses %j as settings", (settings, message) => {
    expect(() => slidingWindowCounter(settings)).toThrow(message);
  });
});
