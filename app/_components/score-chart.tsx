// Over 200 lines: the parts of one drawing share its scales.

import { scoreText } from "@/app/_components/score";
import { translator } from "@/lib/i18n";
import { scores } from "@/lib/ratings/score/score";
import { ChartTable } from "./_score-chart/chart-table";
import { FlagText, FloodBands, labelRow } from "./_score-chart/flood-bands";
import { placeFlags } from "./_score-chart/labels";
import { placeEndTexts, yOf } from "./_score-chart/lines";
import type { ChartBar, ChartFlood, ChartLine, Tick } from "./_score-chart/types";
import { AsTable, type TableLink } from "./as-table";
import { barsPath, linePath, tenth } from "./chart-path";
import { ChartText, type Side } from "./chart-text";
import { chartWidth, ScaledSvg } from "./scaled-svg";

export type { ChartBar, ChartFlood, ChartLine, Tick };

interface ScoreChartProps {
  /** Names the chart, in words. */
  title: string;
  /** The chart in a sentence, for readers who do not see it. */
  sentence: string;
  from: number;
  to: number;
  lines: readonly ChartLine[];
  bars: readonly ChartBar[];
  /** The title of the bars, such as "Ratings per day". */
  barsName: string;
  /** In order of time. */
  floods: readonly ChartFlood[];
  ticks: readonly Tick[];
  /** Where the table is, when not here. */
  table?: TableLink | undefined;
  /** The caption. */
  children?: React.ReactNode;
}

const space = { top: 8, plot: 140, barsName: 26, bars: 44, axis: 22 };
const plotHeight = space.plot;
/** Minimum bar height, so that a few ratings are visible beside a flood. */
const leastHeight = 2;

const lineLooks: Record<ChartLine["look"], { path: string; text: string }> = {
  score: { path: "chart-line stroke-water stroke-3", text: "font-semibold fill-water" },
  average: { path: "chart-line average", text: "" },
  limited: { path: "chart-line stroke-ink stroke-[1.5]", text: "fill-ink" },
};

/**
 * The score through a flood: stars over time, ratings beneath, floods marked.
 * The numbers are in a table. Time runs to the right in every language. Positions are percentages, so text keeps its
 * size on a phone.
 */
export function ScoreChart(props: ScoreChartProps) {
  const { title, sentence, lines, bars, floods, children } = props;
  const t = translator("scores");
  const place = placing(props);
  const flags = placeFlags(
    floods.map(({ from, to, status, texts }) => ({
      from: place(from) / 10,
      to: place(to) / 10,
      texts,
      isHeld: status === "held",
    })),
  );
  const plotTop = space.top + flags.reduce((most, { row }) => Math.max(most, row + 1), 0) * labelRow;
  return (
    <figure>
      <div role="img" aria-label={sentence} className="chart columns">
        <StarsAxis top={plotTop} />
        <Plot {...props} place={place} flags={flags} plotTop={plotTop} />
        <EndTexts lines={lines} top={plotTop} />
      </div>
      {children && <figcaption className="mt-2 text-sm text-quiet">{children}</figcaption>}
      <AsTable label={t("chart.tableOf", { title })} link={props.table}>
        <ChartTable lines={lines} bars={bars} />
      </AsTable>
    </figure>
  );
}

/** The position of a time in the chart, from 0 to `chartWidth`. */
function placing({ from, to }: Pick<ScoreChartProps, "from" | "to">) {
  const perMs = chartWidth / Math.max(1, to - from);
  return (at: number) => tenth(Math.min(chartWidth, Math.max(0, (at - from) * perMs)));
}

interface PlotProps extends ScoreChartProps {
  place: (at: number) => number;
  flags: ReturnType<typeof placeFlags>;
  plotTop: number;
}

function Plot({ lines, bars, barsName, floods, ticks, place, flags, plotTop }: PlotProps) {
  const barsTop = plotTop + plotHeight + space.barsName;
  const base = barsTop + space.bars;
  return (
    <svg width="100%" height={base + space.axis} aria-hidden="true">
      {floods.length > 0 && (
        <FloodBands floods={floods} across={place} top={plotTop} height={base - plotTop} />
      )}
      <ScaledSvg top={plotTop} height={plotHeight}>
        <path
          d={scores.map((stars) => `M0 ${yOf(stars, plotHeight)}h${chartWidth}`).join("")}
          className="chart-line"
        />
        {lines.map(({ look, name, points }) => (
          <path
            key={name}
            d={linePath(
              points.flatMap(({ at, stars }) =>
                stars === null ? [] : [{ x: place(at), y: yOf(stars, plotHeight) }],
              ),
            )}
            className={lineLooks[look].path}
          />
        ))}
      </ScaledSvg>
      <Bars bars={bars} place={place} top={barsTop} />
      <line x2="100%" y1={base + 0.5} y2={base + 0.5} className="stroke-hairline" />
      <ChartText x="0" y={barsTop - 10} side="left" className="halo">
        {barsName}
      </ChartText>
      {flags.map((flag) => (
        <FlagText key={`${flag.at} ${flag.text}`} flag={flag} base={plotTop} />
      ))}
      {ticks.map(({ at, text }) => (
        <ChartText
          key={at}
          x={`${tenth(place(at) / 10)}%`}
          y={base + space.axis - 6}
          side={sideOf(place(at))}
        >
          {text}
        </ChartText>
      ))}
    </svg>
  );
}

function sideOf(across: number): Side {
  if (across < chartWidth * 0.04) return "left";
  return across > chartWidth * 0.96 ? "right" : "middle";
}

function Bars({
  bars,
  place,
  top,
}: {
  bars: readonly ChartBar[];
  place: (at: number) => number;
  top: number;
}) {
  const most = bars.reduce((largest, { count }) => Math.max(largest, count), 1);
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(leastHeight, (count / most) * space.bars));
  const placed = bars.map(({ from, to, count, flooded }) => {
    const left = place(from);
    const slot = place(to) - left;
    const usualTop = space.bars - heightOf(count - flooded);
    const top = Math.max(0, usualTop - heightOf(flooded));
    return { left: left + slot * 0.1, width: slot * 0.8, usualTop, top };
  });
  const usual = barsPath(placed.map((bar) => ({ ...bar, foot: space.bars, top: bar.usualTop })));
  const flooded = barsPath(placed.map((bar) => ({ ...bar, foot: bar.usualTop })));
  return (
    <ScaledSvg top={top} height={space.bars}>
      <path d={usual} className="fill-water opacity-55" />
      {flooded && <path d={flooded} className="fill-amber" />}
    </ScaledSvg>
  );
}

/** The numbers of stars, left of the plot. */
function StarsAxis({ top }: { top: number }) {
  return (
    <svg width="8" height={top + plotHeight + 8} aria-hidden="true">
      <text className="right">
        {scores.map((stars) => (
          <tspan key={stars} x="8" y={top + yOf(stars, plotHeight) + 4}>
            {scoreText(stars, 0)}
          </tspan>
        ))}
      </text>
    </svg>
  );
}

/** Each line's name and last value, at its end. */
function EndTexts({ lines, top }: { lines: readonly ChartLine[]; top: number }) {
  const t = translator("scores");
  const ends = lines.flatMap(({ look, name, points }) => {
    const stars = points.findLast((point) => point.stars !== null)?.stars ?? null;
    return stars === null ? [] : [{ look, name, stars, y: top + yOf(stars, plotHeight) }];
  });
  const texts = placeEndTexts(ends).map(({ look, name, stars, y }) => ({
    y,
    text: t("chart.lineEnd", { name, stars: scoreText(stars, 1) }),
    className: lineLooks[look].text,
  }));
  return (
    <div className="relative">
      {/* Unseen, they make the column as wide as the longest of them. */}
      {texts.map(({ text, className }) => (
        <span key={text} className={`chart-end ${className}`}>
          {text}
        </span>
      ))}
      <svg aria-hidden="true" className="absolute inset-0 size-full">
        {texts.map(({ y, text, className }) => (
          <ChartText key={text} x="0" y={tenth(y + 4)} side="left" className={className}>
            {text}
          </ChartText>
        ))}
      </svg>
    </div>
  );
}
