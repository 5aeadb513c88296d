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
  /** How many fewer (or, below 0, more) there are each second until none are, or all; undefined where nothing drains. */
  drainPerSecond?: number;
  rest?: number;
}

/** What was measured before a request, and what it made of that; null when it could never fit. */
export function measureOf(reason: Reason, allowed: boolean): Measure | null {
  if (reason.neverFits) return null;
  const one = allowed ? 1 : 0;
  switch (reason.algorithm) {
    case "leaky-bucket":
      return {
        before: reason.level,
        after: reason.level + one,
        drainPerSecond: reason.leakPerSecond,
        rest: 0,
      };
    case "token-bucket":
      return {
        before: reason.tokens,
        after: reason.tokens - one,
        drainPerSecond: -reason.refillPerSecond,
        rest: reason.capacity,
      };
    case "fixed-window":
    case "sliding-log":
      return { before: reason.used, after: reason.used + one };
    case "tiered":
      return { before: reason.usedToday, after: reason.usedToday + one };
    case "ema":
      return { before: reason.z, after: reason.z };
  }
}

/**
 * The line through all that was measured: a bucket's drains between requests until it rests; what is counted stays until
 * the next request finds it gone; a Z goes straight from one to the next.
 */
export function levelLine(decided: readonly DecidedRequest[]): LevelPoint[] {
  const points: LevelPoint[] = [];
  let last: (Measure & { at: number }) | undefined;
  for (const { at, decision } of decided) {
    const measure = measureOf(decision.reason, decision.allowed);
    if (!measure) continue;
    const between = last && turningPoint(last, at, decision.reason.algorithm === "ema");
    if (between) points.push(between);
    points.push({ at, value: measure.before });
    if (measure.after !== measure.before) points.push({ at, value: measure.after });
    last = { ...measure, at };
  }
  return points.filter(({ value }) => Number.isFinite(value));
}

function turningPoint(
  { at: lastAt, after, drainPerSecond, rest }: Measure & { at: number },
  at: number,
  isStraight: boolean,
): LevelPoint | undefined {
  if (isStraight) return undefined;
  if (drainPerSecond === undefined || rest === undefined) return { at, value: after };
  const restsAt = lastAt + ((after - rest) / drainPerSecond) * 1_000;
  return restsAt < at ? { at: restsAt, value: rest } : undefined;
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
