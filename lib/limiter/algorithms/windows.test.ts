import { describe, expect, it } from "vitest";
import { rateLimitHeaders } from "../index.ts";
import type { Algorithm, Decision } from "../types.ts";
import { calendarDays } from "./calendar-day.ts";
import { fixedWindow } from "./fixed-window.ts";
import { slidingLog } from "./sliding-log.ts";
import { tiered } from "./tiered.ts";
import { tokenBucket } from "./token-bucket.ts";

const HOUR_MS = 3_600_000;

function kept<S>(algorithm: Algorithm<S>) {
  let state: S | undefined;
  return (now: number, cost = 1): Decision => {
    const { decision, next } = algorithm.step(state, now, cost);
    if (next !== undefined) state = JSON.parse(JSON.stringify(next));
    return decision;
  };
}

describe("calendar days", () => {
  it.each([
    ["an ordinary day", "Europe/Berlin", "2026-06-10T12:00Z", "2026-06-09T22:00Z", 24],
    ["clocks go forward", "Europe/Berlin", "2026-03-29T12:00Z", "2026-03-28T23:00Z", 23],
    ["clocks go back", "Europe/Berlin", "2026-10-25T12:00Z", "2026-10-24T22:00Z", 25],
    ["midnight does not exist", "Africa/Cairo", "2026-04-24T12:00Z", "2026-04-23T22:00Z", 23],
    ["clocks go back at midnight", "America/Sao_Paulo", "2018-02-17T12:00Z", "2018-02-17T02:00Z", 25],
    [
      "half an hour of daylight saving",
      "Australia/Lord_Howe",
      "2026-04-05T00:00Z",
      "2026-04-04T13:00Z",
      24.5,
    ],
    ["the day before a date left out", "Pacific/Apia", "2011-12-30T00:00Z", "2011-12-29T10:00Z", 24],
    ["UTC", "UTC", "2026-01-01T00:00Z", "2026-01-01T00:00Z", 24],
  ])("%s: %s", (_, timeZone, within, startsAt, hours) => {
    const dayOf = calendarDays("test", timeZone);
    const day = dayOf(Date.parse(within));
    expect(new Date(day.startsAt).toISOString()).toBe(new Date(startsAt).toISOString());
    expect((day.endsAt - day.startsAt) / HOUR_MS).toBe(hours);
    expect(dayOf(day.startsAt)).toEqual(day);
    expect(dayOf(day.endsAt - 1)).toEqual(day);
    expect(dayOf(day.endsAt).startsAt).toBe(day.endsAt);
    expect(dayOf(day.startsAt - 1).endsAt).toBe(day.startsAt);
  });
});

describe("fixed window", () => {
  it("is opened by the first counted request and passed after exactly windowMs", () => {
    const consume = kept(fixedWindow({ limit: 2, windowMs: 800 }));
    expect(consume(100, 3).reason.neverFits).toBe(true);
    expect(consume(700)).toMatchObject({ allowed: true, remaining: 1, resetAfterMs: 800 });
    consume(1400);
    expect(consume(1499)).toMatchObject({
      allowed: false,
      retryAfterMs: 1,
      reason: { used: 2, windowMs: 800 },
    });
    expect(consume(1500)).toMatchObject({ allowed: true, remaining: 1, resetAfterMs: 800 });
  });

  it("begins at whole multiples of windowMs by the clock, whenever its first request comes", () => {
    const consume = kept(fixedWindow({ limit: 2, windowMs: 800, anchor: "clock" }));
    expect(consume(1599)).toMatchObject({ allowed: true, remaining: 1, resetAfterMs: 1 });
    expect(consume(1600)).toMatchObject({ allowed: true, remaining: 1, resetAfterMs: 800 });
    expect(consume(1601)).toMatchObject({ allowed: true, remaining: 0, resetAfterMs: 799 });
    expect(consume(1602)).toMatchObject({
      allowed: false,
      retryAfterMs: 798,
      reason: { used: 2, windowMs: 800, timeZone: null },
    });
    expect(consume(2399)).toMatchObject({ allowed: false, retryAfterMs: 1 });
    expect(consume(2400)).toMatchObject({ allowed: true, remaining: 1 });
  });

  it.each([
    [-1, 1],
    [-800, 800],
    [-801, 1],
    // As near to a whole number of windows as a double allows.
    [Number.MAX_SAFE_INTEGER - (Number.MAX_SAFE_INTEGER % 7) - 1, 1, 7],
  ])("by the clock, the window around %d ends after %d ms", (now, resetAfterMs, windowMs = 800) => {
    const { decision } = fixedWindow({ limit: 1, windowMs, anchor: "clock" }).step(undefined, now, 1);
    expect(decision.resetAfterMs).toBe(resetAfterMs);
  });

  it("by the clock, keeps its count when the clock runs back into another window", () => {
    const consume = kept(fixedWindow({ limit: 1, windowMs: 800, anchor: "clock" }));
    expect(consume(1700).allowed).toBe(true);
    expect(consume(1500)).toMatchObject({ allowed: false, retryAfterMs: 100 });
    expect(consume(1600).allowed).toBe(true);
  });

  it("is the local day of a zone, of 23 hours where clocks go forward, until its last millisecond", () => {
    const consume = kept(fixedWindow({ limit: 1, anchor: "calendar-day", timeZone: "Europe/Berlin" }));
    const endsAt = Date.parse("2026-03-29T22:00Z");
    expect(consume(endsAt - 23 * HOUR_MS - 1).allowed).toBe(true);
    expect(consume(endsAt - 23 * HOUR_MS).allowed).toBe(true);
    expect(consume(endsAt - 1)).toMatchObject({
      allowed: false,
      retryAfterMs: 1,
      reason: { windowMs: 23 * HOUR_MS },
    });
    expect(consume(endsAt).allowed).toBe(true);
  });

  it("counts in thousandths, without rounding", () => {
    const consume = kept(fixedWindow({ limit: 1, windowMs: 1000 }));
    expect([0.1, 0.2, 0.7, 0.001].map((cost) => consume(0, cost).allowed)).toEqual([true, true, true, false]);
  });

  it.each([null, 7, {}, [], { used: "1", openedAt: 0 }, { used: 1 }])(
    "takes the state %j for none",
    (state) => {
      const algorithm = fixedWindow({ limit: 1, windowMs: 1000 });
      const readBack: ReturnType<typeof JSON.parse> = state;
      expect(algorithm.step(readBack, 5, 1)).toEqual(algorithm.step(undefined, 5, 1));
    },
  );
});

describe("sliding log", () => {
  it("counts each of several requests of one millisecond, and none that is windowMs old", () => {
    const consume = kept(slidingLog({ limit: 3, windowMs: 1000 }));
    expect([0, 0, 500, 999].map((now) => consume(now).allowed)).toEqual([true, true, true, false]);
    expect(consume(999, 3)).toMatchObject({ allowed: false, retryAfterMs: 501 });
    expect(consume(1000, 2).allowed).toBe(true);
    expect(consume(1000)).toMatchObject({ allowed: false, retryAfterMs: 500, resetAfterMs: 1000 });
  });

  it("refuses a limit too large to log, and names an alternative", () => {
    expect(() => slidingLog({ limit: 1001, windowMs: 1000 })).toThrow(
      /at most 1000.*use tokenBucket or fixedWindow/,
    );
    expect(slidingLog({ limit: 1000, windowMs: 1000 }).limit).toBe(1000);
  });

  it("takes whole costs only", () => {
    expect(() => slidingLog({ limit: 2, windowMs: 1000 }).step(undefined, 0, 0.5)).toThrow(
      /cost must be a whole/,
    );
  });

  it.each([null, 7, {}, { times: 3 }, { times: ["1"] }, { times: [2, 1] }])(
    "takes the state %j for none",
    (state) => {
      const algorithm = slidingLog({ limit: 1, windowMs: 1000 });
      const readBack: ReturnType<typeof JSON.parse> = state;
      expect(algorithm.step(readBack, 5, 1)).toEqual(algorithm.step(undefined, 5, 1));
    },
  );
});

describe("tiered", () => {
  const beyond = slidingLog({ limit: 2, windowMs: HOUR_MS });

  it("is free at first, and then so many per interval until the day ends", () => {
    const consume = kept(tiered({ freePerDay: 3, beyond, timeZone: "Europe/Berlin" }));
    const endsAt = Date.parse("2026-06-10T22:00Z");
    const now = endsAt - 3 * HOUR_MS;
    expect(consume(now, 2)).toMatchObject({ allowed: true, remaining: 3, reason: { beyond: null } });
    expect(consume(now, 3)).toMatchObject({
      allowed: true,
      remaining: 0,
      reason: { beyond: { allowed: true } },
    });
    expect(consume(now)).toMatchObject({ allowed: false, retryAfterMs: HOUR_MS, reason: { usedToday: 5 } });
    expect(consume(endsAt - 5, 2).allowed).toBe(true);
    expect(consume(endsAt - 1)).toMatchObject({ allowed: false, retryAfterMs: 1 });
    expect(consume(endsAt, 4)).toMatchObject({ allowed: false, retryAfterMs: HOUR_MS - 5 });
    expect(consume(endsAt, 3).allowed).toBe(true);
  });

  it("never fits a cost above both a fresh day and the second limit", () => {
    const consume = kept(tiered({ freePerDay: 3, beyond }));
    expect(consume(0, 5).allowed).toBe(true);
    expect(consume(0, 6).reason).toEqual({
      algorithm: "tiered",
      neverFits: true,
      cost: 6,
      limit: 5,
      windowMs: 24 * HOUR_MS,
    });
  });
});

describe("grants of other processes", () => {
  it("is counted though it does not fit, and refused for until it is made up for", () => {
    const bucket = tokenBucket({ capacity: 2, refillPerSecond: 1 });
    const { next, expiresAt } = bucket.count?.(undefined, 0, 5, 0) ?? {};
    expect(expiresAt).toBe(5000);
    const owing = bucket.step(next, 1000, 1).decision;
    expect(owing).toMatchObject({ allowed: false, remaining: 0, retryAfterMs: 3000, reason: { tokens: -2 } });
    expect(bucket.step(JSON.parse(JSON.stringify(next)), 4000, 1).decision.allowed).toBe(true);
  });

  it("is not counted in a window that has begun since", () => {
    const window = fixedWindow({ limit: 3, windowMs: 1000, anchor: "clock" });
    expect(window.count?.(undefined, 5000, 1, 4999)).toBeUndefined();
    expect(window.count?.(undefined, 5999, 1, 5000)).toEqual({
      next: { used: 1000, openedAt: 5000 },
      expiresAt: 6000,
    });
  });

  it("may be the largest number, and leaves a sound state", () => {
    const log = slidingLog({ limit: 2, windowMs: 1000 });
    expectFullAfter(tokenBucket({ capacity: 2, refillPerSecond: 1 }), Number.MAX_SAFE_INTEGER);
    expectFullAfter(fixedWindow({ limit: 2, windowMs: 1000 }), Number.MAX_SAFE_INTEGER);
    expectFullAfter(log, Number.MAX_SAFE_INTEGER);
    expectFullAfter(tiered({ freePerDay: 2, beyond: log }), 1e12);
  });

  function expectFullAfter<S>({ count, step }: Algorithm<S>, cost: number) {
    const { next } = count?.(undefined, 0, cost, 0) ?? {};
    const { decision } = step(JSON.parse(JSON.stringify(next)), 1, 1);
    expect(decision).toMatchObject({ allowed: false, remaining: 0 });
    expect(JSON.stringify(next).length).toBeLessThan(4000);
  }
});

describe("settings that make no sense", () => {
  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("are refused by name: %s", (bad) => {
    expect(() => tokenBucket({ capacity: bad, refillPerSecond: 1 })).toThrow(/tokenBucket: capacity must be/);
    expect(() => tokenBucket({ capacity: 1, refillPerSecond: bad })).toThrow(
      /tokenBucket: refillPerSecond must be/,
    );
    expect(() => fixedWindow({ limit: bad, windowMs: 1 })).toThrow(/fixedWindow: limit must be/);
    expect(() => fixedWindow({ limit: 1, windowMs: bad })).toThrow(/fixedWindow: windowMs must be/);
    expect(() => slidingLog({ limit: bad, windowMs: 1 })).toThrow(/slidingLog: limit must be/);
    expect(() => slidingLog({ limit: 1, windowMs: bad })).toThrow(/slidingLog: windowMs must be/);
    const beyond = slidingLog({ limit: 1, windowMs: 1 });
    expect(() => tiered({ freePerDay: bad, beyond })).toThrow(/tiered: freePerDay must be/);
  });

  it("are refused by name: unknown time zones, a window that is not a day", () => {
    expect(() => fixedWindow({ limit: 1, anchor: "calendar-day", timeZone: "Mars/Base" })).toThrow(
      /timeZone "Mars/,
    );
    expect(() => fixedWindow({ limit: 1, anchor: "calendar-day", windowMs: 5 })).toThrow(/leave it out/);
  });
});

describe("rate limit headers", () => {
  it("announce windows, logs and the tier that decided", () => {
    const window = kept(fixedWindow({ limit: 5, windowMs: 2500 }));
    expect(rateLimitHeaders("w", window(0))).toEqual({
      "RateLimit-Policy": '"w";q=5;w=3',
      RateLimit: '"w";r=4;t=3',
    });
    const log = kept(slidingLog({ limit: 1, windowMs: 2000 }));
    log(0);
    expect(rateLimitHeaders("l", log(500))).toEqual({
      "Retry-After": "2",
      "RateLimit-Policy": '"l";q=1;w=2',
      RateLimit: '"l";r=0;t=2',
    });
    const tiers = kept(tiered({ freePerDay: 1, beyond: slidingLog({ limit: 2, windowMs: 60_000 }) }));
    expect(rateLimitHeaders("t", tiers(0))).toMatchObject({ "RateLimit-Policy": '"t";q=1;w=86400' });
    expect(rateLimitHeaders("t", tiers(0))).toMatchObject({ "RateLimit-Policy": '"t";q=2;w=60' });
    const tokens = kept(tokenBucket({ capacity: 20, refillPerSecond: 0.5 }));
    expect(rateLimitHeaders("b", tokens(0, 3))).toMatchObject({ RateLimit: '"b";r=17;t=2' });
  });
});
