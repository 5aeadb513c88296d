import { scoreText } from "@/app/_components/score";
import { formatter, translator } from "@/lib/i18n";
import type { ChartBar, ChartLine } from "./types";

/** A chart's numbers: a row per span with ratings, each line's value at its end. */
export function ChartTable({ lines, bars }: { lines: readonly ChartLine[]; bars: readonly ChartBar[] }) {
  const t = translator("scores");
  const hasFlood = bars.some(({ flooded }) => flooded > 0);
  return (
    <table className="table numbers mt-2">
      <thead>
        <tr>
          <th scope="col">{t("chart.when")}</th>
          <th scope="col">{translator("figures")("ratingsColumn")}</th>
          {hasFlood && <th scope="col">{t("chart.flooded")}</th>}
          {lines.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars
          .filter(({ count }) => count > 0)
          .map(({ from, to, name, count, flooded }) => (
            <tr key={from}>
              <th scope="row" className="whitespace-nowrap">
                {name}
              </th>
              <td>{formatter().number(count)}</td>
              {hasFlood && <td>{formatter().number(flooded)}</td>}
              {lines.map((line) => (
                <td key={line.name}>
                  <StarsAt line={line} at={to} />
                </td>
              ))}
            </tr>
          ))}
      </tbody>
    </table>
  );
}

function StarsAt({ line: { points }, at }: { line: ChartLine; at: number }) {
  const stars = points.findLast((point) => point.at <= at)?.stars ?? null;
  return stars === null ? "–" : scoreText(stars);
}
