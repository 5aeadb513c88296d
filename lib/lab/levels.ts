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

/** Thins points to the ends of all, and each column's lowest and highest one. */
export function thinned(points: readonly LevelPoint[], begin: number, columnMs: number): LevelPoint[] {
  const extremes = new Map<number, { lowest: LevelPoint; highest: LevelPoint }>();
  for (const point of points) {
    const column = Math.floor((point.at - begin) / columnMs);
    const { lowest, highest } = extremes.get(column) ?? { lowest: point, highest: point };
    extremes.set(column, {
      lowest: point.value < lowest.value ? point : lowest,
      highest: point.value > highest.value ? point : highest,
    });
  }
  const kept = new Set([...extremes.values()].flatMap(({ lowest, highest }) => [lowest, highest]));
  return points.filter((point, index) => kept.has(point) || index === 0 || index === points.length - 1);
}
