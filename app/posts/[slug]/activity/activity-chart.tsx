import { scaleLinear, scaleUtc } from "d3-scale";
import { line } from "d3-shape";
import { formatNumber } from "@/app/_components/format-number";
import { LevelPlot, levelScale } from "@/app/_components/level-plot";
import type { Level } from "@/lib/limiter";
import type { Interval } from "@/lib/ratings/activity";
import { type Became, barFills } from "./bar-fills";

const dayMs = 86_400_000;
const plot = { top: 20, bars: 140, gap: 36, line: 56, axis: 24 };
const lineTop = plot.top + plot.bars + plot.gap;
const height = lineTop + plot.line + plot.axis;

interface ActivityChartProps {
  intervals: Interval[];
  intervalMs: number;
  /** What the line beneath shows. */
  level: Level | null;
}

interface TimeAxisProps {
  intervals: readonly Pick<Interval, "from">[];
  intervalMs: number;
  /** Where the words stand, from the top. */
  y: number;
}

/** From the axis upwards. */
const order: readonly Became[] = ["accepted", "held", "refused"];

/**
 * Accepted ratings as blue bars, held ones outlined in amber upon them and refused ones filled with it, and what the
 * limiter measured as a thin line beneath. Positions across are shares of the width, so that the text stays its size
 * on a phone.
 */
export function ActivityChart({ intervals, intervalMs, level }: ActivityChartProps) {
  const time = timeScale(intervals, intervalMs);
  const most = Math.max(1, ...intervals.map(({ accepted, held, refused }) => accepted + held + refused));
  const count = scaleLinear().domain([0, most]).range([0, plot.bars]);
  const width = 100 / intervals.length;
  const base = plot.top + plot.bars;
  const anyHeld = intervals.some(({ held }) => held > 0);
  return (
    <svg
      width="100%"
      height={height}
      role="img"
      aria-labelledby="activity-title"
      className="overflow-visible [direction:ltr]"
    >
      <title id="activity-title">
        {anyHeld ? "Accepted, held and refused ratings over time" : "Accepted and refused ratings over time"}
      </title>
      <text x="0" y={plot.top - 8} className="fill-quiet text-xs">
        {formatNumber(most)}
      </text>
      <line x1="0" x2="100%" y1={base + 0.5} y2={base + 0.5} className="stroke-hairline" />
      {intervals.map((interval) => (
        <g key={interval.from}>
          {stacked(interval).map(({ became, from, to }) => {
            // A pixel of paper between two parts, and a little of what is there at all.
            const high = Math.max(1.5, count(to - from) - (from > 0 ? 1 : 0));
            const line = became === "held" ? 0.5 : 0;
            return (
              <rect
                key={became}
                x={`${time(interval.from) + width * 0.1}%`}
                width={`${width * 0.8}%`}
                y={base - count(to) + line}
                height={Math.max(0.5, high - 2 * line)}
                className={barFills[became].bar}
              />
            );
          })}
        </g>
      ))}
      {level && <LevelLine intervals={intervals} level={level} />}
      <TimeAxis intervals={intervals} intervalMs={intervalMs} y={height - 6} />
    </svg>
  );
}

/** The parts of an interval's bar that there are, each with how many tries are below it and up to its top. */
function stacked(interval: Interval) {
  let from = 0;
  return order.flatMap((became) => {
    const part = { became, from, to: from + interval[became] };
    from = part.to;
    return interval[became] > 0 ? [part] : [];
  });
}

/** From an instant to how far across the chart it is, in percent. */
export function timeScale(intervals: readonly Pick<Interval, "from">[], intervalMs: number) {
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

function LevelLine({ intervals, level }: { intervals: Interval[]; level: Level }) {
  const { nearest } = level;
  const high = levelScale(
    level,
    intervals.flatMap((interval) => interval[nearest] ?? []),
    plot.line,
  );
  const path = line<Interval>()
    .defined((interval) => interval[nearest] !== null)
    .x((_, index) => index + 0.5)
    .y((interval) => high(interval[nearest] ?? 0));
  return (
    <LevelPlot
      level={level}
      line={{ threshold: high(level.threshold), path: path(intervals) ?? "" }}
      top={lineTop}
      height={plot.line}
      width={intervals.length}
      strokeWidth={3}
    />
  );
}

function tickText(at: Date, intervalMs: number): string {
  const options: Intl.DateTimeFormatOptions =
    intervalMs < 60_000
      ? { hour: "2-digit", minute: "2-digit", second: "2-digit" }
      : at.getTime() % dayMs > 0
        ? { hour: "2-digit", minute: "2-digit" }
        : { day: "numeric", month: "short" };
  return at.toLocaleString("en-GB", { ...options, timeZone: "UTC" });
}
