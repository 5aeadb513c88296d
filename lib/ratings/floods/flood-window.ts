/**
 * Flood windows: spans of time in which a post was rated unusually fast.
 * Their ratings are held until the window is counted: because they look like the post's past, because a person
 * decided so, or after some time.
 *
 * Pure, and each step takes constant time. Times and gaps are milliseconds.
 */
import type { DecidedStatus, FloodWindow, WindowDecider, WindowStatus } from "../../../db/types.ts";
import { dayMs } from "../../time/units.ts";
import { type Counts, scoreFrom, withCounts } from "../score/score.ts";

export type { DecidedStatus, FloodWindow, WindowDecider, WindowStatus };

/** Weight of the newest gap in the moving average of about five. */
const newestWeight = 1 / 3;
/** A flood is over when recent gaps reach this fraction of the usual one. */
const overAt = 0.75;
/**
 * The run-up lasts while gaps are shorter than this fraction of the usual.
 * That is so of the gaps together, not of each one.
 */
const runUpBelow = 0.5;
/** Longest run-up, in ratings. */
export const runUpMaximum = 100;
/**
 * A flood that resumes within this time is the same.
 * A counted window lasts no longer.
 */
const sameFloodMs = dayMs;
/** Fewest past ratings that a window can be compared with. */
const pastMinimum = 10;
/**
 * Fraction of ratings that may differ from the past.
 * Differences by chance are allowed on top.
 */
const shapeTolerance = 0.1;

/**
 * How many ratings before `now` are the flood's run-up.
 * The number that maximises the cumulative sum of how far their gaps fall short (CUSUM, Page 1954), without as many
 * as are usual in their time. `times` are newest first.
 */
export function runUpLength(now: number, times: readonly number[], usualGapMs: number): number {
  let [length, largest, sum, later] = [0, 0, 0, now];
  times.slice(0, runUpMaximum).forEach((at, index) => {
    sum += runUpBelow * usualGapMs - (later - at);
    later = at;
    if (sum > largest) [length, largest] = [index + 1, sum];
  });
  const spanMs = now - (times[length - 1] ?? now);
  return Math.max(0, length - Math.floor(spanMs / usualGapMs));
}

/**
 * An empty window that opens at `now`.
 * `runUp` are the run-up's times, newest first.
 */
export function openWindow(
  number: number,
  now: number,
  usualGapMs: number,
  runUp: readonly number[],
): FloodWindow {
  const openedAt = runUp.at(-1) ?? now;
  return {
    number,
    openedAt,
    lastAt: now,
    closedAt: null,
    usualGapMs,
    recentGapMs: (now - openedAt) / Math.max(1, runUp.length),
    counts: [0, 0, 0, 0, 0, 0],
    status: "held",
    decidedBy: null,
    decisions: 0,
  };
}

/** Whether a flood at `now` reopens this window; a final decision prevents that. */
export function mayReopen(window: FloodWindow, now: number): boolean {
  const { closedAt, lastAt, openedAt, status } = window;
  const since = status === "counted" ? openedAt : lastAt;
  return closedAt !== null && now - since < sameFloodMs && isUndecided(window);
}

/** Extends the window to a rating at `now`; leaves the counters to the caller. */
export function withArrival(window: FloodWindow, now: number): FloodWindow {
  const { recentGapMs, lastAt } = window;
  const gapMs = Math.max(0, now - lastAt);
  return {
    ...window,
    lastAt: Math.max(now, lastAt),
    recentGapMs: recentGapMs + newestWeight * (gapMs - recentGapMs),
  };
}

/**
 * When the flood is over if no rating follows.
 * A counted window ends after a day at the latest: a lasting rise in readers is not a flood, and their ratings must
 * not be held with a later flood.
 */
export function endOf({ openedAt, lastAt, recentGapMs, usualGapMs, status }: FloodWindow): number {
  const missingMs = Math.max(0, overAt * usualGapMs - recentGapMs);
  const end = lastAt + Math.ceil(recentGapMs + missingMs / newestWeight);
  return status === "counted" ? Math.min(end, Math.max(lastAt, openedAt + sameFloodMs)) : end;
}

/** When a held window is counted, unless a person decides before. */
export function deadlineOf({ openedAt }: FloodWindow, holdMs: number): number {
  return openedAt + holdMs;
}

/** Whether no final decision was made, by a person or by time. */
export function isUndecided({ decidedBy }: FloodWindow): boolean {
  return decidedBy === null || decidedBy === "shape";
}

/**
 * Whether a window's ratings are distributed like the post's past.
 * Their total variation distance is within a tolerance plus chance. The tolerance doubles for a window that looked
 * alike before (hysteresis), so that one rating does not flip it back and forth.
 */
export function looksLikePast(counts: Counts, past: Counts, { wasAlike = false } = {}): boolean {
  const [ratings, pastRatings] = [scoreFrom(counts).count, scoreFrom(past).count];
  if (ratings === 0 || pastRatings < pastMinimum) return false;
  const chance = Math.sqrt(1 / ratings + 1 / pastRatings);
  return distance(counts, past) <= (wasAlike ? 2 : 1) * shapeTolerance + chance;
}

/** The total variation distance of two distributions of ratings, 0 to 1. */
export function distance(counts: Counts, others: Counts): number {
  const [count, otherCount] = [scoreFrom(counts).count, scoreFrom(others).count];
  const differences = counts.map((some, score) => Math.abs(some / count - (others[score] ?? 0) / otherCount));
  return differences.reduce((sum, each) => sum + each, 0) / 2;
}

/** The post's counters without the window's ratings. */
export function pastOf(counts: Counts, window: FloodWindow): Counts {
  return window.status === "counted" ? withCounts(counts, window.counts, -1) : counts;
}
