// Over 200 lines: an algorithm is one file, with its settings, its words and its charts.

import { peekAt } from "../peek.ts";
import { isAmount, requireInstant, requireKnown, requireWhole } from "../settings.ts";
import { formatNumber } from "../text.ts";
import type { Algorithm, Decision, NextState, Step } from "../types.ts";
import { calendarDays } from "./calendar-day.ts";
import { countedUnits, UNITS_PER_REQUEST } from "./count-units.ts";
import { decisionOf, neverFits } from "./decision.ts";
import { type AlgorithmDefinition, type AlgorithmSettings, countLevel, windowQuota } from "./definition.ts";
import { costInUnits, largestCount } from "./meter.ts";
import { nested, number, phrase, tenths, text } from "./phrase.ts";
import { scaleLimit } from "./scale-limit.ts";

/** Today's use in thousandths, the day's first request, and the state of `beyond`. */
export type TieredState<S> = {
  usedToday: number;
  countedAt: number;
  beyond: S | null;
  beyondExpiresAt: number;
};

export type TieredSettings<S> = {
  /** How many whole requests are free on each calendar day. */
  freePerDay: number;
  /**
   * The limit for the requests after the free ones.
   * Example: `slidingLog({ limit: 5, windowMs: 60_000 })`.
   */
  beyond: Algorithm<S>;
  /** The time zone of the days: an IANA name such as "Europe/Berlin". Default: "UTC". */
  timeZone?: string;
};

/** Why a tiered limit decided as it did. */
export type TieredReason = {
  algorithm: "tiered";
  neverFits: false;
  /** The count of the calendar day before this request, including the part not free. */
  usedToday: number;
  freePerDay: number;
  /** The length of this very day in its zone: 23 to 25 hours. */
  dayMs: number;
  timeZone: string;
  /**
   * The second limit's decision about the part that was not free.
   * Null when all of the request was free.
   */
  beyond: Decision | null;
};

/**
 * A free quota per day, then another limit.
 * `freePerDay` requests of each local calendar day pass freely, and another algorithm decides on all beyond them until
 * the day ends. A request that is partly free costs `beyond` only the rest of it. The free part does not count in
 * `beyond`.
 *
 * **Worst case:** twice `freePerDay` around midnight, and the requests that `beyond` lets through besides.
 *
 * `retryAfterMs` is the sooner of the two ways in, `beyond` or the next day, and as exact as `beyond` is. A cost that
 * fits neither a fresh day nor `beyond` never fits. A refusal counts nothing. When the clock runs back, the day's count
 * stays, into the day that it is now. A refund removes the newest counts: first those that were not free, if `beyond`
 * has a refund, then the free ones. The state is three numbers and that of `beyond`. `now` must be milliseconds since
 * 1970.
 *
 * @throws RangeError naming the setting that makes no sense
 */
export function tiered<S>(settings: TieredSettings<S>): Algorithm<TieredState<S>, TieredReason> {
  requireKnown("tiered", settings, Object.keys(tieredDefinition.settings));
  const { beyond, timeZone = "UTC" } = settings;
  const freePerDay = requireWhole("tiered: freePerDay", settings.freePerDay);
  const dayOf = calendarDays("tiered", timeZone);
  const freeUnits = freePerDay * UNITS_PER_REQUEST;
  const limit = beyond.limit === null ? null : freePerDay + beyond.limit;
  // The same at any time.
  const untouchedBeyond = remainingBeyond(undefined, 0);

  function readAt(saved: TieredState<S> | undefined, now: number) {
    const day = dayOf(now);
    const state = isTieredState<S>(saved) ? saved : undefined;
    const beyondState =
      state !== undefined && state.beyondExpiresAt > now ? (state.beyond ?? undefined) : undefined;
    const beyondExpiresAt = beyondState === undefined ? now : (state?.beyondExpiresAt ?? now);
    const sameDay = state !== undefined && state.countedAt >= day.startsAt;
    const usedToday = sameDay ? state.usedToday : 0;
    const countedAt = sameDay && usedToday > 0 ? Math.min(state.countedAt, now) : now;
    return { day, usedToday, countedAt, beyondState, beyondExpiresAt };
  }

  function step(
    saved: TieredState<S> | undefined,
    now: number,
    cost: number,
  ): Step<TieredState<S>, TieredReason> {
    requireInstant(now);
    const costUnits = countedUnits(cost);
    const { day, usedToday, countedAt, beyondState, beyondExpiresAt } = readAt(saved, now);
    const dayMs = day.endsAt - day.startsAt;
    const free = Math.max(0, freeUnits - usedToday);
    const beyondFree = Math.max(0, costUnits - free) / UNITS_PER_REQUEST;
    // A cost that the second limit cannot count is refused in the free part, too, where it would leave a fraction.
    if (!Number.isInteger(cost)) beyond.step(undefined, now, cost);
    const second = beyondFree > 0 ? beyond.step(beyondState, now, beyondFree) : undefined;
    const allowed = second === undefined || second.decision.allowed;
    const usedAfter = allowed ? usedToday + costUnits : usedToday;
    const retryAfterMs = allowed
      ? 0
      : retryAfter(second.decision, second.next ?? beyondState, now, day.endsAt, costUnits);
    const expiresAt = Math.max(usedAfter > 0 ? day.endsAt : now, second?.expiresAt ?? beyondExpiresAt);
    const remaining = remainingAfter(freeUnits - usedAfter, second?.next ?? beyondState, now);
    const decision: Decision<TieredReason> =
      retryAfterMs === Number.POSITIVE_INFINITY
        ? neverFits("tiered", limit, remaining, expiresAt - now, {
            cost,
            most: freePerDay + (beyond.limit ?? 0),
            windowMs: dayMs,
          })
        : decisionOf<TieredReason>(allowed, limit, remaining, retryAfterMs, expiresAt - now, {
            algorithm: "tiered",
            neverFits: false,
            usedToday: usedToday / UNITS_PER_REQUEST,
            freePerDay,
            dayMs,
            timeZone,
            beyond: second?.decision ?? null,
          });
    const clockRanBack = usedToday > 0 && saved !== undefined && now < saved.countedAt;
    if (!allowed && !clockRanBack && second?.next === undefined) return { decision };
    const next = {
      usedToday: usedAfter,
      countedAt,
      beyond: second?.next ?? beyondState ?? null,
      beyondExpiresAt: second?.expiresAt ?? beyondExpiresAt,
    };
    return { decision, next, expiresAt };
  }

  function peek(saved: TieredState<S> | undefined, now: number, cost: number): Decision<TieredReason> {
    const { decision } = step(saved, now, cost);
    const { reason } = decision;
    if (!decision.allowed || reason.neverFits) return decision;
    const { day, usedToday, beyondState, beyondExpiresAt } = readAt(saved, now);
    const free = Math.max(0, freeUnits - usedToday);
    const beyondFree = (costInUnits(cost, UNITS_PER_REQUEST) - free) / UNITS_PER_REQUEST;
    return {
      ...decision,
      remaining: remainingAfter(free, beyondState, now),
      resetAfterMs: Math.max(usedToday > 0 ? day.endsAt : now, beyondExpiresAt) - now,
      reason: { ...reason, beyond: reason.beyond && peekAt(beyond, beyondState, now, beyondFree) },
    };
  }

  /** Through `beyond` today, or else tomorrow, when some of the cost is free again. */
  function retryAfter(
    refused: Decision,
    beyondState: S | undefined,
    now: number,
    dayEndsAt: number,
    costUnits: number,
  ): number {
    const dayEndsAfterMs = dayEndsAt - now;
    if (!refused.reason.neverFits && refused.retryAfterMs < dayEndsAfterMs) return refused.retryAfterMs;
    const beyondFree = Math.max(0, costUnits - freeUnits) / UNITS_PER_REQUEST;
    if (beyondFree === 0) return dayEndsAfterMs;
    const { decision } = beyond.step(beyondState, dayEndsAt, beyondFree);
    return decision.reason.neverFits ? Number.POSITIVE_INFINITY : dayEndsAfterMs + decision.retryAfterMs;
  }

  function remainingAfter(freeLeft: number, beyondState: S | undefined, now: number): number | null {
    const remaining = beyondState === undefined ? untouchedBeyond : remainingBeyond(beyondState, now);
    if (remaining === null) return null;
    return Math.max(0, Math.floor(freeLeft / UNITS_PER_REQUEST)) + remaining;
  }

  function remainingBeyond(beyondState: S | undefined, now: number): number | null {
    const { allowed, remaining } = beyond.step(beyondState, now, 1).decision;
    return remaining === null ? null : remaining + (allowed ? 1 : 0);
  }

  function refund(saved: TieredState<S>, now: number, cost: number): NextState<TieredState<S>> | undefined {
    requireInstant(now);
    const costUnits = countedUnits(cost);
    const { day, usedToday, countedAt, beyondState, beyondExpiresAt } = readAt(saved, now);
    if (usedToday === 0) return undefined;
    const beyondFree = Math.min(costUnits, Math.max(0, usedToday - freeUnits)) / UNITS_PER_REQUEST;
    const back =
      beyondFree > 0 && beyondState !== undefined ? beyond.refund?.(beyondState, now, beyondFree) : undefined;
    const usedAfter = Math.max(0, usedToday - costUnits);
    const next = {
      usedToday: usedAfter,
      countedAt,
      beyond: back?.next ?? beyondState ?? null,
      beyondExpiresAt: back?.expiresAt ?? beyondExpiresAt,
    };
    return { next, expiresAt: Math.max(usedAfter > 0 ? day.endsAt : now, next.beyondExpiresAt) };
  }

  function count(
    saved: TieredState<S> | undefined,
    now: number,
    cost: number,
    grantedAt: number,
  ): NextState<TieredState<S>> | undefined {
    requireInstant(now);
    const costUnits = countedUnits(cost);
    const { day, usedToday, countedAt, beyondState, beyondExpiresAt } = readAt(saved, now);
    if (grantedAt < day.startsAt) return undefined;
    const beyondFree = Math.max(0, costUnits - Math.max(0, freeUnits - usedToday)) / UNITS_PER_REQUEST;
    const second = beyondFree > 0 ? beyond.count?.(beyondState, now, beyondFree, grantedAt) : undefined;
    const next = {
      usedToday: Math.min(usedToday + costUnits, largestCount),
      countedAt,
      beyond: second?.next ?? beyondState ?? null,
      beyondExpiresAt: second?.expiresAt ?? beyondExpiresAt,
    };
    return { next, expiresAt: Math.max(day.endsAt, next.beyondExpiresAt) };
  }

  const scale = (share: number) =>
    tiered({
      freePerDay: Math.floor(scaleLimit(freePerDay, share)),
      beyond: beyond.scale(share),
      timeZone,
    });

  return { name: "tiered", limit, step, peek, refund, count, scale };
}

/** The second limit checks its own part. */
function isTieredState<S>(state: unknown): state is TieredState<S> {
  return (
    typeof state === "object" &&
    state !== null &&
    "usedToday" in state &&
    isAmount(state.usedToday) &&
    "countedAt" in state &&
    Number.isFinite(state.countedAt) &&
    "beyond" in state &&
    "beyondExpiresAt" in state &&
    Number.isFinite(state.beyondExpiresAt)
  );
}

type WrittenTiered = { freePerDay: number; beyond: AlgorithmSettings; timeZone?: string };

export const tieredDefinition: AlgorithmDefinition<WrittenTiered, TieredReason> = {
  name: "tiered",
  title: "Tiered",
  order: 5,
  description:
    "The first of each calendar day are free; another limit, such as a sliding log, counts the rest.",
  settings: {
    freePerDay: { type: "number", required: true, default: 1_000, label: "Free each day" },
    beyond: {
      type: "algorithm",
      required: true,
      default: { algorithm: "sliding-log", limit: 20, windowMs: 1_000 },
      label: "Then",
    },
    timeZone: { type: "time-zone", default: "UTC", label: "Time zone" },
  },
  reason: {
    usedToday: { type: "number" },
    freePerDay: { type: "number" },
    dayMs: { type: "number" },
    timeZone: { type: "text" },
    beyond: {
      type: "decision",
      nullable: true,
      description: "The decision of the limit beyond the free requests; null when this one was free.",
    },
  },
  examples: [{ freePerDay: 5, beyond: { algorithm: "sliding-log", limit: 2, windowMs: 500 } }],
  create: ({ beyond, ...settings }, createNested) => tiered({ ...settings, beyond: createNested(beyond) }),
  summarize: ({ freePerDay, beyond, timeZone = "UTC" }, summarizeNested) =>
    phrase("free", "{count} free a day ({timeZone}), then {beyond}", {
      count: number(freePerDay),
      timeZone: text(timeZone),
      beyond: nested(summarizeNested(beyond)),
    }),
  explain({ usedToday, freePerDay, timeZone, beyond }, explainNested) {
    const first = phrase("tiered", "{used} on this day ({timeZone}), {free} of them free", {
      used: tenths(usedToday),
      timeZone: text(timeZone),
      free: number(freePerDay),
    });
    if (beyond === null) return first;
    const second = explainNested(beyond.reason);
    return phrase("beyond", "{first}; then {second}", { first: nested(first), second: nested(second) });
  },
  level: ({ usedToday, freePerDay }) => ({
    ...countLevel("tiered", "Counted on the day", usedToday, freePerDay),
    meaning: `${formatNumber(freePerDay)} are free`,
  }),
  bound({ freePerDay, dayMs, beyond }, boundOfNested) {
    const nested = beyond === null ? undefined : boundOfNested(beyond.reason);
    return nested === undefined
      ? { kind: "quota", limit: freePerDay, windowMs: dayMs }
      : { kind: "after-quota", limit: freePerDay, beyond: nested };
  },
  /** The tier that decided is announced. */
  quota: ({ freePerDay, dayMs, beyond }, decision, quotaOfNested) =>
    beyond === null || beyond.reason.neverFits
      ? windowQuota(freePerDay, dayMs, decision)
      : quotaOfNested(beyond),
};
