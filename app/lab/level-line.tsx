import { scaleLinear } from "d3-scale";
import type { View } from "@/lib/lab/intervals";
import { levelLine, thinned } from "@/lib/lab/levels";
import type { DecidedRequest } from "@/lib/lab/simulate";
import { chartWidth, type Scale, tenth } from "./mark-paths";
import { levelWords } from "./words";

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
  const high = scaleLinear()
    // A Z far below 0 says no more than that it is quiet.
    .domain([Math.max(-level.top, Math.min(0, ...values)), Math.max(level.top, ...values)])
    .range([lineHeight - 1, 1])
    .clamp(true);
  const path = thinned(shown, begin, (end - begin) / columns)
    .map(({ at, value }, index) => `${index === 0 ? "M" : "L"}${tenth(time(at))} ${tenth(high(value))}`)
    .join("");
  return (
    <>
      <text x="0" y={top - 6} className="fill-quiet text-xs">
        {`${level.name}, ${level.meaning}`}
      </text>
      <svg
        aria-hidden="true"
        y={top}
        width="100%"
        height={lineHeight}
        viewBox={`0 0 ${chartWidth} ${lineHeight}`}
        preserveAspectRatio="none"
      >
        <line
          x2={chartWidth}
          y1={high(level.threshold)}
          y2={high(level.threshold)}
          className="stroke-amber"
          strokeDasharray="2 3"
          vectorEffect="non-scaling-stroke"
        />
        <path
          d={path}
          fill="none"
          strokeWidth="1.5"
          strokeLinejoin="round"
          className="stroke-water"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <line
        x1="0"
        x2="100%"
        y1={top + lineHeight + 0.5}
        y2={top + lineHeight + 0.5}
        className="stroke-hairline"
      />
    </>
  );
}
