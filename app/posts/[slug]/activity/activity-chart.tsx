import { scaleLinear } from "d3-scale";
import { type AttemptOutcome, barFills } from "@/app/_components/bar-fills";
import { linePath } from "@/app/_components/chart-path";
import { ChartText } from "@/app/_components/chart-text";
import { LevelPlot, levelScale } from "@/app/_components/level-plot";
import { chartWidth } from "@/app/_components/scaled-svg";
import { TimeAxis, timeScale } from "@/app/_components/time-axis";
import { formatter, translator } from "@/lib/i18n";
import type { Level } from "@/lib/limiter/index";
import type { Interval } from "@/lib/ratings/decisions/activity";

const plot = { top: 20, bars: 140, gap: 36, line: 56, axis: 24 };
const lineTop = plot.top + plot.bars + plot.gap;
const height = lineTop + plot.line + plot.axis;

interface ActivityChartProps {
  intervals: Interval[];
  intervalMs: number;
  /** The levels shown as a line beneath. */
  level: Level | null;
}

/** Stacking order from the axis upwards. */
const order: readonly AttemptOutcome[] = ["accepted", "held", "refused"];

/**
 * Stacked bars of accepted, held and refused ratings.
 * The limiter's level is a line beneath. Horizontal positions are percentages, so that text keeps its size on a
 * phone.
 */
export function ActivityChart({ intervals, intervalMs, level }: ActivityChartProps) {
  const time = timeScale(intervals, intervalMs);
  const most = Math.max(1, ...intervals.map(({ accepted, held, refused }) => accepted + held + refused));
  const count = scaleLinear().domain([0, most]).range([0, plot.bars]);
  const width = 100 / intervals.length;
  const base = plot.top + plot.bars;
  const anyHeld = intervals.some(({ held }) => held > 0);
  const t = translator("activity");
  return (
    <svg width="100%" height={height} role="img" aria-labelledby="activity-title" className="chart">
      <title id="activity-title">{t(anyHeld ? "attempts.chartHeld" : "attempts.chart")}</title>
      <ChartText x="0" y={plot.top - 8} side="left">
        {formatter().number(most)}
      </ChartText>
      <line x1="0" x2="100%" y1={base + 0.5} y2={base + 0.5} className="stroke-hairline" />
      {intervals.map((interval) => (
        <g key={interval.from}>
          {stacked(interval).map(({ outcome, from, to }) => {
            // A gap of one pixel between parts, and a minimum height.
            const high = Math.max(1.5, count(to - from) - (from > 0 ? 1 : 0));
            const line = outcome === "held" ? 0.5 : 0;
            return (
              <rect
                key={outcome}
                x={`${time(interval.from) + width * 0.1}%`}
                width={`${width * 0.8}%`}
                y={base - count(to) + line}
                height={Math.max(0.5, high - 2 * line)}
                className={barFills[outcome].bar}
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

/**
 * The non-empty parts of an interval's bar.
 * Each has the number of attempts below it, and up to its top.
 */
function stacked(interval: Interval) {
  let from = 0;
  return order.flatMap((outcome) => {
    const part = { outcome, from, to: from + interval[outcome] };
    from = part.to;
    return interval[outcome] > 0 ? [part] : [];
  });
}

function LevelLine({ intervals, level }: { intervals: Interval[]; level: Level }) {
  const { nearest } = level;
  const t = translator("activity");
  const high = levelScale(
    level,
    intervals.flatMap((interval) => interval[nearest] ?? []),
    plot.line,
  );
  const stretches: { x: number; y: number }[][] = [[]];
  for (const [index, interval] of intervals.entries()) {
    const value = interval[nearest];
    if (value === null) stretches.push([]);
    else stretches.at(-1)?.push({ x: ((index + 0.5) / intervals.length) * chartWidth, y: high(value) });
  }
  return (
    <LevelPlot
      caption={t("attempts.limit")}
      line={{ threshold: high(level.threshold), path: stretches.map(linePath).join("") }}
      top={lineTop}
      height={plot.line}
    />
  );
}
