/**
 * Why an algorithm decided as it did, as plain JSON data.
 */
import type { Decision } from "./types.ts";

/** Why a leaky bucket decided as it did. `level` is in requests, before this request was added. */
export type LeakyBucketReason = {
  algorithm: "leaky-bucket";
  neverFits: false;
  level: number;
  capacity: number;
  leakPerSecond: number;
};

/** Why a token bucket decided as it did. `tokens` is how many there were before this request took any. */
export type TokenBucketReason = {
  algorithm: "token-bucket";
  neverFits: false;
  tokens: number;
  capacity: number;
  refillPerSecond: number;
};

/** Why a fixed window decided as it did. `used` is what the window had counted before this request. */
export type FixedWindowReason = {
  algorithm: "fixed-window";
  neverFits: false;
  used: number;
  limit: number;
  /** How long this very window lasts: a calendar day may have 23 or 25 hours. */
  windowMs: number;
  /** The zone whose calendar day the window is; null when it is none. */
  timeZone: string | null;
};

/** Why a sliding log decided as it did. `used` is what the last `windowMs` held before this request. */
export type SlidingLogReason = {
  algorithm: "sliding-log";
  neverFits: false;
  used: number;
  limit: number;
  windowMs: number;
};

/** Why a tiered limit decided as it did. */
export type TieredReason = {
  algorithm: "tiered";
  neverFits: false;
  /** What the calendar day had counted before this request, what was no longer free included. */
  usedToday: number;
  freePerDay: number;
  /** How long this very day lasts: 23 to 25 hours, as the zone has it. */
  dayMs: number;
  timeZone: string;
  /** What the second limit said to what was not free; null when all of the request was. */
  beyond: Decision | null;
};

/** Why the gap detector decided as it did. All gaps are milliseconds per request. */
export type EmaReason = {
  algorithm: "ema";
  neverFits: false;
  /** How many deviations the recent gaps lie below the usual ones; refused above `threshold`. */
  z: number;
  threshold: number;
  /** The usual gap, μ. */
  meanGapMs: number;
  /** How far a single gap usually strays from μ, σ. */
  deviationMs: number;
  /** The fast average of the newest gaps, this request's included. */
  recentGapMs: number;
  /** The smallest value of `recentGapMs` that passes, and so the gap that passes again and again. 0 while learning. */
  leastGapMs: number;
  /** True while too few gaps are known: nothing is refused yet. */
  learning: boolean;
};

/** A cost above what the limit can ever hold: waiting does not help. */
export type NeverFitsReason = {
  algorithm: string;
  neverFits: true;
  cost: number;
  limit: number;
  /** The time that the limit is given for: how long it takes from used up to all there again. */
  windowMs: number;
};

/** Why, as data; a person's sentence is made from it elsewhere. Look at `neverFits` first, then at `algorithm`. */
export type Reason =
  | LeakyBucketReason
  | TokenBucketReason
  | FixedWindowReason
  | SlidingLogReason
  | TieredReason
  | EmaReason
  | NeverFitsReason;
