/**
 * The part of a trace that is shown, and its form.
 * It has a mark for each request where they lie apart, or else bars of counts.
 */

import { dayMs, hourMs, minuteMs, secondMs } from "../time/units.ts";
import type { DecidedRequest, TraceRequest } from "./simulate.ts";

/** Consecutive intervals: `count` of them, each of `lengthMs`. */
interface Intervals {
  begin: number;
  lengthMs: number;
  count: number;
}

export interface View extends Intervals {
  /** Whether each request has a mark of its own. */
  hasSingles: boolean;
}

interface IntervalCounts {
  from: number;
  accepted: number;
  refused: number;
}

const intervalsMaximum = 100;
const singlesMaximum = 200;
/** The least visible distance between requests, as a part of the chart's width. */
const apart = 1 / 220;

const scale = (unitMs: number, ...many: number[]) => many.map((each) => each * unitMs);
const lengthsMs = [
  ...scale(1, 1, 2, 5, 10, 20, 50, 100, 200, 500),
  ...scale(secondMs, 1, 2, 5, 10, 15, 30),
  ...scale(minuteMs, 1, 2, 5, 10, 15, 30),
  ...scale(hourMs, 1, 2, 3, 6, 12),
];

/**
 * The requests to show, in order of time, from `from` until before `to`.
 */
export function viewOf(requests: readonly TraceRequest[], from: number, to: number): View {
  const lengthMs = lengthsMs.find((each) => (to - from) / each <= intervalsMaximum) ?? dayMs;
  const begin = Math.floor(from / lengthMs) * lengthMs;
  const count = Math.max(1, Math.ceil((to - begin) / lengthMs));
  const intervals = { begin, lengthMs, count };
  const shown = shownOf(requests, intervals);
  const nearest = shown.reduce(
    (least, { at }, index) => Math.min(least, at - (shown[index - 1]?.at ?? Number.NEGATIVE_INFINITY)),
    Number.POSITIVE_INFINITY,
  );
  return {
    ...intervals,
    hasSingles: shown.length <= singlesMaximum && nearest >= count * lengthMs * apart,
  };
}

/** Those requests that lie in the intervals. */
export function shownOf<R extends TraceRequest>(
  requests: readonly R[],
  { begin, lengthMs, count }: Intervals,
): R[] {
  return requests.filter(({ at }) => at >= begin && at < begin + count * lengthMs);
}

/** How many were accepted and refused in each interval that had any. */
export function countsOf(decided: readonly DecidedRequest[], intervals: Intervals): IntervalCounts[] {
  const counts = new Map<number, IntervalCounts>();
  for (const { at, decision } of shownOf(decided, intervals)) {
    const from = at - ((at - intervals.begin) % intervals.lengthMs);
    const here = counts.get(from) ?? { from, accepted: 0, refused: 0 };
    here[decision.allowed ? "accepted" : "refused"] += 1;
    counts.set(from, here);
  }
  return [...counts.values()];
}

/**
 * The busiest fiftieth of the trace, with as much again around it.
 * Null without one.
 */
export function busiestPart(requests: readonly TraceRequest[]): { from: number; to: number } | null {
  const [first, last] = [requests[0]?.at ?? 0, requests.at(-1)?.at ?? 0];
  const partMs = lengthsMs.find((each) => (last - first) / each <= intervalsMaximum / 2) ?? dayMs;
  const counts = new Map<number, number>();
  for (const { at } of requests) {
    const part = Math.floor(at / partMs);
    counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  const [busiest] = [...counts].reduce((most, each) => (each[1] > most[1] ? each : most), [0, 0]);
  const from = Math.max(first, (busiest - 1) * partMs);
  const to = (busiest + 2) * partMs;
  return (to - from) * 3 < last - first ? { from, to } : null;
}
