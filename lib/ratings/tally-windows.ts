/** What becomes of the flood windows of a tally: they end, look like the past or not, and are decided. Pure. */
import {
  deadlineOf,
  endOf,
  type FloodWindow,
  isUndecided,
  looksLikePast,
  pastOf,
  type WindowStatus,
} from "./flood-window.ts";
import { withCounts } from "./score.ts";
import { settledByChange, settledByTakingBack, settledMovesAt, settledScoreAt } from "./settled-score.ts";
import { type Tally, type TallySettings, windowOf, withWindow } from "./tally.ts";

/** How far the settled score may have moved by itself before the saved one is behind. */
const staleStars = 0.005;

/** The tally with all done that was due until `now`, in order: floods that ended, windows whose time has passed. */
export function advanceTo(tally: Tally, now: number, settings: TallySettings): Tally {
  for (let brought = tally; ; ) {
    const [next] = brought.windows
      .map((window) => ({ window, due: dueOf(window, settings) ?? Number.POSITIVE_INFINITY }))
      .toSorted((a, b) => a.due - b.due);
    if (!next || next.due > now) return brought;
    const { window } = next;
    // Not before what has happened already: settings may have changed.
    const at = Math.max(next.due, window.lastAt);
    const closed = window.closedAt === null ? { ...window, closedAt: at } : window;
    const isOver = window.status === "held" && deadlineOf(window, settings.holdMs) <= at;
    brought = withWindow(brought, closed);
    if (isOver) brought = withStatus(brought, closed, "counted", "time", at, settings);
  }
}

/** When something has to be done about a post though nobody rates it; null for never. */
export function dueAt({ settled, counts, windows }: Tally, settings: TallySettings): number | null {
  const dues = windows.map((window) => dueOf(window, settings));
  const all = [...dues, settledMovesAt(settled, counts, staleStars, settings.settling)];
  const earliest = Math.min(...all.map((due) => due ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(earliest) ? earliest : null;
}

/**
 * A person decides at `now` that a window counts, or that it does not; it must be among the tally's. What they have not
 * seen is not decided: an open window ends there, and what comes next is another one.
 */
export function withWindowDecided(
  tally: Tally,
  now: number,
  number: number,
  status: "counted" | "excluded",
  settings: TallySettings,
): Tally {
  const window = windowOf(tally, number);
  if (!window) return tally;
  const closed = { ...window, closedAt: window.closedAt ?? Math.max(now, window.lastAt) };
  return withStatus(tally, closed, status, "person", now, settings);
}

/** Counts an open window when it looks like the post's past, and no longer when it does not. */
export function judged(tally: Tally, number: number, now: number, settings: TallySettings): Tally {
  const window = windowOf(tally, number);
  if (!window || window.closedAt !== null || !isUndecided(window)) return tally;
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
  const decided = {
    ...window,
    status,
    decidedBy: by,
    decisions: window.decisions + 1,
    settledBefore: is && !was ? settledScoreAt(settled, now, counts, settling) : since,
  };
  return {
    ...withWindow(tally, decided),
    counts: after,
    settled: takesBack
      ? settledByTakingBack(settled, now, counts, after, since, settling)
      : settledByChange(settled, now, counts, after, settling),
    decided: [...tally.decided, { window: window.number, at: now, status, by }],
  };
}

/** When a window ends, or is counted because its time has passed; null when it is done with. */
function dueOf(window: FloodWindow, { holdMs }: TallySettings): number | null {
  const deadline = window.status === "held" ? deadlineOf(window, holdMs) : null;
  if (window.closedAt !== null) return deadline;
  return Math.min(endOf(window), deadline ?? Number.POSITIVE_INFINITY);
}
