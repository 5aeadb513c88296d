import { expect, test } from "vitest";
import { limitsWith } from "../../testing/content.ts";
import type { Decision } from "../limiter/index.ts";
import { dayMs, hourMs } from "../time/units.ts";
import type { Limit } from "./index.ts";

/** The policy for posts' ratings in LIMITS, with these parameters. */
function inLimits(parameters: unknown): Limit {
  const [policy] = limitsWith({ LIMITS: JSON.stringify({ "rating.post": parameters }) })["rating.post"];
  if (!policy) throw new Error("The policy is off.");
  return policy;
}

/** An algorithm's decisions on requests at these times, one after the other. */
function decisionsAt({ algorithm }: Pick<Limit, "algorithm">, times: readonly number[]): Decision[] {
  let state: unknown;
  return times.map((now) => {
    const { decision, next } = algorithm.step(state, now, 1);
    state = next ?? state;
    return decision;
  });
}

test("a calendar day in LIMITS is that of its time zone, and lasts as long as it does", () => {
  const policy = inLimits({
    algorithm: "fixed-window",
    limit: 1,
    anchor: "calendar-day",
    timeZone: "Europe/Berlin",
  });
  // Clocks go forward in the night to 29 March 2026: the day has 23 hours.
  const midnight = Date.UTC(2026, 2, 28, 23);
  const windowMs = 23 * hourMs;
  const end = midnight + windowMs;
  const base = { limit: 1, remaining: 0 };
  const reason = {
    algorithm: "fixed-window",
    neverFits: false,
    limit: 1,
    windowMs,
    timeZone: "Europe/Berlin",
  };
  expect(decisionsAt(policy, [midnight, midnight + hourMs, end - 1, end])).toEqual([
    { ...base, allowed: true, retryAfterMs: 0, resetAfterMs: windowMs, reason: { ...reason, used: 0 } },
    {
      ...base,
      allowed: false,
      retryAfterMs: 22 * hourMs,
      resetAfterMs: 22 * hourMs,
      reason: { ...reason, used: 1 },
    },
    { ...base, allowed: false, retryAfterMs: 1, resetAfterMs: 1, reason: { ...reason, used: 1 } },
    {
      ...base,
      allowed: true,
      retryAfterMs: 0,
      resetAfterMs: dayMs,
      reason: { ...reason, used: 0, windowMs: dayMs },
    },
  ]);
});

test("a calendar day in LIMITS without a time zone is that of UTC", () => {
  const policy = inLimits({ algorithm: "fixed-window", limit: 1, anchor: "calendar-day" });
  const midnight = Date.UTC(2026, 2, 29);
  expect(
    decisionsAt(policy, [midnight - 1, midnight - 1, midnight]).map(({ retryAfterMs }) => retryAfterMs),
  ).toEqual([0, 1, 0]);
});

test("a tiered limit in LIMITS gives its free requests each day, and then goes by the other algorithm", () => {
  const policy = inLimits({
    algorithm: "tiered",
    freePerDay: 2,
    beyond: { algorithm: "token-bucket", capacity: 1, refillPerSecond: 0.5 },
    timeZone: "Europe/Berlin",
  });
  const now = Date.UTC(2026, 2, 1, 9);
  const midnight = Date.UTC(2026, 2, 1, 23);
  const untilMidnight = midnight - now;
  const day = { algorithm: "tiered", neverFits: false, freePerDay: 2, dayMs, timeZone: "Europe/Berlin" };
  const bucket = { algorithm: "token-bucket", neverFits: false, capacity: 1, refillPerSecond: 0.5 };
  const beyond = { limit: 1, remaining: 0, resetAfterMs: 2_000 };
  const allowed = { allowed: true, limit: 3, retryAfterMs: 0, resetAfterMs: untilMidnight };
  const decisions = decisionsAt(policy, [now, now, now, now, midnight - 1, midnight]);
  expect(decisions.slice(0, 4)).toEqual([
    { ...allowed, remaining: 2, reason: { ...day, usedToday: 0, beyond: null } },
    { ...allowed, remaining: 1, reason: { ...day, usedToday: 1, beyond: null } },
    {
      ...allowed,
      remaining: 0,
      reason: {
        ...day,
        usedToday: 2,
        beyond: { ...beyond, allowed: true, retryAfterMs: 0, reason: { ...bucket, tokens: 1 } },
      },
    },
    {
      ...allowed,
      allowed: false,
      remaining: 0,
      retryAfterMs: 2_000,
      reason: {
        ...day,
        usedToday: 3,
        beyond: { ...beyond, allowed: false, retryAfterMs: 2_000, reason: { ...bucket, tokens: 0 } },
      },
    },
  ]);
  // Just before midnight the bucket is full again, and on the next day there are two free ones.
  expect(decisions.slice(4)).toMatchObject([
    { allowed: true, remaining: 0, reason: { usedToday: 3, beyond: { reason: { tokens: 1 } } } },
    { allowed: true, remaining: 1, reason: { usedToday: 0, beyond: null } },
  ]);
});
