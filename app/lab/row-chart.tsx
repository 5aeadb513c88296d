import { scaleUtc } from "d3-scale";
import { tenth } from "@/app/_components/chart-path";
import { ChartText } from "@/app/_components/chart-text";
import { LevelPlot } from "@/app/_components/level-plot";
import { chartWidth, ScaledSvg } from "@/app/_components/scaled-svg";
import { translator } from "@/lib/i18n";
import type { View } from "@/lib/lab/intervals";
import { algorithmText } from "./algorithm-text";
import type { RowDrawing } from "./draw";
import { lineHeight } from "./level-path";
import { levelText } from "./reason-text";
import { axisLabels, type TraceClock } from "./time-text";

const space = { aboveMarks: 6, aboveBars: 18, gap: 22, axis: 22 };

interface RowChartProps {
  row: RowDrawing;
  view: View;
  clock: TraceClock;
}

/**
 * Accepted (blue) and refused (amber) requests over time, above the level. Marks
 * and lines are one path each, stretched to the width; text is not, so that it stays its size on a phone.
 */
export function RowChart({ row: { name, marks, level }, view, clock }: RowChartProps) {
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
    <svg width="100%" height={height} role="img" aria-labelledby={`${name}-chart`} className="chart mt-1">
      <title id={`${name}-chart`}>{t("row.chart", { title: algorithmText(name).title })}</title>
      {marks.most !== null && (
        <ChartText x="0" y={top - 6} side="left">
          {t("row.upTo", { most: marks.most })}
        </ChartText>
      )}
      <ScaledSvg top={top} height={marks.height}>
        {marks.accepted && (
          <path
            d={marks.accepted}
            className={hasSingles ? "chart-line stroke-water stroke-[1.5]" : "fill-water"}
          />
        )}
        {marks.refused && (
          <path
            d={marks.refused}
            className={hasSingles ? "chart-line stroke-amber stroke-[1.5]" : "fill-amber"}
          />
        )}
        <path d={`M0 ${marks.height}.5h${chartWidth}`} className="chart-line" />
      </ScaledSvg>
      {level ? (
        <LevelPlot caption={levelText(level.level)} line={level.line} top={lineTop} height={lineHeight} />
      ) : (
        <ChartText x="0" y={lineTop - 6} side="left">
          {t("row.nothingFits")}
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
          >
            {text}
          </ChartText>
        );
      })}
    </svg>
  );
}
