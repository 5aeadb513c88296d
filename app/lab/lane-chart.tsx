import { scaleUtc } from "d3-scale";
import { ChartText } from "@/app/_components/chart-text";
import { LevelPlot } from "@/app/_components/level-plot";
import { translator } from "@/lib/i18n";
import type { View } from "@/lib/lab/intervals";
import { algorithmText } from "./algorithm-text";
import type { LaneDrawing } from "./draw";
import { lineHeight } from "./level-path";
import { chartWidth, tenth } from "./mark-paths";
import { levelText } from "./reason-text";
import { axisLabels, type TraceClock } from "./time-text";

const space = { aboveMarks: 6, aboveBars: 18, gap: 22, axis: 22 };

interface LaneChartProps {
  lane: LaneDrawing;
  view: View;
  clock: TraceClock;
}

/**
 * Accepted (blue) and refused (amber) requests over time, above the level. Marks
 * and lines are one path each, stretched to the width; text is not, so that it stays its size on a phone.
 */
export function LaneChart({ lane: { name, marks, level }, view, clock }: LaneChartProps) {
  const t = translator("lab");
  const { begin, lengthMs, count, hasSingles } = view;
  const end = begin + count * lengthMs;
  const time = scaleUtc().domain([begin, end]).range([0, chartWidth]);
  const top = hasSingles ? space.aboveMarks : space.aboveBars;
  const base = top + marks.height;
  const lineTop = base + space.gap;
  const height = lineTop + lineHeight + space.axis;
  const labels = axisLabels(
    time.ticks(4).map((tick) => tick.getTime()),
    clock,
  );
  return (
    <svg
      width="100%"
      height={height}
      role="img"
      aria-labelledby={`${name}-chart`}
      className="mt-1 overflow-visible [direction:ltr]"
    >
      <title id={`${name}-chart`}>{t("lane.chart", { title: algorithmText(name).title })}</title>
      {marks.most !== null && (
        <ChartText x="0" y={top - 6} side="left" className="fill-quiet">
          {t("lane.upTo", { most: marks.most })}
        </ChartText>
      )}
      <svg
        aria-hidden="true"
        y={top}
        width="100%"
        height={marks.height}
        viewBox={`0 0 ${chartWidth} ${marks.height}`}
        preserveAspectRatio="none"
        className="overflow-visible"
      >
        <path
          d={marks.accepted}
          className={hasSingles ? "stroke-water" : "fill-water"}
          {...markStroke(hasSingles)}
        />
        <path
          d={marks.refused}
          className={hasSingles ? "stroke-amber" : "fill-amber"}
          {...markStroke(hasSingles)}
        />
      </svg>
      <line x1="0" x2="100%" y1={base + 0.5} y2={base + 0.5} className="stroke-hairline" />
      {level ? (
        <LevelPlot
          caption={levelText(level.level)}
          line={level.line}
          top={lineTop}
          height={lineHeight}
          width={chartWidth}
          strokeWidth={1.5}
        />
      ) : (
        <ChartText x="0" y={lineTop - 6} side="left" className="fill-quiet">
          {t("lane.nothingFits")}
        </ChartText>
      )}
      {labels.map(({ at, text }) => {
        const across = tenth(time(at) / (chartWidth / 100));
        return (
          <ChartText
            key={at}
            x={`${across}%`}
            y={height - 5}
            side={across > 90 ? "right" : across < 8 ? "left" : "middle"}
            className="fill-quiet"
          >
            {text}
          </ChartText>
        );
      })}
    </svg>
  );
}

function markStroke(hasSingles: boolean) {
  return hasSingles ? ({ strokeWidth: 1.5, vectorEffect: "non-scaling-stroke" } as const) : {};
}
