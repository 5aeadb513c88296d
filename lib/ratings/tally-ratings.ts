/**
 * What becomes of the ratings of a tally: they are given, changed, withdrawn and given again. Pure.
 *
 * A rating falls in the window that is open when it is given or changed, if one is, and in that window it stays, whatever
 * becomes of either; also when it is withdrawn and given again. Otherwise that would be the way out of an exclusion.
 */
import { boundOf, type Reason } from "../limiter/index.ts";
import { mayReopen, openWindow, runUpLength, withArrival } from "./flood-window.ts";
import type { Score } from "./scores.ts";
import { type SettledState, settledByChange, settledByNewRating } from "./settled-score.ts";
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
import { advanceTo, judged } from "./tally-windows.ts";

/** What a limiter that was exceeded says, and what came before. */
export interface Flood<Recent extends RecentRating = RecentRating> {
  usualGapMs: number;
  /** The post's newest ratings that are in no window, newest first, without the one that is given now. */
  recent: () => readonly Recent[];
}

export interface RecentRating {
  /** When it was given or changed. */
  at: number;
  score: Score;
}

export interface Placed<Recent> {
  tally: Tally;
  /** The window that the rating is in now. */
  window: number | null;
  /** Those of the recent ratings that are in that window now, as the flood's run-up. */
  runUp: readonly Recent[];
}

/**
 * A rating is given at `now`: for the first time (`before` is undefined), or instead of one. One that was withdrawn before
 * has no score, but may have a window to return to. `flood` is undefined when it was within the limits.
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
): Placed<Recent> {
  const brought = advanceTo(tally, now, settings);
  const home = windowOf(brought, before?.window ?? null);
  const { tally: ready, runUp } =
    flood && !home && !openWindowOf(brought)
      ? withFlood(brought, now, flood, settings)
      : { tally: brought, runUp: [] };
  const target = home ?? openWindowOf(ready);
  const window = target?.number ?? null;

  const without =
    before && before.score !== null ? withPlaced(ready, { ...before, score: before.score }, -1) : ready;
  const placed = withPlaced(without, { score, window }, 1);
  const settled =
    before === undefined && isCounted(target)
      ? settledByNewRating(ready.settled, now, without.counts, score, settings.settling)
      : settledByChange(ready.settled, now, ready.counts, placed.counts, settings.settling);
  const saved = { ...placed, settled };
  if (window === null) return { tally: saved, window, runUp };
  // Who changes a rating that is in the window already does not keep the flood going.
  const arrived = home ? saved : withArrivalIn(saved, window, now);
  return { tally: judged(arrived, window, now, settings), window, runUp };
}

/** Whether a rating over the limits, given at `now`, begins a flood: then the ratings before it are needed. */
export function beginsFlood(
  tally: Tally,
  now: number,
  before: { window: number | null } | undefined,
  settings: TallySettings,
): boolean {
  const brought = advanceTo(tally, now, settings);
  return !windowOf(brought, before?.window ?? null) && !openWindowOf(brought);
}

/** A rating is withdrawn at `now`. */
export function withRatingWithdrawn(
  tally: Tally,
  now: number,
  rating: PlacedRating,
  settings: TallySettings,
): Tally {
  const brought = advanceTo(tally, now, settings);
  const without = withPlaced(brought, rating, -1);
  const settled = settledByChange(brought.settled, now, brought.counts, without.counts, settings.settling);
  return { ...without, settled };
}

/** The gap that is usual between a post's ratings: as the limiter has learnt it, or else the mean of its whole life. */
export function usualGapMs(reason: Reason, { firstAt, raters }: SettledState, now: number): number {
  const bound = boundOf(reason);
  return bound?.kind === "usual" ? bound.gapMs : (now - firstAt) / Math.max(1, raters);
}

/** Opens a window, or the last one again, and takes the run-up out of the counters and into it. */
function withFlood<Recent extends RecentRating>(
  tally: Tally,
  now: number,
  { usualGapMs, recent }: Flood<Recent>,
  settings: TallySettings,
) {
  const ratings = recent();
  const times = ratings.map(({ at }) => at);
  const runUp = ratings.slice(0, runUpLength(now, times, usualGapMs));
  const fresh = openWindow(tally.windowCount + 1, now, usualGapMs, times.slice(0, runUp.length));
  const last = windowOf(tally, tally.windowCount);
  const window =
    last && mayReopen(last, now)
      ? { ...last, closedAt: null, lastAt: fresh.lastAt, recentGapMs: fresh.recentGapMs }
      : fresh;
  const windowCount = Math.max(tally.windowCount, window.number);
  const opened = withWindow({ ...tally, windowCount }, window);
  const taken = runUp.reduce(
    (sum, { score }) =>
      withPlaced(withPlaced(sum, { score, window: null }, -1), { score, window: window.number }, 1),
    opened,
  );
  const settled = settledByChange(tally.settled, now, tally.counts, taken.counts, settings.settling);
  return { tally: { ...taken, settled }, runUp };
}

function withArrivalIn(tally: Tally, number: number, now: number): Tally {
  const window = windowOf(tally, number);
  return window ? withWindow(tally, withArrival(window, now)) : tally;
}
