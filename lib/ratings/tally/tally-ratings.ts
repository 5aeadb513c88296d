/**
 * Gives, changes and withdraws the ratings of a tally. Pure.
 *
 * A rating that is over a limit, or a flood's excess, falls in a window and stays in it, also when it is changed, or
 * withdrawn and given again: otherwise rating anew would escape an exclusion. Once an excluded window is closed, its
 * raters may rate again outside it.
 */
import { boundOf, type Reason } from "../../limiter/index.ts";
import { type FloodWindow, mayReopen, openWindow, withArrival } from "../floods/flood-window.ts";
import { replayMaximum } from "../score/replay.ts";
import type { Score } from "../score/score.ts";
import { type Counts, sumOf, withRating } from "../score/score.ts";
import { type SettledState, settledAt, settledByChange, settledByNewRating } from "../score/settled-score.ts";
import {
  isCounted,
  openWindowOf,
  type PlacedRating,
  type Tally,
  type TallySettings,
  windowOf,
  withPlaced,
  withWindow,
} from "./tally.ts";
import { advanceTo, withWindowJudged } from "./tally-windows.ts";

/** The reason to put a rating, and those before it, into a window. */
export interface Flood<Recent extends RecentRating = RecentRating> {
  usualGapMs: number;
  /** False when only the run-up falls in the window. */
  holds: boolean;
  /** Newest first. */
  runUp: readonly Recent[];
}

export interface RecentRating {
  /** When the rating was given or changed. */
  at: number;
  score: Score;
}

interface Placed {
  tally: Tally;
  /** The rating's window. */
  window: number | null;
}

/**
 * Saves a rating in the tally at `now`, replacing `before`.
 * `before` is undefined for a first rating; a withdrawn one has no score, but may have a window to return to. `flood`
 * is undefined when the rating was within the limits.
 */
export function withRatingGiven<Recent extends RecentRating>(
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
    flood: Flood<Recent> | undefined;
  },
  settings: TallySettings,
): Placed {
  const advanced = advanceTo(tally, now, settings);
  const home = homeOf(advanced, before);
  const holds = flood?.holds && !home;
  const ready =
    flood && (flood.runUp.length > 0 || (holds && !openWindowOf(advanced)))
      ? withFlood(advanced, now, flood)
      : advanced;
  const target = home ?? (holds ? openWindowOf(ready) : undefined);
  const window = target?.number ?? null;
  const isBack = before?.window !== undefined && before.window !== null && !home;

  const without =
    before && before.score !== null ? withPlaced(ready, { ...before, score: before.score }, -1) : ready;
  const placed = withPlaced(without, { score, window }, 1);
  // Changing a rating that is in the window already does not prolong the flood.
  const arrived = home || window === null ? placed : withArrivalIn(placed, window, now);
  const judged = window === null ? arrived : withWindowJudged(arrived, window, now);
  const acts = (before === undefined || isBack) && isCounted(windowOf(judged, window));
  const settled = settledByAll(advanced, now, judged.counts, acts ? score : undefined, settings);
  return { tally: { ...judged, settled }, window };
}

/** The window that a rater's rating stays in. */
function homeOf(tally: Tally, before: { window: number | null } | undefined): FloodWindow | undefined {
  const window = windowOf(tally, before?.window ?? null);
  return window?.status === "excluded" && window.closedAt !== null ? undefined : window;
}

/**
 * All changes of a rating are one for the settled score.
 * It never sees the counters between them.
 */
function settledByAll(
  { settled, counts: before }: Tally,
  now: number,
  after: Counts,
  given: Score | undefined,
  { settling }: TallySettings,
): SettledState {
  if (given === undefined) return settledByChange(settled, now, before, after, settling);
  return settledByNewRating(
    settledAt(settled, now, before, settling),
    now,
    withRating(after, given, -1),
    given,
    settling,
  );
}

/**
 * Whether a rating over the limits at `now` begins a flood.
 * Then the ratings before it are needed.
 */
export function beginsFlood(
  tally: Tally,
  now: number,
  before: { window: number | null } | undefined,
  settings: TallySettings,
): boolean {
  const advanced = advanceTo(tally, now, settings);
  return !homeOf(advanced, before) && !openWindowOf(advanced);
}

interface Withdrawn {
  tally: Tally;
  /** Whether `withReplay` must follow: the rating counted, and few enough remain. */
  replays: boolean;
}

export function withRatingWithdrawn(
  tally: Tally,
  now: number,
  rating: PlacedRating,
  settings: TallySettings,
): Withdrawn {
  const advanced = advanceTo(tally, now, settings);
  const without = withPlaced(advanced, rating, -1);
  const settled = settledByChange(advanced.settled, now, advanced.counts, without.counts, settings.settling);
  const didCount = isCounted(windowOf(advanced, rating.window));
  return {
    tally: { ...without, settled },
    replays: didCount && sumOf(without.counts).count <= replayMaximum,
  };
}

/**
 * The usual gap between a post's ratings.
 * The limiter's estimate, or else the mean since the first.
 */
export function usualGapMs(reason: Reason, { firstAt, raters }: SettledState, now: number): number {
  const bound = boundOf(reason);
  return bound?.kind === "usual" ? bound.gapMs : (now - firstAt) / Math.max(1, raters);
}

/** Opens a window or reopens the last one, and moves the run-up into it. */
function withFlood<Recent extends RecentRating>(
  tally: Tally,
  now: number,
  { usualGapMs, runUp }: Flood<Recent>,
) {
  const times = runUp.map(({ at }) => at);
  const fresh = openWindow(tally.windowCount + 1, now, usualGapMs, times);
  const last = windowOf(tally, tally.windowCount);
  const window =
    openWindowOf(tally) ??
    (last && mayReopen(last, now)
      ? { ...last, closedAt: null, lastAt: fresh.lastAt, recentGapMs: fresh.recentGapMs }
      : fresh);
  const windowCount = Math.max(tally.windowCount, window.number);
  const opened = withWindow({ ...tally, windowCount }, window);
  return runUp.reduce(
    (sum, { score }) =>
      withPlaced(withPlaced(sum, { score, window: null }, -1), { score, window: window.number }, 1),
    opened,
  );
}

function withArrivalIn(tally: Tally, number: number, now: number): Tally {
  const window = windowOf(tally, number);
  return window ? withWindow(tally, withArrival(window, now)) : tally;
}
