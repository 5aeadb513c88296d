import { scaleLinear } from "d3-scale";
import { formatNumber } from "@/lib/limiter/text";
import type { Counts } from "@/lib/ratings/score/score";
import { ratingsText, scoreFills } from "./score";

const row = { height: 28, bar: 14 };
/** The bars' left edge in pixels, and the longest bar's share of the width. */
const start = 24;
const longestPercent = 70;

/**
 * Ratings per number of stars, five first.
 * Server-rendered, with a table of the numbers.
 */
export function Histogram({ counts }: { counts: Counts }) {
  const rows = counts.map((count, score) => ({ count, score })).reverse();
  const length = scaleLinear()
    .domain([0, Math.max(1, ...counts)])
    .range([0, longestPercent]);
  return (
    <figure>
      <svg
        width="100%"
        height={row.height * 6}
        role="img"
        aria-labelledby="histogram-title"
        className="text-[0.8125rem] [direction:ltr]"
      >
        <title id="histogram-title">How many gave each number of stars</title>
        {rows.map(({ count, score }, index) => {
          const middle = (index + 0.5) * row.height;
          return (
            <g key={score}>
              <text
                x={start - 12}
                y={middle}
                textAnchor="end"
                dominantBaseline="central"
                className="fill-quiet"
              >
                {score}
              </text>
              <rect
                x={start}
                y={middle - row.bar / 2}
                width={`${length(count)}%`}
                height={row.bar}
                rx="1.5"
                className={scoreFills[score]}
              />
              <text
                x={`${length(count)}%`}
                dx={start + 8}
                y={middle}
                dominantBaseline="central"
                className={count > 0 ? "fill-ink" : "fill-quiet"}
              >
                {formatNumber(count)}
              </text>
            </g>
          );
        })}
        <line x1={start} x2={start} y2={row.height * 6} className="stroke-hairline" />
      </svg>
      <details className="mt-2 text-sm">
        <summary className="text-quiet">As a table</summary>
        <table className="table mt-2">
          <thead>
            <tr>
              <th scope="col">Stars</th>
              <th scope="col">Ratings</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ count, score }) => (
              <tr key={score}>
                <th scope="row">{score}</th>
                <td>{ratingsText(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
