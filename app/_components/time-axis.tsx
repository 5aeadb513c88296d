import { scaleUtc } from "d3-scale";
import { formatter } from "@/lib/i18n";

const dayMs = 86_400_000;

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
    <text
      key={tick.getTime()}
      x={`${time(tick)}%`}
      y={y}
      textAnchor={time(tick) > 90 ? "end" : time(tick) < 6 ? "start" : "middle"}
      className="fill-quiet text-xs"
    >
      {tickText(tick, intervalMs)}
    </text>
  ));
}

/** Between isolates, because a chart runs from left to right in each language. */
function tickText(at: Date, intervalMs: number): string {
  const text = formatter().dateTime(
    at,
    intervalMs < 60_000
      ? { hour: "2-digit", minute: "2-digit", second: "2-digit" }
      : at.getTime() % dayMs > 0
        ? { hour: "2-digit", minute: "2-digit" }
        : { day: "numeric", month: "short" },
  );
  return `\u2068${text}\u2069`;
}
