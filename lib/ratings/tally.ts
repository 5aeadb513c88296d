/**
 * The tally of a post: all that its public score hangs on. What happens to a rating goes in, a tally comes out: the six
 * counters of what counts, the settled score's state, and the flood windows with counters of their own.
 *
 * The rules: a new or changed rating falls in the window that is open, if one is; a rating that is held or excluded stays
 * in its window whatever becomes of it, also when it is withdrawn and given again. The counters hold the ratings of no
 * window and those of windows that are counted. Counting a window or not is one step, however many ratings it has.
 *
 * Pure. Times are milliseconds.
 */
import type { Reason } from "../limiter/index.ts";
import {
  deadlineOf,
  endOf,
  type FloodWindow,
  isUndecided,
  looksLikePast,
  mayReopen,
  openWindow,
  pastOf,
  runUpLength,
  type WindowStatus,
  withArrival,
} from "./flood-window.ts";
import { type Counts, withCounts, withRating } from "./score.ts";
import type { Score } from "./scores.ts";
import {
  type SettledState,
  type SettlingSettings,
  settledByChange,
  settledByNewRating,
  settledByTakingBack,
  settledMovesAt,
  settledScoreAt,
  settlingDefaults,
} from "./settled-score.ts";

export interface Tally {
  counts: Counts;
  settled: SettledState;
  /** How many windows the post has had. */
  windowCount: number;
  /** The last one, those that are open or held, and those of the ratings that are touched. */
  windows: readonly FloodWindow[];
  /** What has been decided by itself since the tally was loaded, in order. */
  decided: readonly OwnDecision[];
}

/** A decision on a window that nobody made. */
export interface OwnDecision {
  window: number;
  at: number;
  status: WindowStatus;
  by: "shape" | "time";
}

export interface TallySettings {
  settling: SettlingSettings;
  /** How long a window is held at most before it is counted. */
  holdMs: number;
}

export const scoringDefaults: TallySettings = { settling: settlingDefaults, holdMs: 14 * 86_400_000 };

/** A rating as it stands: its score, and the number of the window that it is in. */
export interface PlacedRating {
  score: Score;
  window: number | null;
}

/** What a limiter that was exceeded says, and what came before. */
export interface Flood {
  usualGapMs: number;
  /** The post's newest ratings that are in no window, newest first, without the one that is given now. */
  recent: readonly { at: number; score: Score }[];
}

/** How far the settled score may have moved by itself before the saved one is behind. */
const staleStars = 0.005;

/** The tally with all done that was due until `now`, in order: floods that ended, windows whose time has passed. */
export function broughtUpTo(tally: Tally, now: number, settings: TallySettings): Tally {
  for (let brought = tally; ; ) {
    const [next] = brought.windows
      .map((window) => ({ window, at: dueOf(window, settings) ?? Number.POSITIVE_INFINITY }))
      .toSorted((a, b) => a.at - b.at);
    if (!next || next.at > now) return brought;
    const { window, at } = next;
    const closed = window.closedAt === null ? { ...window, closedAt: at } : window;
    brought = withWindow(brought, closed);
    if (isHeld(window) && deadlineOf(window, settings.holdMs) <= at)
      brought = withStatus(brought, closed, "counted", "time", at, settings);
  }
}

/** When something has to be done about a post though nobody rates it; null for never. */
export function dueAt({ settled, counts, windows }: Tally, settings: TallySettings): number | null {
  const dues = windows.map((window) => dueOf(window, settings));
  const all = [...dues, settledMovesAt(settled, counts, staleStars, settings.settling)];
  const earliest = Math.min(...all.map((due) => due ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(earliest) ? earliest : null;
}

export interface Placed {
  tally: Tally;
  /** The window that the rating is in now. */
  window: number | null;
  /** How many of the flood's recent ratings belong to it, as its run-up. */
  runUp: number;
}

/**
 * A rating is given at `now`: for the first time (`before` is undefined), or instead of one. One that was withdrawn before
 * has no score, but may have a window to return to. `flood` is undefined when it was within the limits.
 */
export function withRatingGiven(
  tally: Tally,
  {
    now,
    score,
    before,
    flood,
  }: {
    now: number;
    score: Score;
    before: { score: Score | null; window: number | null } | undefined;
    flood: Flood | undefined;
  },
  settings: TallySettings,
): Placed {
  const brought = broughtUpTo(tally, now, settings);
  const home = windowOf(brought, before?.window ?? null);
  const stays = home !== undefined && home.status !== "counted";
  const { tally: ready, runUp } =
    flood && !stays && !openWindowOf(brought)
      ? withFlood(brought, now, flood, settings)
      : { tally: brought, runUp: 0 };

  const open = stays ? undefined : openWindowOf(ready);
  const target = open ?? home;
  const without =
    before && before.score !== null ? moved(ready, { ...before, score: before.score }, -1) : ready;
  const placed = moved(without, { score, window: target?.number ?? null }, 1);
  const isNew = before === undefined && isCounted(target);
  const settled = isNew
    ? settledByNewRating(ready.settled, now, without.counts, score, settings.settling)
    : settledByChange(ready.settled, now, ready.counts, placed.counts, settings.settling);
  const settledTally = { ...placed, settled };
  return {
    tally: open ? judged(arrived(settledTally, open.number, now), open.number, now, settings) : settledTally,
    window: target?.number ?? null,
    runUp,
  };
}

/** A rating is withdrawn at `now`. */
export function withRatingWithdrawn(
  tally: Tally,
  now: number,
  rating: PlacedRating,
  settings: TallySettings,
): Tally {
  const brought = broughtUpTo(tally, now, settings);
  const without = moved(brought, rating, -1);
  const settled = settledByChange(brought.settled, now, brought.counts, without.counts, settings.settling);
  return { ...without, settled };
}

/** A person decides at `now` that a window counts, or that it does not; it must be among the tally's. */
export function withWindowDecided(
  tally: Tally,
  now: number,
  number: number,
  status: "counted" | "excluded",
  settings: TallySettings,
): Tally {
  const window = windowOf(tally, number);
  return window ? withStatus(tally, window, status, "person", now, settings) : tally;
}

/** Counts everything there is, held and excluded windows too; for those who want to see it. */
export function withEverythingCounted(counts: Counts, windows: readonly FloodWindow[]): Counts {
  return windows
    .filter((window) => !isCounted(window))
    .reduce((sum, window) => withCounts(sum, window.counts, 1), counts);
}

/** The gap that is usual between a post's ratings: as the limiter has learnt it, or else the mean of its whole life. */
export function usualGapMs(reason: Reason, { firstAt, raters }: SettledState, now: number): number {
  if ("meanGapMs" in reason) return reason.meanGapMs;
  return (now - firstAt) / Math.max(1, raters);
}

/** Opens a window, or the last one again, and takes the run-up out of the counters and into it. */
function withFlood(tally: Tally, now: number, { usualGapMs, recent }: Flood, settings: TallySettings) {
  const times = recent.map(({ at }) => at);
  const runUp = runUpLength(now, times, usualGapMs);
  const fresh = openWindow(tally.windowCount + 1, now, usualGapMs, times.slice(0, runUp));
  const last = windowOf(tally, tally.windowCount);
  const window =
    last && mayReopen(last, now)
      ? { ...last, closedAt: null, lastAt: fresh.lastAt, recentGapMs: fresh.recentGapMs }
      : fresh;
  const windowCount = Math.max(tally.windowCount, window.number);
  const opened = withWindow({ ...tally, windowCount }, window);
  const taken = recent
    .slice(0, runUp)
    .reduce(
      (sum, { score }) => moved(moved(sum, { score, window: null }, -1), { score, window: window.number }, 1),
      opened,
    );
  const settled = settledByChange(tally.settled, now, tally.counts, taken.counts, settings.settling);
  return { tally: { ...taken, settled }, runUp };
}

/** Counts an open window when it looks like the post's past, and no longer when it does not. */
function judged(tally: Tally, number: number, now: number, settings: TallySettings): Tally {
  const window = windowOf(tally, number);
  if (!window || !isUndecided(window)) return tally;
  const wasAlike = window.status === "counted";
  const isAlike = looksLikePast(window.counts, pastOf(tally.counts, window), { wasAlike });
  if (isAlike === wasAlike) return tally;
  return withStatus(tally, window, isAlike ? "counted" : "held", "shape", now, settings);
}

function withStatus(
  tally: Tally,
  window: FloodWindow,
  status: WindowStatus,
  by: "shape" | "time" | "person",
  now: number,
  { settling }: TallySettings,
): Tally {
  const { settled, counts } = tally;
  const [was, is] = [window.status === "counted", status === "counted"];
  const after = is === was ? counts : withCounts(counts, window.counts, is ? 1 : -1);
  const since = window.settledBefore;
  const takesBack = by === "person" && was && !is && since !== null;
  const settledBefore = is && !was ? settledScoreAt(settled, now, counts, settling) : since;
  const decided = {
    ...window,
    status,
    decidedBy: by,
    decisions: window.decisions + 1,
    settledBefore,
  };
  return {
    ...withWindow(tally, decided),
    counts: after,
    settled: takesBack
      ? settledByTakingBack(settled, now, counts, after, since, settling)
      : settledByChange(settled, now, counts, after, settling),
    decided:
      by === "person" ? tally.decided : [...tally.decided, { window: window.number, at: now, status, by }],
  };
}

/** Puts a rating where it belongs, or takes it out of there: into its window's counters, and into the post's if it counts. */
function moved(tally: Tally, { score, window: number }: PlacedRating, change: 1 | -1): Tally {
  const window = windowOf(tally, number);
  const counts = isCounted(window) ? withRating(tally.counts, score, change) : tally.counts;
  if (!window) return { ...tally, counts };
  return { ...withWindow(tally, { ...window, counts: withRating(window.counts, score, change) }), counts };
}

function arrived(tally: Tally, number: number, now: number): Tally {
  const window = windowOf(tally, number);
  return window ? withWindow(tally, withArrival(window, now)) : tally;
}

function isHeld({ status }: FloodWindow): boolean {
  return status === "held";
}

/** Whether ratings there count: in a window that does, or in none. */
function isCounted(window: FloodWindow | undefined): boolean {
  return window === undefined || window.status === "counted";
}

function dueOf(window: FloodWindow, { holdMs }: TallySettings): number | null {
  const deadline = isHeld(window) ? deadlineOf(window, holdMs) : null;
  if (window.closedAt !== null) return deadline;
  return Math.min(endOf(window), deadline ?? Number.POSITIVE_INFINITY);
}

function openWindowOf({ windows }: Tally): FloodWindow | undefined {
  return windows.find(({ closedAt }) => closedAt === null);
}

function windowOf({ windows }: Tally, number: number | null): FloodWindow | undefined {
  return windows.find((window) => window.number === number);
}

/** With this window instead of the one of its number, or besides the others. */
function withWindow(tally: Tally, window: FloodWindow): Tally {
  return {
    ...tally,
    windows: [...tally.windows.filter(({ number }) => number !== window.number), window],
  };
}
