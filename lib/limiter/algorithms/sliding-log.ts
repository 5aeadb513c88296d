import { requireInstant, requireKnown, requireWhole, SettingError } from "../settings.ts";
import type { Algorithm, Decision, NextState, Step } from "../types.ts";
import { decisionOf, neverFits } from "./decision.ts";
import { type AlgorithmDefinition, countLevel, windowQuota } from "./definition.ts";
import { number, period, phrase, shortDuration, tenths } from "./phrase.ts";
import { scaleLimit } from "./scale-limit.ts";

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

  /**
   * The entries that still count; none of a state that is not recognized.
   * Times later than now count as now.
   */
  function logAt(saved: unknown, now: number): number[] {
    // Appended: made at its full length, the array would have holes, which takes longer up to some hundred entries.
    const log: number[] = [];
    let latest = -Number.MAX_VALUE;
    const times = timesOf(saved);
    for (let index = 0; index < times.length; index += 1) {
      const time = times[index];
      if (!(typeof time === "number" && time >= latest && time < Number.POSITIVE_INFINITY)) return [];
      latest = time;
      if (time > now - windowMs) log.push(Math.min(time, now));
    }
    return log;
  }

  const expiryOf = (log: readonly number[], now: number) => (log.at(-1) ?? now - windowMs) + windowMs;

  function step(
    saved: SlidingLogState | undefined,
    now: number,
    cost: number,
  ): Step<SlidingLogState, SlidingLogReason> {
    requireInstant(now);
    const count = cost === 1 ? 1 : requireWhole("cost", cost);
    const log = logAt(saved, now);
    const used = log.length;
    if (used + count > limit) return refusal(saved, now, count, log);
    for (let added = 0; added < count; added += 1) log.push(now);
    const decision = decisionOf(true, limit, limit - used - count, 0, windowMs, reasonOf(used));
    return { decision, next: { times: log }, expiresAt: now + windowMs };
  }

  function refusal(
    saved: SlidingLogState | undefined,
    now: number,
    count: number,
    log: number[],
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
    const clockRanBack = used > 0 && (saved?.times.at(-1) ?? now) > now;
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
    const log = logAt(saved, now);
    for (let index = Math.min(granted, largestLog); index > 0; index -= 1) log.push(now);
    return { next: { times: log.slice(-largestLog) }, expiresAt: expiryOf(log, now) };
  }

  const scale = (share: number) => slidingLog({ limit: Math.floor(scaleLimit(limit, share)), windowMs });

  return { name: "sliding-log", limit, step, refund, count, scale };
}

/** The entries of a state, which no store has checked. */
function timesOf(state: unknown): readonly unknown[] {
  if (typeof state !== "object" || state === null || !("times" in state)) return noTimes;
  return Array.isArray(state.times) ? state.times : noTimes;
}

const noTimes: readonly unknown[] = [];

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
