import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EmaSettings, type EmaState, ema } from "./ema.ts";

const HOUR_MS = 3_600_000;

function detector(settings?: EmaSettings) {
  const algorithm = ema(settings);
  let state: EmaState | undefined;
  return {
    state: () => state,
    peek: (t: number, cost = 1) => algorithm.step(state, t, cost).decision,
    consume(t: number, cost = 1) {
      const { decision, next } = algorithm.step(state, t, cost);
      if (next !== undefined) state = JSON.parse(JSON.stringify(next));
      return decision;
    },
  };
}

function afterRegularGaps(count: number, gapMs: number) {
  const tested = detector();
  for (let index = 0; index <= count; index += 1) tested.consume(index * gapMs);
  return { tested, now: count * gapMs };
}

describe("ema", () => {
  it("decides by a table of gaps, a clock that jumps back among them", () => {
    const { tested, now } = afterRegularGaps(20, 1000);
    const table = [
      { t: now + 1000, allowed: true },
      { t: now + 1000, allowed: true },
      { t: now + 1000, allowed: false },
      { t: now + 1050, allowed: false },
      { t: now + 2000, allowed: true },
      // Back by an hour: as if no time had passed, and from there on in the new time.
      { t: now - HOUR_MS, allowed: false },
      { t: now - HOUR_MS, allowed: false },
      { t: now - HOUR_MS + 1000, allowed: true },
      { t: now - HOUR_MS + 2000, allowed: true },
    ];
    expect(table.map(({ t }) => ({ t, allowed: tested.consume(t).allowed }))).toEqual(table);
  });

  it("refuses nothing before it knows ten gaps, and reports that it is learning", () => {
    const tested = detector();
    const decisions = Array.from({ length: 11 }, () => tested.consume(0));
    expect(decisions.map(({ allowed }) => allowed)).not.toContain(false);
    expect(decisions.at(-1)).toMatchObject({
      limit: null,
      remaining: null,
      reason: { learning: true, z: 0 },
    });
  });

  it("reports how far the recent gaps fall short", () => {
    const { tested, now } = afterRegularGaps(50, 5000);
    const { allowed, reason } = tested.peek(now + 5000);
    expect(allowed).toBe(true);
    expect(reason).toMatchObject({ algorithm: "ema", learning: false, threshold: 3.25 });
    tested.consume(now);
    const refused = tested.peek(now);
    if (refused.reason.neverFits) throw new Error("never fits");
    expect(refused.allowed).toBe(false);
    expect(refused.reason.z).toBeGreaterThan(3.25);
    expect(refused.reason.meanGapMs).toBeCloseTo(5000, -3);
    expect(refused.reason.recentGapMs).toBeLessThan(refused.reason.leastGapMs);
  });

  it("does not move the instant of the next pass while requests are refused", () => {
    const { tested, now } = afterRegularGaps(20, 5000);
    while (tested.consume(now).allowed);
    const passesAt = now + tested.peek(now).retryAfterMs;
    for (let t = now; t < passesAt; t += 7) expect(t + tested.consume(t).retryAfterMs).toBe(passesAt);
    expect(tested.consume(passesAt).allowed).toBe(true);
  });

  it("locks no key out for longer than adaptMs, however rare requests were", () => {
    const { tested, now } = afterRegularGaps(30, 30 * 24 * HOUR_MS);
    while (tested.consume(now).allowed);
    expect(tested.peek(now).retryAfterMs).toBe(HOUR_MS);
    expect(tested.peek(now + HOUR_MS - 1).allowed).toBe(false);
    expect(tested.consume(now + HOUR_MS).allowed).toBe(true);
    expect(tested.state()).toMatchObject({ refused: 0, allowedAt: now + HOUR_MS });
  });

  it("judges a cost as so many requests that shared the gap", () => {
    const { tested, now } = afterRegularGaps(20, 1000);
    expect(tested.peek(now + 1000, 5).allowed).toBe(false);
    expect(tested.peek(now + 5000, 5).allowed).toBe(true);
    expect(tested.peek(now + 1000, 1e6)).toMatchObject({ allowed: false, reason: { neverFits: false } });
  });

  it("allows a cost of any size at its retry time", () => {
    const { tested, now } = afterRegularGaps(20, 1000);
    while (tested.consume(now).allowed);
    for (const cost of [Number.MIN_VALUE, 1e-300, 1e-9, 1e9, Number.MAX_SAFE_INTEGER]) {
      const { allowed, retryAfterMs } = tested.peek(now, cost);
      expect(allowed || tested.peek(now + retryAfterMs, cost).allowed).toBe(true);
    }
  });

  it("forgets a key that had no request for forgetAfterMs", () => {
    const { next, expiresAt, decision } = ema({ forgetAfterMs: 5000 }).step(undefined, 100, 1);
    expect(next).toBeDefined();
    expect(expiresAt).toBe(5100);
    expect(decision.resetAfterMs).toBe(5000);
  });

  it.each([null, 7, "x", {}, [], { allowedAt: 0 }])("takes the unknown state %j for none", (garbage) => {
    const readBack: ReturnType<typeof JSON.parse> = garbage;
    expect(ema().step(readBack, 5, 1)).toEqual(ema().step(undefined, 5, 1));
  });

  it("takes a state with any one number missing or broken for none", () => {
    const { tested, now } = afterRegularGaps(20, 1000);
    const state = { ...tested.state() };
    for (const name of Object.keys(state)) {
      for (const broken of [null, undefined, "1", Number.NaN]) {
        const readBack: ReturnType<typeof JSON.parse> = { ...state, [name]: broken };
        expect(ema().step(readBack, now, 1)).toEqual(ema().step(undefined, now, 1));
      }
    }
  });

  const names = [
    "threshold",
    "recentGaps",
    "minimumGaps",
    "deviationFloor",
    "adaptMs",
    "floorPerSecond",
    "priorGaps",
    "forgetAfterMs",
  ] as const;
  it.each(names)("refuses a setting %s that makes no sense, by name", (name) => {
    for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => ema({ [name]: bad })).toThrow(`ema: ${name} must be`);
    }
  });

  it.each(["floorRequests", "priorGapMs"] as const)("accepts 0 for %s, and nothing below", (name) => {
    expect(ema({ [name]: 0 }).step(undefined, 5, 1)).toEqual(ema().step(undefined, 5, 1));
    for (const bad of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => ema({ [name]: bad })).toThrow(`ema: ${name} must be`);
    }
  });

  it("throws for a floor outside its range, and names the setting", () => {
    for (const bad of [0.5, 1e6 + 1])
      expect(() => ema({ floorRequests: bad })).toThrow("ema: floorRequests must be 0, or from 1 to");
    expect(() => ema({ floorPerSecond: 1e-7 })).toThrow("ema: floorPerSecond must be at least");
  });

  it("refuses a prior of more time than a state can hold, and keeps the longest that it can", () => {
    const longestMs = Number.MAX_SAFE_INTEGER;
    for (const prior of [
      { priorGapMs: 1e12, priorGaps: 1e12 },
      { priorGapMs: longestMs, priorGaps: 1.1 },
    ])
      expect(() => ema(prior)).toThrow("ema: priorGapMs times priorGaps must be at most");
    const tested = detector({ priorGapMs: Math.floor(longestMs / 10), priorGaps: 10 });
    expect(Array.from({ length: 20 }, () => tested.consume(0).allowed)).toContain(false);
  });

  it("with a floor, passes exactly as many at one instant, and then at the floor's rate", () => {
    const tested = detector({ floorRequests: 100, floorPerSecond: 0.1, priorGapMs: HOUR_MS });
    const decisions = Array.from({ length: 200 }, () => tested.consume(0));
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(100);
    expect(tested.peek(0).retryAfterMs).toBe(10_000);
    expect(tested.peek(9_999).allowed).toBe(false);
    expect(tested.peek(10_000).allowed).toBe(true);
  });

  it("continues with a state saved under other settings, with or without a floor", () => {
    const { tested, now } = afterRegularGaps(20, 1000);
    const floor = ema({ floorRequests: 2 });
    const { decision, next } = floor.step(tested.state(), now, 1);
    expect(decision.allowed).toBe(true);
    expect(next).toMatchObject({ floor: { level: expect.any(Number) } });
    expect(ema().step(next, now + 1000, 1).next).not.toHaveProperty("floor");
  });

  it("refuses to average over less than one gap, and costs that make no sense", () => {
    expect(() => ema({ recentGaps: 0.5 })).toThrow(/recentGaps must be at least 1/);
    for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => ema().step(undefined, 0, bad)).toThrow(/cost must be/);
    }
  });
});

const anyTraffic = fc.array(
  fc.record({
    gapMs: fc.oneof(
      fc.integer({ min: 0, max: 20 }),
      fc.integer({ min: 0, max: 10_000 }),
      fc.integer({ min: -100_000, max: 100_000_000 }),
    ),
    cost: fc.oneof(fc.constant(1), fc.double({ min: 1e-3, max: 50, noNaN: true })),
    repeat: fc.integer({ min: 1, max: 20 }),
  }),
  { minLength: 1, maxLength: 40 },
);
const anySettings = fc.record(
  {
    threshold: fc.double({ min: 0.1, max: 8, noNaN: true }),
    recentGaps: fc.integer({ min: 1, max: 100 }),
    minimumGaps: fc.integer({ min: 1, max: 20 }),
    deviationFloor: fc.double({ min: 0.01, max: 2, noNaN: true }),
    adaptMs: fc.integer({ min: 1, max: 10_000_000 }),
    floorRequests: fc.double({ min: 1, max: 1_000, noNaN: true }),
    floorPerSecond: fc.double({ min: 0.001, max: 1_000, noNaN: true }),
    priorGapMs: fc.integer({ min: 1, max: 10_000_000 }),
    priorGaps: fc.double({ min: 0.1, max: 100, noNaN: true }),
  },
  { requiredKeys: [] },
);

describe("ema, over random settings and traffic", () => {
  it("names the first millisecond at which the same request passes, never beyond adaptMs", () => {
    let refusals = 0;
    fc.assert(
      fc.property(anySettings, anyTraffic, (settings, traffic) => {
        const tested = detector(settings);
        let t = 1_700_000_000_000;
        for (const { gapMs, cost, repeat } of traffic) {
          for (let index = 0; index < repeat; index += 1) {
            t += gapMs;
            const { allowed, retryAfterMs } = tested.consume(t, cost);
            if (allowed) continue;
            refusals += 1;
            expect(retryAfterMs).toBeLessThanOrEqual(settings.adaptMs ?? HOUR_MS);
            expect(tested.peek(t + retryAfterMs - 1, cost).allowed).toBe(false);
            expect(tested.peek(t + retryAfterMs, cost).allowed).toBe(true);
          }
        }
      }),
      { numRuns: 300 },
    );
    expect(refusals).toBeGreaterThan(100);
  });

  it("keeps to finite numbers, and to a mean that recent gaps never exceed", () => {
    fc.assert(
      fc.property(anySettings, anyTraffic, (settings, traffic) => {
        const tested = detector(settings);
        let t = 0;
        for (const { gapMs, cost, repeat } of traffic) {
          for (let index = 0; index < repeat; index += 1) {
            t += gapMs;
            const decision = tested.consume(t, cost);
            expect(JSON.parse(JSON.stringify(decision))).toEqual(decision);
            const state = tested.state();
            const { floor, ...numbers } = state ?? {};
            for (const value of Object.values({ ...numbers, ...floor }))
              expect(Number.isFinite(value)).toBe(true);
            expect(state?.recentGapMs).toBeLessThanOrEqual(state?.meanGapMs ?? 0);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it("is no more lenient after a jump back than if the clock had stood still", () => {
    fc.assert(
      fc.property(anyTraffic, fc.integer({ min: 1, max: 1_000_000_000 }), (traffic, backMs) => {
        const tested = detector();
        let t = 1_700_000_000_000;
        for (const { gapMs, cost, repeat } of traffic) {
          for (let index = 0; index < repeat; index += 1) {
            t += gapMs;
            tested.consume(t, cost);
          }
        }
        const allowedAt = tested.state()?.allowedAt ?? t;
        expect(tested.peek(allowedAt - backMs)).toEqual(tested.peek(allowedAt));
      }),
    );
  });
});
