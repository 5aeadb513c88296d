// Over 200 lines: an algorithm is one file, with its settings, its words and its charts.

import {
  isAmount,
  requireInstant,
  requireKnown,
  requirePositive,
  requireWhole,
  SettingError,
} from "../settings.ts";
import type { Algorithm, Decision, NextState, Step } from "../types.ts";
import { countedUnits, remainingRequests, UNITS_PER_REQUEST } from "./count-units.ts";
import { decisionOf, neverFits } from "./decision.ts";
import { type AlgorithmDefinition, countLevel, windowQuota } from "./definition.ts";
import { capacityInUnits, largestCount } from "./meter.ts";
import { number, period, phrase, shortDuration, tenths } from "./phrase.ts";
import { scaleLimit } from "./scale-limit.ts";

/**
 * Two counts in thousandths of a request.
 * One of the window that began at `startsAt`, one of the window before it.
 */
export type SlidingWindowCounterState = { startsAt: number; current: number; previous: number };

/** `limit` in requests; `windowMs` in whole milliseconds. */
export type SlidingWindowCounterSettings = { limit: number; windowMs: number };

/**
 * Why a sliding window counter decided as it did.
 * `used` is the estimate before this request.
 */
export type SlidingWindowCounterReason = {
  algorithm: "sliding-window-counter";
  neverFits: false;
  used: number;
  limit: number;
  windowMs: number;
};

/** The end of the window after next must be a whole number that a double holds. */
const largestWindowMs = 2 ** 51;

/**
 * The sliding window counter.
 * Two fixed windows of the clock, the earlier one weighted, stand in for a log.
 *
 * At a fraction e of the current window the count of the last `windowMs` is estimated as current + (1 − e) · previous, as
 * if the previous window's requests had come evenly (described by Cloudflare, "How we built rate limiting capable of
 * scaling to millions of domains", 2017). A request of cost c passes when the estimate + c ≤ `limit`.
 *
 * **Error.** Of the previous window's P requests the last `windowMs` hold all, none or any number, where the estimate
 * counts (1 − e) · P. So it is at most e · P below the true count and at most (1 − e) · P above it; P ≤ `limit`.
 *
 * **Worst case:** fewer than twice the limit in any `windowMs`. Such an interval that begins at a fraction f of one window
 * ends at f of the next. When the last request in it passes, at e ≤ f, the first window's P and the B in the second obey
 * B + (1 − e) · P ≤ `limit`; so P + B ≤ `limit` + e · P ≤ (1 + f) · `limit`, with f < 1. All of one window at its end and
 * then as much as passes comes arbitrarily near. A steady stream is let through at the limit; the first window admits as
 * a fixed window does.
 *
 * A refusal changes nothing, and `retryAfterMs` is exact: the estimate only falls while nothing passes. The previous
 * window's part is rounded up to a thousandth of a request. A cost above `limit` can never fit. A refund lowers the
 * current count first, then the previous one.
 *
 * When the clock runs back to before the current window, that window begins at this time, with both counts, and the
 * next ones follow it. Windows begin at multiples of `windowMs` again when two have passed without a request. So
 * callers whose clocks differ by less than a window count in the same one, and no request waits for longer than two.
 *
 * `now` must be milliseconds since 1970 where processes are to agree on windows. The state is three numbers, two of
 * them counters.
 *
 * @throws RangeError naming the setting that makes no sense
 */
export function slidingWindowCounter(
  settings: SlidingWindowCounterSettings,
): Algorithm<SlidingWindowCounterState, SlidingWindowCounterReason> {
  requireKnown("slidingWindowCounter", settings, Object.keys(slidingWindowCounterDefinition.settings));
  const limit = requirePositive("slidingWindowCounter: limit", settings.limit);
  const windowMs = requireWhole("slidingWindowCounter: windowMs", settings.windowMs);
  if (windowMs > largestWindowMs) {
    throw new SettingError(
      "slidingWindowCounter: windowMs",
      { kind: "bounds", most: largestWindowMs },
      `must be at most ${largestWindowMs}, but is ${windowMs}`,
    );
  }
  const limitUnits = capacityInUnits("slidingWindowCounter: limit", limit, UNITS_PER_REQUEST);

  const startOf = (instant: number) => Math.floor(instant / windowMs) * windowMs;

  /** The counters as of `now`. A state from the future counts as from now. */
  function countersAt(saved: SlidingWindowCounterState | undefined, now: number): SlidingWindowCounterState {
    const begunWindows = isState(saved) ? Math.floor((now - saved.startsAt) / windowMs) : 2;
    if (!isState(saved) || begunWindows > 1) return { startsAt: startOf(now), current: 0, previous: 0 };
    const { current, previous } = saved;
    return begunWindows === 1
      ? { startsAt: saved.startsAt + windowMs, current: 0, previous: current }
      : { startsAt: Math.min(saved.startsAt, now), current, previous };
  }

  /**
   * The estimate at an instant of the current window or the two after it.
   * Assumes that no other request passes.
   */
  function usedAt({ startsAt, current, previous }: SlidingWindowCounterState, instant: number): number {
    const elapsedMs = instant - startsAt;
    if (elapsedMs < windowMs) return current + weighted(previous, windowMs - elapsedMs);
    return elapsedMs < 2 * windowMs ? weighted(current, 2 * windowMs - elapsedMs) : 0;
  }

  function weighted(count: number, leftMs: number): number {
    return Math.ceil(count * (leftMs / windowMs));
  }

  function expiryOf({ startsAt, current, previous }: SlidingWindowCounterState, now: number): number {
    if (current > 0) return startsAt + 2 * windowMs;
    return previous > 0 ? startsAt + windowMs : now;
  }

  /** The first instant at which `most` is not exceeded, by bisection. */
  function passesAt(counters: SlidingWindowCounterState, now: number, most: number): number {
    let refusedAt = now;
    let allowedAt = counters.startsAt + 2 * windowMs;
    while (allowedAt - refusedAt > 1) {
      const middle = Math.floor((refusedAt + allowedAt) / 2);
      if (usedAt(counters, middle) <= most) allowedAt = middle;
      else refusedAt = middle;
    }
    return allowedAt;
  }

  function step(
    saved: SlidingWindowCounterState | undefined,
    now: number,
    cost: number,
  ): Step<SlidingWindowCounterState, SlidingWindowCounterReason> {
    requireInstant(now);
    const costUnits = countedUnits(cost);
    const counters = countersAt(saved, now);
    const used = usedAt(counters, now);
    const usedAfter = used + costUnits;
    if (usedAfter > limitUnits) return refusal(saved, now, cost, costUnits, counters, used);
    const { startsAt, current, previous } = counters;
    const expiresAt = startsAt + 2 * windowMs;
    const decision = decisionOf(
      true,
      limit,
      remainingRequests(limitUnits, usedAfter),
      0,
      expiresAt - now,
      reasonOf(used),
    );
    return { decision, next: { startsAt, current: current + costUnits, previous }, expiresAt };
  }

  function refusal(
    saved: SlidingWindowCounterState | undefined,
    now: number,
    cost: number,
    costUnits: number,
    counters: SlidingWindowCounterState,
    used: number,
  ): Step<SlidingWindowCounterState, SlidingWindowCounterReason> {
    const expiresAt = expiryOf(counters, now);
    const resetAfterMs = expiresAt - now;
    const remaining = remainingRequests(limitUnits, used);
    const never = { cost, most: limit, windowMs };
    const decision: Decision<SlidingWindowCounterReason> =
      costUnits > limitUnits
        ? neverFits("sliding-window-counter", limit, remaining, resetAfterMs, never)
        : decisionOf(
            false,
            limit,
            remaining,
            passesAt(counters, now, limitUnits - costUnits) - now,
            resetAfterMs,
            reasonOf(used),
          );
    const clockRanBack = isState(saved) && saved.startsAt > now;
    return clockRanBack ? { decision, next: counters, expiresAt } : { decision };
  }

  function reasonOf(used: number): SlidingWindowCounterReason {
    return {
      algorithm: "sliding-window-counter",
      neverFits: false,
      used: used / UNITS_PER_REQUEST,
      limit,
      windowMs,
    };
  }

  function refund(
    saved: SlidingWindowCounterState,
    now: number,
    cost: number,
  ): NextState<SlidingWindowCounterState> | undefined {
    requireInstant(now);
    const costUnits = countedUnits(cost);
    const { startsAt, current, previous } = countersAt(saved, now);
    if (current + previous === 0) return undefined;
    const next = {
      startsAt,
      current: Math.max(0, current - costUnits),
      previous: Math.max(0, previous - Math.max(0, costUnits - current)),
    };
    return { next, expiresAt: expiryOf(next, now) };
  }

  function count(
    saved: SlidingWindowCounterState | undefined,
    now: number,
    cost: number,
    grantedAt: number,
  ): NextState<SlidingWindowCounterState> | undefined {
    requireInstant(now);
    const costUnits = countedUnits(cost);
    const { startsAt, current, previous } = countersAt(saved, now);
    if (grantedAt < startsAt - windowMs) return undefined;
    const raised = (counted: number) => Math.min(counted + costUnits, largestCount);
    const next =
      grantedAt < startsAt
        ? { startsAt, current, previous: raised(previous) }
        : { startsAt, current: raised(current), previous };
    return { next, expiresAt: expiryOf(next, now) };
  }

  const scale = (share: number) => slidingWindowCounter({ limit: scaleLimit(limit, share), windowMs });

  return { name: "sliding-window-counter", limit, step, refund, count, scale };
}

function isState(state: unknown): state is SlidingWindowCounterState {
  return (
    typeof state === "object" &&
    state !== null &&
    "startsAt" in state &&
    Number.isInteger(state.startsAt) &&
    "current" in state &&
    isAmount(state.current) &&
    "previous" in state &&
    isAmount(state.previous)
  );
}

export const slidingWindowCounterDefinition: AlgorithmDefinition<
  SlidingWindowCounterSettings,
  SlidingWindowCounterReason
> = {
  name: "sliding-window-counter",
  title: "Sliding window counter",
  order: 8,
  description:
    "Counts this window, and of the one before it the part that still matters if its requests came evenly.",
  settings: {
    limit: { type: "number", required: true, default: 20, label: "Most in a window" },
    windowMs: { type: "duration", required: true, default: 1_000, label: "Seconds of a window" },
  },
  reason: {
    used: { type: "number", description: "The estimate of the last windowMs before this request." },
    limit: { type: "number" },
    windowMs: { type: "number" },
  },
  examples: [{ limit: 4, windowMs: 900 }],
  create: slidingWindowCounter,
  summarize: ({ limit, windowMs }) =>
    phrase("aboutInAny", "about {count} in any {period}", { count: number(limit), period: period(windowMs) }),
  explain: ({ used, limit, windowMs }) =>
    phrase("sliding-window-counter", "about {used} of {limit} in the last {period}", {
      used: tenths(used),
      limit: number(limit),
      period: shortDuration(windowMs),
    }),
  level: ({ used, limit }) => countLevel("sliding-window-counter", "Estimated in the window", used, limit),
  bound: ({ limit, windowMs }) => ({ kind: "quota", limit, windowMs }),
  quota: ({ limit, windowMs }, decision) => windowQuota(limit, windowMs, decision),
};
