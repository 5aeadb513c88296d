import { scaleUtc } from "d3-scale";
import { formatter } from "@/lib/i18n";
import { dayMs } from "@/lib/time/units";
import { tenth } from "./chart-path";
import { ChartText } from "./chart-text";

interface TimeAxisProps {
  intervals: readonly { from: number }[];
  intervalMs: number;
  /** The labels' distance from the top. */
  y: number;
}

/** A scale from instants to positions across the chart, in percent. */
export function timeScale(intervals: readonly { from: number }[], intervalMs: number) {
  const first = intervals[0]?.from ?? 0;
  return scaleUtc()
    .domain([first, first + intervals.length * intervalMs])
    .range([0, 100]);
}

export function TimeAxis({ intervals, intervalMs, y }: TimeAxisProps) {
  const time = timeScale(intervals, intervalMs);
  return time.ticks(4).map((tick) => (
    <ChartText
      key={tick.getTime()}
      x={`${tenth(time(tick))}%`}
      y={y}
      side={time(tick) > 90 ? "right" : time(tick) < 6 ? "left" : "middle"}
    >
      {tickText(tick, intervalMs)}
    </ChartText>
  ));
}

function tickText(at: Date, intervalMs: number): string {
  return formatter().dateTime(
    at,
    intervalMs < 60_000
      ? { hour: "2-digit", minute: "2-digit", second: "2-digit" }
      : at.getTime() % dayMs > 0
        ? { hour: "2-digit", minute: "2-digit" }
        : { day: "numeric", month: "short" },
  );
}
