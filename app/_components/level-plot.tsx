import { scaleLinear } from "d3-scale";
import type { Level } from "@/lib/limiter/index";
import { tenth } from "./chart-path";
import { ChartText } from "./chart-text";
import { chartWidth, ScaledSvg } from "./scaled-svg";

export interface PlottedLevel {
  /** The dashed threshold's distance from the top. */
  threshold: number;
  path: string;
}

interface LevelPlotProps {
  /** The meaning of the line, and of its threshold. */
  caption: string;
  line: PlottedLevel;
  /** Position and height in the chart. */
  top: number;
  height: number;
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
export function LevelPlot({ caption, line, top, height }: LevelPlotProps) {
  return (
    <>
      <ChartText x="0" y={top - 6} side="left">
        {caption}
      </ChartText>
      <ScaledSvg top={top} height={height}>
        <path d={`M0 ${tenth(line.threshold)}h${chartWidth}`} className="chart-line limit" />
        <path d={line.path} className="chart-line stroke-water stroke-[1.5]" />
        <path d={`M0 ${height}.5h${chartWidth}`} className="chart-line" />
      </ScaledSvg>
    </>
  );
}
