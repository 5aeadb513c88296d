import { requireInstant, requireKnown, requireWhole, SettingError } from "../settings.ts";
import type { Algorithm, Decision, NextState, Step } from "../types.ts";
import { decisionOf, neverFits } from "./decision.ts";
import { type AlgorithmDefinition, countLevel, windowQuota } from "./definition.ts";
import { number, period, phrase, shortDuration, tenths } from "./phrase.ts";
import { shareOfLimit } from "./share.ts";

/** The time of each counted request, oldest first: a cost of 3 is three entries. */
export type SlidingLogState = { times: number[] };

/** `limit` in whole requests, up to `largestLog`; `windowMs` in whole milliseconds. */
export type SlidingLogSettings = { limit: number; windowMs: number };

/**
 * Why a sliding log decided as it did.
 * `used` is the count of the last `windowMs` before this request.
 */
export type SlidingLogReason = {
  algorithm: "sliding-log";
  neverFits: false;
  used: number;
  limit: number;
  windowMs: number;
};

/**
 * Maximum number of requests that a sliding log counts.
 * A log is read, copied and saved whole for every request: of a thousand entries that is 8 kB in memory, 14 kB as
 * JSON, and some microseconds. Ten times that would cost more than the work that limits guard.
 */
const largestLog = 1000;

/**
 * The sliding log: never more than `limit` requests in any `windowMs`.
 * Every counted request is kept until it is `windowMs` old, and at exactly that age it no longer counts.
 *
 * **Worst case:** none, it is exact. It costs memory instead: up to `limit` numbers for each key, which is why a limit
 * above 1,000 is refused. Requests at the same millisecond count each for itself.
 *
 * A cost is a number of requests and must be whole; above `limit` it can never fit. A refusal is not logged, so a
 * client that keeps trying gets in as soon as one that waits, at the instant that `retryAfterMs` names. When the clock
 * runs back, later entries count as logged now: nothing is gained, and no request waits for longer than one window. A
 * refund takes the newest entries out.
 *
 * @throws RangeError naming the setting that makes no sense, or the limit that is too large to log
 */
export function slidingLog(settings: SlidingLogSettings): Algorithm<SlidingLogState, SlidingLogReason> {
  requireKnown("slidingLog", settings, Object.keys(slidingLogDefinition.settings));
  const limit = requireWhole("slidingLog: limit", settings.limit);
  const windowMs = requireWhole("slidingLog: windowMs", settings.windowMs);
  if (limit > largestLog) {
    throw new SettingError(
      "slidingLog: limit",
      { kind: "bounds", most: largestLog },
      `must be at most ${largestLog}, because each request is logged, but is ${limit}: ` +
        "use tokenBucket or fixedWindow, whose state is a few numbers however large the limit",
    );
  }

  /** Where the entries begin that still count. */
  function firstInWindow(times: readonly number[], now: number): number {
    let first = 0;
    while (first < times.length && (times[first] ?? now) <= now - windowMs) first += 1;
    return first;
  }

  /**
   * The entries from `first` on, and `added` ones of now.
   * Times later than now count as now.
   */
  function logFrom(times: readonly number[], first: number, now: number, added: number): number[] {
    const kept = times.length - first;
    // At its full length from the start: an array that grows is copied again, which takes twice as long.
    const log = new Array<number>(kept + added);
    for (let index = 0; index < log.length; index += 1)
      log[index] = Math.min(times[first + index] ?? now, now);
    return log;
  }

  function logAt(saved: SlidingLogState, now: number): number[] {
    const times = timesOf(saved);
    return logFrom(times, firstInWindow(times, now), now, 0);
  }

  const expiryOf = (log: readonly number[], now: number) => (log.at(-1) ?? now - windowMs) + windowMs;

  function step(
    saved: SlidingLogState | undefined,
    now: number,
    cost: number,
  ): Step<SlidingLogState, SlidingLogReason> {
    requireInstant(now);
    const count = requireWhole("cost", cost);
    const times = timesOf(saved);
    const first = firstInWindow(times, now);
    const used = times.length - first;
    if (used + count > limit) return refusal(now, count, logFrom(times, first, now, 0), times);
    const decision = decisionOf(true, limit, limit - used - count, 0, windowMs, reasonOf(used));
    return { decision, next: { times: logFrom(times, first, now, count) }, expiresAt: now + windowMs };
  }

  function refusal(
    now: number,
    count: number,
    log: number[],
    times: readonly number[],
  ): Step<SlidingLogState, SlidingLogReason> {
    const used = log.length;
    const remaining = Math.max(0, limit - used);
    const expiresAt = expiryOf(log, now);
    const resetAfterMs = expiresAt - now;
    const retryAfterMs = (log[used + count - limit - 1] ?? now) + windowMs - now;
    const decision: Decision<SlidingLogReason> =
      count > limit
        ? neverFits("sliding-log", limit, remaining, resetAfterMs, { cost: count, most: limit, windowMs })
        : decisionOf(false, limit, remaining, retryAfterMs, resetAfterMs, reasonOf(used));
    const clockRanBack = used > 0 && (times.at(-1) ?? now) > now;
    return clockRanBack ? { decision, next: { times: log }, expiresAt } : { decision };
  }

  function reasonOf(used: number): SlidingLogReason {
    return { algorithm: "sliding-log", neverFits: false, used, limit, windowMs };
  }

  function refund(saved: SlidingLogState, now: number, cost: number): NextState<SlidingLogState> | undefined {
    requireInstant(now);
    const count = requireWhole("cost", cost);
    const log = logAt(saved, now);
    if (log.length === 0) return undefined;
    log.length = Math.max(0, log.length - count);
    return { next: { times: log }, expiresAt: expiryOf(log, now) };
  }

  /**
   * Logs the grant as of now, since logs are in order.
   * The newest thousand entries decide; more would change nothing.
   */
  function count(
    saved: SlidingLogState | undefined,
    now: number,
    cost: number,
    grantedAt: number,
  ): NextState<SlidingLogState> | undefined {
    requireInstant(now);
    const granted = requireWhole("cost", cost);
    if (grantedAt <= now - windowMs) return undefined;
    const log = saved === undefined ? [] : logAt(saved, now);
    for (let index = Math.min(granted, largestLog); index > 0; index -= 1) log.push(now);
    return { next: { times: log.slice(-largestLog) }, expiresAt: expiryOf(log, now) };
  }

  const scale = (share: number) => slidingLog({ limit: Math.floor(shareOfLimit(limit, share)), windowMs });

  return { name: "sliding-log", limit, step, refund, count, scale };
}

/** The entries of a state, in order; none of one that is not recognized. */
function timesOf(state: unknown): readonly number[] {
  if (typeof state !== "object" || state === null || !("times" in state)) return noTimes;
  const { times } = state;
  if (!Array.isArray(times)) return noTimes;
  let earliest = -Number.MAX_VALUE;
  for (let index = 0; index < times.length; index += 1) {
    const time: unknown = times[index];
    if (!(typeof time === "number" && time >= earliest && time < Number.POSITIVE_INFINITY)) return noTimes;
    earliest = time;
  }
  return times;
}

const noTimes: readonly number[] = [];

export const slidingLogDefinition: AlgorithmDefinition<SlidingLogSettings, SlidingLogReason> = {
  name: "sliding-log",
  title: "Sliding log",
  order: 4,
  description: "Never more than so many within any so many seconds, wherever they begin.",
  settings: {
    limit: { type: "number", required: true, default: 20, label: "Most, up to 1,000" },
    windowMs: { type: "duration", required: true, default: 1_000, label: "Within any so many seconds" },
  },
  reason: {
    used: { type: "number", description: "The count of the last windowMs before this request." },
    limit: { type: "number" },
    windowMs: { type: "number" },
  },
  examples: [{ limit: 4, windowMs: 900 }],
  create: slidingLog,
  summarize: ({ limit, windowMs }) =>
    phrase("inAny", "{count} in any {period}", { count: number(limit), period: period(windowMs) }),
  explain: ({ used, limit, windowMs }) =>
    phrase("sliding-log", "{used} of {limit} in the last {period}", {
      used: tenths(used),
      limit: number(limit),
      period: shortDuration(windowMs),
    }),
  level: ({ used, limit }) => countLevel("sliding-log", "Counted in the log", used, limit),
  bound: ({ limit, windowMs }) => ({ kind: "quota", limit, windowMs }),
  quota: ({ limit, windowMs }, decision) => windowQuota(limit, windowMs, decision),
};
