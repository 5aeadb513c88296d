/**
 * Flood windows: spans in which a post was rated unusually fast. What comes in one waits there and is not counted until
 * the window is: by itself when its ratings look like the post's own past, by a person, or after some time.
 *
 * Pure, and each step takes constant time. Times and gaps are milliseconds.
 */
import { type Counts, scoreFrom, withCounts } from "./score.ts";

export type WindowStatus = "held" | "counted" | "excluded";

export interface FloodWindow {
  /** The post's first window is 1. */
  number: number;
  /** When its first rating came, the run-up included. */
  openedAt: number;
  /** When its last one came. */
  lastAt: number;
  /** When the flood was over; null while it goes on. */
  closedAt: number | null;
  /** The mean gap between ratings of the post before. */
  usualGapMs: number;
  /** The moving average of the gaps in the window. */
  recentGapMs: number;
  /** Its ratings, as they are now. */
  counts: Counts;
  status: WindowStatus;
  /** What decided last: the shape of its ratings, the time that had passed, a person; null while nothing has. */
  decidedBy: "shape" | "time" | "person" | null;
  /** How often it has been decided: a decision names the one that it follows upon. */
  decisions: number;
  /** The settled score when the window was counted; null when it never was. */
  settledBefore: number | null;
}

const dayMs = 86_400_000;
/** The weight of the newest gap in the moving average: that of five. */
const newestWeight = 1 / 3;
/** A flood is over when the recent gaps are back at this part of the usual one. */
const overAt = 0.75;
/** A rating belongs to the run-up as long as gaps are shorter than this part of the usual one, on the whole. */
const runUpBelow = 0.5;
/** How far back a run-up is looked for, in ratings. */
export const runUpMaximum = 100;
/** What begins again within this time is the same flood; one that counts lasts no longer. */
const sameFloodMs = dayMs;
/** So many ratings must be known of a post before anything can be compared with them. */
const pastMinimum = 10;
/** The share of ratings that may differ from the past besides what chance makes differ. */
const shapeTolerance = 0.1;

/**
 * How many of the newest ratings before `now` belong to the flood that is noticed then: as many as make the sum of what
 * their gaps fall short by the largest (a cumulative sum, Page 1954). `times` are theirs, newest first.
 */
export function runUpLength(now: number, times: readonly number[], usualGapMs: number): number {
  let [length, largest, sum, later] = [0, 0, 0, now];
  times.slice(0, runUpMaximum).forEach((at, index) => {
    sum += runUpBelow * usualGapMs - (later - at);
    later = at;
    if (sum > largest) [length, largest] = [index + 1, sum];
  });
  return length;
}

/** A window that opens at `now`, empty; its run-up began with the oldest of `runUp`, whose times are newest first. */
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
    settledBefore: null,
  };
}

/** Whether a flood that begins at `now` goes on in this window. What a person or the time has decided is done with. */
export function mayReopen(window: FloodWindow, now: number): boolean {
  const { closedAt, lastAt, openedAt, status } = window;
  const since = status === "counted" ? openedAt : lastAt;
  return closedAt !== null && now - since < sameFloodMs && isUndecided(window);
}

/** The window once a rating falls in it; its counters are not this function's. */
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
 * When the flood is over if no rating falls in the window any more. One that counts is over after a day in any case: a post
 * that has found more readers is no flood, and who rated it then is not to be held for what another flood brings.
 */
export function endOf({ openedAt, lastAt, recentGapMs, usualGapMs, status }: FloodWindow): number {
  const missingMs = Math.max(0, overAt * usualGapMs - recentGapMs);
  const end = lastAt + Math.ceil(recentGapMs + missingMs / newestWeight);
  return status === "counted" ? Math.min(end, Math.max(lastAt, openedAt + sameFloodMs)) : end;
}

/** When the window is counted unless a person decides before. */
export function deadlineOf({ openedAt }: FloodWindow, holdMs: number): number {
  return openedAt + holdMs;
}

/** Whether nobody has decided on it for good: neither a person nor the time. */
export function isUndecided({ decidedBy }: FloodWindow): boolean {
  return decidedBy === null || decidedBy === "shape";
}

/**
 * Whether a window's ratings look like those of the post's past: how many in a hundred would have to be others for the two
 * to be spread alike (the total variation distance) is within a tolerance and what chance explains. What was
 * taken for alike may stray twice as far before it no longer is, so that no single rating turns it back and forth.
 */
export function looksLikePast(counts: Counts, past: Counts, { wasAlike = false } = {}): boolean {
  const [ratings, pastRatings] = [scoreFrom(counts).count, scoreFrom(past).count];
  if (ratings === 0 || pastRatings < pastMinimum) return false;
  const chance = Math.sqrt(1 / ratings + 1 / pastRatings);
  return distance(counts, past) <= (wasAlike ? 2 : 1) * shapeTolerance + chance;
}

/** The share of one's ratings that would have to be others for the two to be spread alike, 0 to 1. */
export function distance(counts: Counts, others: Counts): number {
  const [count, otherCount] = [scoreFrom(counts).count, scoreFrom(others).count];
  const differences = counts.map((some, score) => Math.abs(some / count - (others[score] ?? 0) / otherCount));
  return differences.reduce((sum, each) => sum + each, 0) / 2;
}

/** A post's counters without a window's ratings: its past. */
export function pastOf(counts: Counts, window: FloodWindow): Counts {
  return window.status === "counted" ? withCounts(counts, window.counts, -1) : counts;
}
