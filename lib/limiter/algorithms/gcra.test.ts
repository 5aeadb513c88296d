import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gcra, leakyBucket } from "../index.ts";
import type { Algorithm } from "../types.ts";

type Act = { verb: "request" | "refund" | "count"; afterMs: number; cost: number };

/** Runs the acts; returns their results without the reasons. */
function run<S>(algorithm: Algorithm<S>, startsAt: number, acts: readonly Act[]) {
  let state: S | undefined;
  let now = startsAt;
  return acts.map(({ verb, afterMs, cost }) => {
    now += afterMs;
    if (verb === "request") {
      const { decision, next, expiresAt } = algorithm.step(state, now, cost);
      state = next === undefined ? state : throughJson(next);
      const { reason, ...rest } = decision;
      return { ...rest, neverFits: reason.neverFits, expiresAt };
    }
    const changed =
      verb === "count"
        ? algorithm.count?.(state, now, cost, now)
        : state === undefined
          ? undefined
          : algorithm.refund?.(state, now, cost);
    state = changed === undefined ? state : throughJson(changed.next);
    return changed?.expiresAt;
  });
}

function throughJson<S>(state: S): S {
  return JSON.parse(JSON.stringify(state));
}

const startsAt = fc.constantFrom(0, 1_767_614_400_000, 2 ** 41 - 1e9, 2 ** 44);
const rate = fc.oneof(
  fc.integer({ min: 1, max: 4_095 }),
  fc.integer({ min: 1, max: 1_000_000_000 }),
  fc.tuple(fc.integer({ min: 1, max: 4_095 }), fc.integer({ min: 1, max: 90 })).map(([p, q]) => p / q),
  fc.constantFrom(0.1, 1 / 3, 1 / 120, 2.5, Math.PI, 1e7, 1e12),
);
const capacity = fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.constantFrom(0.5, 1.5, 2.75));
const cost = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 30 }), fc.constantFrom(0.001, 0.5, 2.5));
const acts = (verbs: readonly Act["verb"][]) =>
  fc.array(
    fc.record({
      verb: fc.constantFrom(...verbs),
      afterMs: fc.oneof(fc.constant(0), fc.nat(20), fc.nat(5_000), fc.nat(1_000_000)),
      cost,
    }),
    { maxLength: 80 },
  );

describe("gcra", () => {
  it("decides as the leaky bucket does, request by request, refunds and other processes' grants among them", () => {
    fc.assert(
      fc.property(
        startsAt,
        capacity,
        rate,
        acts(["request", "request", "request", "refund", "count"]),
        (start, most, perSecond, all) => {
          expect(run(gcra({ capacity: most, ratePerSecond: perSecond }), start, all)).toEqual(
            run(leakyBucket({ capacity: most, leakPerSecond: perSecond }), start, all),
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([
    [10, { tat: 1_767_614_400_100 }],
    [10_000_000, { tat: 1_767_614_400_000, rest: 1_000 }],
  ])("keeps one number at %d a second, or two where one would be rounded", (ratePerSecond, state) => {
    const { next } = gcra({ capacity: 2, ratePerSecond }).step(undefined, 1_767_614_400_000, 1);
    expect(next).toEqual(state);
  });

  it.each([1, 1_000, 3_600_000])(
    "gains nothing when the clock runs back by %d ms, and waits for no longer than a full bucket drains",
    (backMs) => {
      const algorithm = gcra({ capacity: 2, ratePerSecond: 10 });
      const start = 1_767_614_400_000;
      let state = algorithm.step(undefined, start, 2).next;
      const refused = algorithm.step(state, start - backMs, 1);
      expect(refused.decision).toMatchObject({ allowed: false, retryAfterMs: 100 });
      state = refused.next ?? state;
      expect(algorithm.step(state, start - backMs + 99, 1).decision.allowed).toBe(false);
      expect(algorithm.step(state, start - backMs + 100, 1).decision.allowed).toBe(true);
    },
  );

  it.each([
    {},
    { tat: "soon" },
    { tat: Number.NaN },
    { tat: 5, owed: -1 },
    { tat: 5, rest: -1 },
    7,
    null,
    { level: 1 },
  ])("takes the state %j, which is not its own, for none", (foreign) => {
    const { step } = gcra({ capacity: 1, ratePerSecond: 1 });
    expect(step(foreign as never, 1_000, 1)).toEqual(step(undefined, 1_000, 1));
  });

  it.each([
    [{ capacity: 0, ratePerSecond: 1 }, "gcra: capacity must be a finite number above 0"],
    [{ capacity: 1, ratePerSecond: -1 }, "gcra: ratePerSecond must be a finite number above 0"],
  ])("refuses %j as settings", (settings, message) => {
    expect(() => gcra(settings)).toThrow(message);
  });
});
