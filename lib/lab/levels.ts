/** An algorithm's level over time, as a line. */
import { type Decision, type Level, levelOf } from "../limiter/index.ts";
import type { DecidedRequest } from "./simulate.ts";

export interface LevelPoint {
  at: number;
  value: number;
}

/**
 * The line through all that was measured: a bucket's drains until it rests.
 * A count stays until the next request finds it gone, or nothing is left of it; a Z goes straight from one to
 * the next.
 */
export function levelLine(decided: readonly DecidedRequest[]): LevelPoint[] {
  const points: LevelPoint[] = [];
  let last: Turn | undefined;
  for (const { at, decision } of decided) {
    const level = levelOf(decision.reason);
    if (!level) continue;
    if (last) points.push(...between(last, at));
    const after = levelAfter(level, decision);
    points.push({ at, value: level.value });
    if (after !== level.value) points.push({ at, value: after });
    last = { level, after, restsAt: at + decision.resetAfterMs };
  }
  return points.filter(({ value }) => Number.isFinite(value));
}

type Turn = { level: Level; after: number; restsAt: number };

/** The level that a request of cost 1 leaves. */
export function levelAfter(level: Level, { allowed }: Pick<Decision, "allowed">): number {
  return allowed ? level.value + level.perRequest : level.value;
}

/** The points at which the line turns before the next request. */
function between({ level: { rest, isSteady }, after, restsAt }: Turn, nextAt: number) {
  if (rest === null) return [];
  const rested = restsAt < nextAt ? [{ at: restsAt, value: rest }] : [];
  return isSteady ? rested : [{ at: Math.min(restsAt, nextAt), value: after }, ...rested];
}

/** Thins points to each column's first, lowest, highest and last one. */
export function thinned(points: readonly LevelPoint[], begin: number, columnMs: number): LevelPoint[] {
  const kept: LevelPoint[] = [];
  for (let start = 0; start < points.length; ) {
    const column = Math.floor(((points[start]?.at ?? 0) - begin) / columnMs);
    let end = start;
    while (end < points.length && Math.floor(((points[end]?.at ?? 0) - begin) / columnMs) === column)
      end += 1;
    kept.push(...extremes(points.slice(start, end)));
    start = end;
  }
  return kept;
}

function extremes(points: readonly LevelPoint[]): LevelPoint[] {
  if (points.length <= 4) return [...points];
  const lowest = points.reduce((least, point) => (point.value < least.value ? point : least));
  const highest = points.reduce((most, point) => (point.value > most.value ? point : most));
  return points.filter(
    (point, index) => index === 0 || index === points.length - 1 || point === lowest || point === highest,
  );
}
