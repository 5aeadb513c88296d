import { scaleLinear } from "d3-scale";
import type { Level } from "@/lib/limiter/index";
import { ChartText } from "./chart-text";

export interface PlottedLevel {
  /** The dashed threshold's distance from the top. */
  threshold: number;
  path: string;
}

interface LevelPlotProps {
  /** What the line shows, and what its threshold means. */
  caption: string;
  line: PlottedLevel;
  /** Position and height in the chart. */
  top: number;
  height: number;
  /** Width in the units of the path. */
  width: number;
  strokeWidth: number;
}

/** A scale from values to distances from the top, for the measured levels. */
export function levelScale({ top }: Level, values: readonly number[], height: number) {
  return (
    scaleLinear()
      // A Z far below 0 means no more than quiet.
      .domain([Math.max(-top, Math.min(0, ...values)), Math.max(top, ...values)])
      .range([height - 1, 1])
      .clamp(true)
  );
}

/**
 * The line of measured levels beneath a chart, with its threshold dashed.
 * The line scales with the chart's width; the text keeps its size.
 */
export function LevelPlot({ caption, line, top, height, width, strokeWidth }: LevelPlotProps) {
  return (
    <>
      <ChartText x="0" y={top - 6} side="left" className="fill-quiet">
        {caption}
      </ChartText>
      <svg
        aria-hidden="true"
        y={top}
        width="100%"
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
      >
        <line
          x2={width}
          y1={line.threshold}
          y2={line.threshold}
          className="stroke-amber"
          strokeDasharray="2 3"
          vectorEffect="non-scaling-stroke"
        />
        <path
          d={line.path}
          fill="none"
          strokeWidth={strokeWidth}
          strokeLinecap="round"
          strokeLinejoin="round"
          className="stroke-water"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <line x1="0" x2="100%" y1={top + height + 0.5} y2={top + height + 0.5} className="stroke-hairline" />
    </>
  );
}
