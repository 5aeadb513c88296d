import { scaleLinear } from "d3-scale";
import { formatter, translator } from "@/lib/i18n";
import type { Counts } from "@/lib/ratings/score/score";
import { AsTable } from "./as-table";
import { scoreFills } from "./score";
import { StaticPart } from "./static-part";

const row = { height: 28, bar: 14 };
/** The bars' distance from the first edge in pixels, and the longest's width. */
const start = 24;
const longestPercent = 70;

interface HistogramProps {
  counts: Counts;
  direction: "ltr" | "rtl";
}

/**
 * Ratings per number of stars, five first.
 * Server-rendered, with a table of the numbers.
 */
export function Histogram({ counts, direction }: HistogramProps) {
  return (
    <figure>
      <StaticPart as="div" of={Bars} items={[{ counts, direction }]} />
      <AsTable label={translator("figures")("histogramTitle")}>
        <StaticPart as="table" className="table numbers mt-2" of={Numbers} items={[{ counts }]} />
      </AsTable>
    </figure>
  );
}

function Bars({ counts, direction }: HistogramProps) {
  const { number } = formatter();
  const isRightToLeft = direction === "rtl";
  /** A position from the first edge: the right one when read from right to left. */
  const across = (percent: number) => `${isRightToLeft ? 100 - percent : percent}%`;
  const shift = (pixels: number) => (isRightToLeft ? -pixels : pixels);
  const length = scaleLinear()
    .domain([0, Math.max(1, ...counts)])
    .range([0, longestPercent]);
  return (
    <svg
      width="100%"
      height={row.height * 6}
      role="img"
      aria-labelledby="histogram-title"
      className="text-[0.8125rem] [direction:ltr]"
    >
      <title id="histogram-title">{translator("figures")("histogramTitle")}</title>
      {rowsOf(counts).map(({ count, score }, index) => {
        const middle = (index + 0.5) * row.height;
        return (
          <g key={score}>
            <text
              x={across(0)}
              dx={shift(start - 12)}
              y={middle}
              textAnchor={isRightToLeft ? "start" : "end"}
              dominantBaseline="central"
              className="fill-quiet"
            >
              {number(score)}
            </text>
            <rect
              x={across(isRightToLeft ? length(count) : 0)}
              transform={`translate(${shift(start)} 0)`}
              y={middle - row.bar / 2}
              width={`${length(count)}%`}
              height={row.bar}
              rx="1.5"
              className={scoreFills[score]}
            />
            <text
              x={across(length(count))}
              dx={shift(start + 8)}
              y={middle}
              textAnchor={isRightToLeft ? "end" : "start"}
              dominantBaseline="central"
              className={count > 0 ? "fill-ink" : "fill-quiet"}
            >
              {number(count)}
            </text>
          </g>
        );
      })}
      <line
        x1={across(0)}
        x2={across(0)}
        y2={row.height * 6}
        transform={`translate(${shift(start)} 0)`}
        className="stroke-hairline"
      />
    </svg>
  );
}

function Numbers({ counts }: Pick<HistogramProps, "counts">) {
  const t = translator("figures");
  const { number } = formatter();
  return (
    <>
      <thead>
        <tr>
          <th scope="col">{t("stars")}</th>
          <th scope="col">{t("ratingsColumn")}</th>
        </tr>
      </thead>
      <tbody>
        {rowsOf(counts).map(({ count, score }) => (
          <tr key={score}>
            <th scope="row">{number(score)}</th>
            <td>{number(count)}</td>
          </tr>
        ))}
      </tbody>
    </>
  );
}

function rowsOf(counts: Counts) {
  return counts.map((count, score) => ({ count, score })).reverse();
}
