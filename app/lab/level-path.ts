/** Measured values as the path of a chart. */
import { linePath } from "@/app/_components/chart-path";
import { levelScale, type PlottedLevel } from "@/app/_components/level-plot";
import type { View } from "@/lib/lab/intervals";
import { type LevelPoint, levelLine, thinned } from "@/lib/lab/levels";
import type { DecidedRequest } from "@/lib/lab/simulate";
import { type Level, levelOf, type Reason } from "@/lib/limiter/index";
import type { Scale } from "./mark-paths";

export const lineHeight = 40;
/** A line is drawn through this many columns: one for three pixels of a phone. */
const columns = 120;

/** The line beneath a row and its unit; null where no request can pass. */
export function levelPath(
  decided: readonly DecidedRequest[],
  { begin, lengthMs, count }: View,
  time: Scale,
): { level: Level; reason: Reason; line: PlottedLevel } | null {
  const end = begin + count * lengthMs;
  const first = decided.find(({ decision }) => !decision.reason.neverFits);
  const level = first && levelOf(first.decision.reason);
  if (!level) return null;
  const points = levelLine(decided);
  const after = points.findIndex(({ at }) => at >= end);
  const before = points.findLastIndex(({ at }) => at < begin);
  // One beyond each end, so that the line reaches both edges.
  const shown = points.slice(Math.max(0, before), after === -1 ? points.length : after + 1);
  const values = shown.filter(({ at }) => at >= begin && at < end).map(({ value }) => value);
  const high = levelScale(level, values, lineHeight);
  const path = linePath(
    thinned(clipped(shown, begin, end), begin, (end - begin) / columns).map(({ at, value }) => ({
      x: time(at),
      y: high(value),
    })),
  );
  return { level, reason: first.decision.reason, line: { threshold: high(level.threshold), path } };
}

/** The points with those beyond an end moved along the line to that end. */
function clipped(points: readonly LevelPoint[], begin: number, end: number): LevelPoint[] {
  return points.map((point, index) => {
    const at = Math.min(Math.max(point.at, begin), end);
    const inner = points[at > point.at ? index + 1 : index - 1];
    if (at === point.at || !inner) return { ...point, at };
    const share = (at - point.at) / (inner.at - point.at);
    return { at, value: point.value + share * (inner.value - point.value) };
  });
}
