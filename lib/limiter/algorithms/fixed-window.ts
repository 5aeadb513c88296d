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
import { calendarDays } from "./calendar-day.ts";
import { countedUnits, remainingRequests, UNITS_PER_REQUEST } from "./count-units.ts";
import { decisionOf, neverFits } from "./decision.ts";
import { type AlgorithmDefinition, countLevel, windowQuota } from "./definition.ts";
import { capacityInUnits, largestCount } from "./meter.ts";
import { number, period, phrase, shortDuration, tenths, text } from "./phrase.ts";
import { scaleLimit } from "./scale-limit.ts";

/**
 * The state of a fixed window: `used` is in thousandths of a request.
 * `openedAt` is the time of the window's first counted request.
 */
export type FixedWindowState = { used: number; openedAt: number };

export type FixedWindowSettings = {
  /** The number of requests that pass in one window. */
  limit: number;
} & (
  | {
      /** How long a window lasts, in whole milliseconds. */
      windowMs: number;
      /** Windows begin with a counted request (default) or at multiples of `windowMs`. */
      anchor?: "first" | "clock";
      timeZone?: never;
    }
  | {
      /** The window is the calendar day of a time zone, which has 23 to 25 hours. */
      anchor: "calendar-day";
      /** An IANA name such as "Europe/Berlin". Default: "UTC". */
      timeZone?: string;
      /** May be left out; a day if not. */
      windowMs?: number;
    }
);

/**
 * Why a fixed window decided as it did.
 * `used` is the window's count before this request.
 */
export type FixedWindowReason = {
  algorithm: "fixed-window";
  neverFits: false;
  used: number;
  limit: number;
  /** The length of this very window: a calendar day may have 23 or 25 hours. */
  windowMs: number;
  /** The zone whose calendar day the window is; null for any other window. */
  timeZone: string | null;
};

const DAY_MS = 86_400_000;

/**
 * The fixed window: at most `limit` requests per window.
 * The first counted request opens a window, and the next opens with the first request after it has passed; windows are
 * half-open, so a request `windowMs` after the first is in the next one. With `anchor: "clock"` windows begin at whole
 * multiples of `windowMs` instead, requests or not, so that separate processes agree on windows as well as their clocks
 * agree; with `anchor: "calendar-day"` the window is the local day of `timeZone`. For both, `now` must be milliseconds
 * since 1970.
 *
 * **Worst case:** twice the limit within little more than an instant: all of one window at its end, all of the next at its
 * beginning. Where that matters, use a sliding log or a bucket.
 *
 * A refusal changes nothing, so a client that keeps trying gets in when the window ends, which `retryAfterMs` names
 * exactly. A cost above `limit` can never fit. Costs are counted in thousandths, rounded up, with whole numbers. When the
 * clock runs back to before the window's first request, the count stays and the window begins at that time: nothing is
 * gained, and no request waits for longer than one window. A refund lowers the count of the present window, never below 0.
 * The state is two numbers.
 *
 * @throws RangeError naming the setting that makes no sense
 */
export function fixedWindow(settings: FixedWindowSettings): Algorithm<FixedWindowState, FixedWindowReason> {
  requireKnown("fixedWindow", settings, Object.keys(fixedWindowDefinition.settings));
  const limit = requirePositive("fixedWindow: limit", settings.limit);
  const limitUnits = capacityInUnits("fixedWindow: limit", limit, UNITS_PER_REQUEST);
  const timeZone = settings.anchor === "calendar-day" ? (settings.timeZone ?? "UTC") : null;
  const usualWindowMs = requireWhole("fixedWindow: windowMs", settings.windowMs ?? (timeZone && DAY_MS));
  if (timeZone !== null && usualWindowMs !== DAY_MS) {
    throw new SettingError(
      "fixedWindow: windowMs",
      { kind: "bounds", least: DAY_MS, most: DAY_MS },
      `of a calendar day must be ${DAY_MS}: leave it out`,
    );
  }
  const windowAround =
    timeZone !== null
      ? calendarDays("fixedWindow", timeZone)
      : settings.anchor === "clock"
        ? clockWindows(usualWindowMs)
        : (_now: number, openedAt: number) => ({ startsAt: openedAt, endsAt: openedAt + usualWindowMs });

  /**
   * The window that `now` lies in, with its count.
   * A state from the future counts as from now.
   */
  function windowAt(saved: FixedWindowState | undefined, now: number) {
    const state = isFixedWindowState(saved) && saved.used > 0 ? saved : undefined;
    const openedAt = state === undefined ? now : Math.min(state.openedAt, now);
    const { startsAt, endsAt } = windowAround(now, openedAt);
    if (state === undefined || (now < endsAt && openedAt >= startsAt)) {
      return { used: state === undefined ? 0 : state.used, openedAt, startsAt, endsAt };
    }
    const fresh = windowAround(now, now);
    return { used: 0, openedAt: now, startsAt: fresh.startsAt, endsAt: fresh.endsAt };
  }

  function step(
    saved: FixedWindowState | undefined,
    now: number,
    cost: number,
  ): Step<FixedWindowState, FixedWindowReason> {
    requireInstant(now);
    const costUnits = countedUnits(cost);
    const window = windowAt(saved, now);
    const { used, openedAt, startsAt, endsAt } = window;
    const usedAfter = used + costUnits;
    if (usedAfter > limitUnits) return refusal(saved, now, cost, costUnits, window);
    const reason = reasonOf(used, endsAt - startsAt);
    const untilEndMs = endsAt - now;
    const decision = decisionOf(true, limit, remainingRequests(limitUnits, usedAfter), 0, untilEndMs, reason);
    return { decision, next: { used: usedAfter, openedAt }, expiresAt: endsAt };
  }

  function refusal(
    saved: FixedWindowState | undefined,
    now: number,
    cost: number,
    costUnits: number,
    { used, openedAt, startsAt, endsAt }: ReturnType<typeof windowAt>,
  ): Step<FixedWindowState, FixedWindowReason> {
    const windowMs = endsAt - startsAt;
    const remaining = remainingRequests(limitUnits, used);
    const untilEndMs = endsAt - now;
    const resetAfterMs = used === 0 ? 0 : untilEndMs;
    const decision: Decision<FixedWindowReason> =
      costUnits > limitUnits
        ? neverFits("fixed-window", limit, remaining, resetAfterMs, { cost, most: limit, windowMs })
        : decisionOf(false, limit, remaining, untilEndMs, resetAfterMs, reasonOf(used, windowMs));
    const clockRanBack = used > 0 && saved !== undefined && now < saved.openedAt;
    return clockRanBack ? { decision, next: { used, openedAt }, expiresAt: endsAt } : { decision };
  }

  function reasonOf(used: number, windowMs: number): FixedWindowReason {
    return {
      algorithm: "fixed-window",
      neverFits: false,
      used: used / UNITS_PER_REQUEST,
      limit,
      windowMs,
      timeZone,
    };
  }

  function refund(
    saved: FixedWindowState,
    now: number,
    cost: number,
  ): NextState<FixedWindowState> | undefined {
    requireInstant(now);
    const costUnits = countedUnits(cost);
    const { used, openedAt, endsAt } = windowAt(saved, now);
    if (used === 0) return undefined;
    const usedAfter = Math.max(0, used - costUnits);
    return { next: { used: usedAfter, openedAt }, expiresAt: usedAfter === 0 ? now : endsAt };
  }

  function count(
    saved: FixedWindowState | undefined,
    now: number,
    cost: number,
    grantedAt: number,
  ): NextState<FixedWindowState> | undefined {
    requireInstant(now);
    const costUnits = countedUnits(cost);
    const openedThen = Math.min(grantedAt, now);
    const { endsAt: endedAt } = windowAround(openedThen, openedThen);
    if (endedAt <= now) return undefined;
    const { used, openedAt, endsAt } = windowAt(saved, now);
    const next = {
      used: Math.min(used + costUnits, largestCount),
      openedAt: used === 0 ? openedThen : openedAt,
    };
    return { next, expiresAt: used === 0 ? endedAt : endsAt };
  }

  const scale = (share: number) => fixedWindow({ ...settings, limit: scaleLimit(limit, share) });

  return { name: "fixed-window", limit, step, refund, count, scale };
}

/**
 * From an instant to the window of the clock that it lies in.
 * Exact: below 2^53 no quotient is rounded up to a whole number.
 */
function clockWindows(windowMs: number) {
  return (instant: number) => {
    const startsAt = Math.floor(instant / windowMs) * windowMs;
    return { startsAt, endsAt: startsAt + windowMs };
  };
}

function isFixedWindowState(state: unknown): state is FixedWindowState {
  return (
    typeof state === "object" &&
    state !== null &&
    "used" in state &&
    isAmount(state.used) &&
    "openedAt" in state &&
    Number.isFinite(state.openedAt)
  );
}

type WrittenFixedWindow = {
  limit: number;
  windowMs?: number;
  anchor?: "first" | "clock" | "calendar-day";
  timeZone?: string;
};

export const fixedWindowDefinition: AlgorithmDefinition<WrittenFixedWindow, FixedWindowReason> = {
  name: "fixed-window",
  title: "Fixed window",
  order: 3,
  description:
    "At most so many in each window, which the first request opens, or the clock, or which is a calendar day.",
  settings: {
    limit: { type: "number", required: true, default: 20, label: "Most in a window" },
    windowMs: {
      type: "duration",
      required: true,
      default: 1_000,
      label: "Seconds of a window",
      onlyWith: {
        setting: "anchor",
        values: ["first", "clock"],
        message: "must be left out: a calendar day lasts as long as it does",
      },
    },
    anchor: {
      type: "choice",
      default: "first",
      // Windows that each process opens with its own first request would not agree.
      defaultAmongPeers: "clock",
      choices: [
        ["first", "with the first request"],
        ["clock", "at multiples of its length since 1970"],
        ["calendar-day", "with the calendar day"],
      ],
      label: "A window begins",
    },
    timeZone: {
      type: "time-zone",
      default: "UTC",
      label: "Time zone",
      onlyWith: { setting: "anchor", values: ["calendar-day"], message: 'needs "anchor": "calendar-day"' },
    },
  },
  reason: {
    used: { type: "number", description: "The window's count before this request." },
    limit: { type: "number" },
    windowMs: { type: "number" },
    timeZone: {
      type: "text",
      nullable: true,
      description: "The time zone of the window's calendar day; null when its first request opened it.",
    },
  },
  examples: [
    { limit: 4, windowMs: 700 },
    { limit: 4, windowMs: 700, anchor: "clock" },
    { limit: 9, anchor: "calendar-day", timeZone: "Europe/Berlin" },
  ],
  create: ({ limit, windowMs = Number.NaN, anchor = "first", timeZone = "UTC" }) =>
    anchor === "calendar-day"
      ? fixedWindow({ limit, anchor, timeZone })
      : fixedWindow({ limit, windowMs, anchor }),
  summarize: ({ limit, windowMs, timeZone = "UTC" }) =>
    windowMs === undefined
      ? phrase("aDay", "{count} a day ({timeZone})", { count: number(limit), timeZone: text(timeZone) })
      : phrase("perPeriod", "{count} per {period}", { count: number(limit), period: period(windowMs) }),
  explain: ({ used, limit, windowMs, timeZone }) =>
    timeZone === null
      ? phrase("fixed-window", "{used} of {limit} in this window of {period}", {
          used: tenths(used),
          limit: number(limit),
          period: shortDuration(windowMs),
        })
      : phrase("calendar-day", "{used} of {limit} on this day ({timeZone})", {
          used: tenths(used),
          limit: number(limit),
          timeZone: text(timeZone),
        }),
  level: ({ used, limit, timeZone }) =>
    timeZone === null
      ? countLevel("fixed-window", "Counted in the window", used, limit)
      : countLevel("calendar-day", "Counted on the day", used, limit),
  bound: ({ limit, windowMs }) => ({ kind: "quota", limit, windowMs }),
  quota: ({ limit, windowMs }, decision) => windowQuota(limit, windowMs, decision),
};
