/** What an algorithm measured over time, as a line: a bucket's level or tokens, what a window has counted, an EMA's Z. */
import type { Reason } from "../limiter/index.ts";
import type { DecidedRequest } from "./simulate.ts";

export interface LevelPoint {
  at: number;
  value: number;
}

interface Measure {
  before: number;
  after: number;
  /** What it is when nothing has happened for long; null where nothing comes to rest. */
  rest: number | null;
  /** Whether it gets there steadily, or at one instant. */
  isSteady: boolean;
}

/** What was measured before a request, and what it made of that; null when it could never fit. */
export function measureOf(reason: Reason, allowed: boolean): Measure | null {
  if (reason.neverFits) return null;
  const one = allowed ? 1 : 0;
  const counted = (before: number) => ({ before, after: before + one, rest: 0, isSteady: false });
  switch (reason.algorithm) {
    case "leaky-bucket":
      return { ...counted(reason.level), isSteady: true };
    case "token-bucket":
      return { before: reason.tokens, after: reason.tokens - one, rest: reason.capacity, isSteady: true };
    case "fixed-window":
    case "sliding-log":
      return counted(reason.used);
    case "tiered":
      return counted(reason.usedToday);
    case "ema":
      return { before: reason.z, after: reason.z, rest: null, isSteady: true };
  }
}

/**
 * The line through all that was measured: a bucket's drains until it rests; what is counted stays until the next request
 * finds it gone, or nothing is left of it; a Z goes straight from one to the next.
 */
export function levelLine(decided: readonly DecidedRequest[]): LevelPoint[] {
  const points: LevelPoint[] = [];
  let last: (Measure & { restsAt: number }) | undefined;
  for (const { at, decision } of decided) {
    const measure = measureOf(decision.reason, decision.allowed);
    if (!measure) continue;
    if (last) points.push(...between(last, at));
    points.push({ at, value: measure.before });
    if (measure.after !== measure.before) points.push({ at, value: measure.after });
    last = { ...measure, restsAt: at + decision.resetAfterMs };
  }
  return points.filter(({ value }) => Number.isFinite(value));
}

/** The points at which the line turns before the next request. */
function between({ after, rest, isSteady, restsAt }: Measure & { restsAt: number }, nextAt: number) {
  if (rest === null) return [];
  const rested = restsAt < nextAt ? [{ at: restsAt, value: rest }] : [];
  return isSteady ? rested : [{ at: Math.min(restsAt, nextAt), value: after }, ...rested];
}

/** As few of the points as draw the same line over so many columns from `begin` on: first, lowest, highest and last of each. */
export function thinned(points: readonly LevelPoint[], begin: number, columnMs: number): LevelPoint[] {
  const kept: LevelPoint[] = [];
  for (let start = 0; start < points.length; ) {
    const column = Math.floor(((points[start]?.at ?? 0) - begin) / columnMs);
    let end = start;
    while (end < points.length && Math.floor(((points[end]?.at ?? 0) - begin) / columnMs) === column)
      end += 1;
    kept.push(...telling(points.slice(start, end)));
    start = end;
  }
  return kept;
}

function telling(points: readonly LevelPoint[]): LevelPoint[] {
  if (points.length <= 4) return [...points];
  const lowest = points.reduce((least, point) => (point.value < least.value ? point : least));
  const highest = points.reduce((most, point) => (point.value > most.value ? point : most));
  return points.filter(
    (point, index) => index === 0 || index === points.length - 1 || point === lowest || point === highest,
  );
}
