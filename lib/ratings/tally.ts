/**
 * The tally of a post: all that its public score hangs on. It is the six counters of what counts, the settled score's
 * state, and the flood windows, which have counters of their own.
 *
 * The counters hold the ratings of no window and those of windows that are counted. So counting a window or not is one
 * step, however many ratings it has. What becomes of ratings is in `tally-ratings.ts`, what becomes of windows in
 * `tally-windows.ts`: a tally goes in, a tally comes out.
 *
 * Pure. Times are milliseconds.
 */
import type { FloodWindow, WindowStatus } from "./flood-window.ts";
import { type Counts, withCounts, withRating } from "./score.ts";
import type { Score } from "./scores.ts";
import { type SettledState, type SettlingSettings, settlingDefaults, unrated } from "./settled-score.ts";

export interface Tally {
  counts: Counts;
  settled: SettledState;
  /** How many windows the post has had. */
  windowCount: number;
  /** The last one, those that are open or held, and those of the ratings that are touched. */
  windows: readonly FloodWindow[];
  /** What has been decided since the tally was loaded, in order. */
  decided: readonly WindowDecision[];
}

/** A decision on a window. */
export interface WindowDecision {
  window: number;
  at: number;
  status: WindowStatus;
  by: "shape" | "time" | "person";
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

/** The tally of a post that nobody has rated. */
export const emptyTally: Tally = {
  counts: [0, 0, 0, 0, 0, 0],
  settled: unrated,
  windowCount: 0,
  windows: [],
  decided: [],
};

/** Puts a rating where it belongs, or takes it out of there: into its window's counters, and into the post's if it counts. */
export function withPlaced(tally: Tally, { score, window: number }: PlacedRating, change: 1 | -1): Tally {
  const window = windowOf(tally, number);
  const counts = isCounted(window) ? withRating(tally.counts, score, change) : tally.counts;
  if (!window) return { ...tally, counts };
  return { ...withWindow(tally, { ...window, counts: withRating(window.counts, score, change) }), counts };
}

/** With this window instead of the one of its number, or besides the others. */
export function withWindow(tally: Tally, window: FloodWindow): Tally {
  return {
    ...tally,
    windows: [...tally.windows.filter(({ number }) => number !== window.number), window],
  };
}

/** The counters if everything there is counted, held and excluded windows too; for those who want to see it. */
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

/** Whether ratings there count: in a window that does, or in none. */
export function isCounted(window: FloodWindow | undefined): boolean {
  return window === undefined || window.status === "counted";
}
