/** Ends, judges and decides the flood windows of a tally. Pure. */
import {
  type DecidedStatus,
  deadlineOf,
  endOf,
  type FloodWindow,
  isUndecided,
  looksLikePast,
  pastOf,
  type WindowDecider,
  type WindowStatus,
} from "../floods/flood-window.ts";
import { withCounts } from "../score/score.ts";
import { settledByChange, settledMovesAt } from "../score/settled-score.ts";
import { type Tally, type TallySettings, windowOf, withWindow } from "./tally.ts";

/** How far the settled score may move before the saved one is stale. */
const staleStars = 0.005;

/** Closes the floods and counts the held windows that are due by `now`, in order. */
export function advanceTo(tally: Tally, now: number, settings: TallySettings): Tally {
  for (let advanced = tally; ; ) {
    const [next] = advanced.windows
      .map((window) => ({ window, due: dueOf(window, settings) ?? Number.POSITIVE_INFINITY }))
      .toSorted((a, b) => a.due - b.due);
    if (!next || next.due > now) return advanced;
    const { window } = next;
    // A changed setting may have made it due before its last rating.
    const at = Math.max(next.due, window.lastAt);
    const closed = window.closedAt === null ? { ...window, closedAt: at } : window;
    const isOver = window.status === "held" && deadlineOf(window, settings.holdMs) <= at;
    advanced = withWindow(advanced, closed);
    if (isOver) advanced = withStatusSettled(advanced, closed, "counted", "time", at, settings);
  }
}

/** When the tally next changes without a rating; null for never. */
export function dueAt({ settled, counts, windows }: Tally, settings: TallySettings): number | null {
  const dues = windows.map((window) => dueOf(window, settings));
  const all = [...dues, settledMovesAt(settled, counts, staleStars, settings.settling)];
  const earliest = Math.min(...all.map((due) => due ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(earliest) ? earliest : null;
}

/**
 * Applies a person's decision on one of the tally's windows.
 * It closes an open window, so that later ratings, which the person has not seen, fall in another one. Where
 * `decisionReplays`, `withReplay` must follow.
 */
export function withWindowDecided(
  tally: Tally,
  now: number,
  number: number,
  status: DecidedStatus,
  settings: TallySettings,
): Tally {
  const window = windowOf(tally, number);
  if (!window) return tally;
  const closed = { ...window, closedAt: window.closedAt ?? Math.max(now, window.lastAt) };
  return withStatusSettled(tally, closed, status, "person", now, settings);
}

/**
 * Whether a person's decision excludes a window, or ends its exclusion.
 * Then the counted ratings are replayed.
 */
export function decisionReplays(window: FloodWindow, status: DecidedStatus): boolean {
  return window.status !== status && (status === "excluded" || window.status === "excluded");
}

/**
 * Counts an open window while it looks like the post's past.
 * Holds it otherwise. The caller settles the score by the new counters.
 */
export function withWindowJudged(tally: Tally, number: number, now: number): Tally {
  const window = windowOf(tally, number);
  if (!window || window.closedAt !== null || !isUndecided(window)) return tally;
  const wasAlike = window.status === "counted";
  const isAlike = looksLikePast(window.counts, pastOf(tally.counts, window), { wasAlike });
  if (isAlike === wasAlike) return tally;
  return withStatus(tally, window, isAlike ? "counted" : "held", "shape", now);
}

function withStatusSettled(
  tally: Tally,
  window: FloodWindow,
  status: WindowStatus,
  decidedBy: WindowDecider,
  now: number,
  { settling }: TallySettings,
): Tally {
  const decided = withStatus(tally, window, status, decidedBy, now);
  const settled = settledByChange(tally.settled, now, tally.counts, decided.counts, settling);
  return { ...decided, settled };
}

function withStatus(
  tally: Tally,
  window: FloodWindow,
  status: WindowStatus,
  decidedBy: WindowDecider,
  now: number,
): Tally {
  const { counts } = tally;
  const [was, is] = [window.status === "counted", status === "counted"];
  const after = is === was ? counts : withCounts(counts, window.counts, is ? 1 : -1);
  const decided = { ...window, status, decidedBy, decisions: window.decisions + 1 };
  return {
    ...withWindow(tally, decided),
    counts: after,
    decided: [...tally.decided, { window: window.number, at: now, status, decidedBy }],
  };
}

/** When a window closes or is counted because its time has passed; null for never. */
function dueOf(window: FloodWindow, { holdMs }: TallySettings): number | null {
  const deadline = window.status === "held" ? deadlineOf(window, holdMs) : null;
  if (window.closedAt !== null) return deadline;
  return Math.min(endOf(window), deadline ?? Number.POSITIVE_INFINITY);
}
