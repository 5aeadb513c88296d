/**
 * A post's tally: everything that its public score depends on.
 *
 * The six counters hold the ratings outside windows and those in counted windows; each window has counters of its
 * own. So counting or excluding a window is one step, however many ratings it has. `tally-ratings.ts` changes ratings,
 * `tally-windows.ts` changes windows; both are pure functions from tally to tally. Times are milliseconds.
 */
import type { NewWindowDecision } from "../../../db/index.ts";
import { dayMs } from "../../time/units.ts";
import type { DetectorState } from "../floods/flood-detector.ts";
import type { FloodWindow } from "../floods/flood-window.ts";
import { emptyReplay, type ReplayedRating, withReplayed } from "../score/replay.ts";
import type { Score } from "../score/score.ts";
import { type Counts, withCounts, withRating } from "../score/score.ts";
import {
  type SettledState,
  type SettlingSettings,
  settledAt,
  settlingDefaults,
  unrated,
} from "../score/settled-score.ts";

export interface Tally {
  counts: Counts;
  settled: SettledState;
  /** How many windows the post has had. */
  windowCount: number;
  /** Null before the first rating that the flood detector has seen. */
  detector: DetectorState | null;
  /** The last window, all open or held ones, and those of the ratings being changed. */
  windows: readonly FloodWindow[];
  /** Decisions made since the tally was loaded, in order. */
  decided: readonly TallyDecision[];
}

type TallyDecision = Pick<NewWindowDecision, "window" | "at" | "status" | "decidedBy">;

export interface TallySettings {
  settling: SettlingSettings;
  /** After this time a held window is counted. */
  holdMs: number;
  /** Whether the flood detector holds a flood's excess. */
  detectsFloods: boolean;
}

export const scoringDefaults: TallySettings = {
  settling: settlingDefaults,
  holdMs: 14 * dayMs,
  detectsFloods: true,
};

/** A rating's score and the number of its window. */
export interface PlacedRating {
  score: Score;
  window: number | null;
}

/** The tally of a post without ratings. */
export const emptyTally: Tally = {
  counts: [0, 0, 0, 0, 0, 0],
  settled: unrated,
  windowCount: 0,
  detector: null,
  windows: [],
  decided: [],
};

/** Adds or removes a rating in its window's counters, and the post's if it counts. */
export function withPlaced(tally: Tally, { score, window: number }: PlacedRating, change: 1 | -1): Tally {
  const window = windowOf(tally, number);
  const counts = isCounted(window) ? withRating(tally.counts, score, change) : tally.counts;
  if (!window) return { ...tally, counts };
  return { ...withWindow(tally, { ...window, counts: withRating(window.counts, score, change) }), counts };
}

/**
 * The tally with the settled score of a replay.
 * The replay takes the counted ratings in `replayOrder`.
 */
export function withReplay(
  tally: Tally,
  now: number,
  counted: readonly ReplayedRating[],
  { settling }: TallySettings,
): Tally {
  return withSettled(tally, withReplayed(emptyReplay, counted, settling).settled, now, settling);
}

/** The tally with this state of the settled score, read at `now`. */
export function withSettled(
  tally: Tally,
  settled: SettledState,
  now: number,
  settling: SettlingSettings,
): Tally {
  return { ...tally, settled: settledAt(settled, now, tally.counts, settling) };
}

/** Replaces the window of the same number, or adds it. */
export function withWindow(tally: Tally, window: FloodWindow): Tally {
  return {
    ...tally,
    windows: [...tally.windows.filter(({ number }) => number !== window.number), window],
  };
}

/** The counters as if held and excluded windows were counted too. */
export function withEverythingCounted(counts: Counts, windows: readonly FloodWindow[]): Counts {
  return windows
    .filter((window) => !isCounted(window))
    .reduce((sum, window) => withCounts(sum, window.counts, 1), counts);
}

export function openWindowOf({ windows }: Tally): FloodWindow | undefined {
  return windows.find(({ closedAt }) => closedAt === null);
}

export function windowOf({ windows }: Tally, number: number | null): FloodWindow | undefined {
  return windows.find((window) => window.number === number);
}

/** Whether ratings in this window, or in none, count. */
export function isCounted(window: FloodWindow | undefined): boolean {
  return window === undefined || window.status === "counted";
}
