import { LevelPlot } from "@/app/_components/level-plot";
import { levelWords } from "@/app/_components/level-words";
import type { View } from "@/lib/lab/intervals";
import { levelLine, thinned } from "@/lib/lab/levels";
import type { DecidedRequest } from "@/lib/lab/simulate";
import { chartWidth, type Scale, tenth } from "./mark-paths";

export const lineHeight = 40;
/** A line is drawn through so many columns: about one for each pixel of a phone. */
const columns = 300;

interface LevelLineProps {
  decided: readonly DecidedRequest[];
  view: View;
  time: Scale;
  top: number;
}

/** The line beneath a lane: what was measured, with the value at which something changes dashed. */
export function LevelLine({ decided, view: { begin, lengthMs, count }, time, top }: LevelLineProps) {
  const end = begin + count * lengthMs;
  const level = levelWords(decided.find(({ decision }) => !decision.reason.neverFits)?.decision.reason);
  if (!level)
    return (
      <text x="0" y={top - 6} className="fill-quiet text-xs">
        The limit is below one: nothing can ever pass
      </text>
    );
  const points = levelLine(decided);
  const after = points.findIndex(({ at }) => at >= end);
  const before = points.findLastIndex(({ at }) => at < begin);
  // One beyond each end, so that the line comes in and goes out.
  const shown = points.slice(Math.max(0, before), after === -1 ? points.length : after + 1);
  const values = shown.filter(({ at }) => at >= begin && at < end).map(({ value }) => value);
  const columnMs = (end - begin) / columns;
  return (
    <LevelPlot
      level={level}
      values={values}
      top={top}
      height={lineHeight}
      width={chartWidth}
      path={(high) =>
        thinned(shown, begin, columnMs)
          .map(({ at, value }, index) => `${index === 0 ? "M" : "L"}${tenth(time(at))} ${tenth(high(value))}`)
          .join("")
      }
      strokeWidth={1.5}
    />
  );
}
