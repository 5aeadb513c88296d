import { limitName } from "@/app/_components/limit-name";
import { limitText } from "@/app/_components/limit-text";
import { scoreText } from "@/app/_components/score";
import { type ChartBar, type ChartLine, ScoreChart } from "@/app/_components/score-chart";
import { ScrollArea } from "@/app/_components/scroll-area";
import { formatter, translator } from "@/lib/i18n";
import type { ComparedLane, ComparedScore, ScoreComparison } from "@/lib/lab/compare-scores";
import { siteLimitNames } from "@/lib/lab/site-limits";
import type { Limits } from "@/lib/limits";
import { algorithmText } from "./algorithm-text";
import { axisLabels, type TraceClock, timeText } from "./time-text";

interface ScoreResultsProps {
  comparison: ScoreComparison;
  clock: TraceClock;
  /** The site's own limits, and whether it sets floods aside. */
  site: { limits: Limits; detectsFloods: boolean };
}

/** Where each limit leads the score: a table of all, and a chart of each. */
export function ScoreResults({ comparison, clock, site }: ScoreResultsProps) {
  const t = translator("lab");
  return (
    <section aria-labelledby="scores-title" className="mt-8">
      <h3 id="scores-title" className="section-title">
        {t("scores.title")}
      </h3>
      <p className="mt-2 max-w-prose text-sm text-quiet">
        {t("scores.about")}
        {comparison.hasPast && ` ${t("scores.past")}`}
      </p>
      <ScoreTable comparison={comparison} />
      <h4 className="mt-8 font-semibold">{t("scores.siteTitle")}</h4>
      <SiteLimitList site={site} />
      <LimitChart
        title={t("scores.siteTitle")}
        comparison={comparison}
        clock={clock}
        compared={comparison.site}
      />
      {comparison.lanes.map((lane) => (
        <LaneScores key={lane.name} lane={lane} comparison={comparison} clock={clock} />
      ))}
    </section>
  );
}

/** The site's limits that decide here, all at once. */
function SiteLimitList({ site: { limits, detectsFloods } }: Pick<ScoreResultsProps, "site">) {
  const t = translator("lab");
  const deciding = siteLimitNames.flatMap((name) => limits[name].filter(({ mode }) => mode !== "shadow"));
  return (
    <div className="mb-2 text-sm text-quiet">
      <p>
        {t("scores.siteAbout", { count: deciding.length, detects: detectsFloods ? "yes" : "no" })}
        {limits["rating.address"].length > 0 && ` ${t("scores.siteAddress")}`}
      </p>
      <ul className="mt-1 list-disc ps-5">
        {deciding.map((limit) => (
          <li key={limit.name}>
            {t(limit.mode === "hold" ? "scores.siteHolds" : "scores.siteRefuses", {
              what: limitName(limit.name, limit),
              limit: limitText(limit.parameters),
            })}
          </li>
        ))}
      </ul>
    </div>
  );
}

function LaneScores({
  lane: { name, refusing, holding, overLimit },
  comparison,
  clock,
}: { lane: ComparedLane } & Pick<ScoreResultsProps, "comparison" | "clock">) {
  const { title, about } = algorithmText(name);
  return (
    <section aria-labelledby={`${name}-score`} className="mt-8">
      <h4 id={`${name}-score`} className="font-semibold">
        {title}
      </h4>
      <p className="mb-2 text-sm text-quiet">{about}</p>
      <LimitChart
        title={title}
        comparison={comparison}
        clock={clock}
        compared={refusing}
        holding={holding}
        overLimit={overLimit}
      />
    </section>
  );
}

interface LimitChartProps extends Pick<ScoreResultsProps, "comparison" | "clock"> {
  title: string;
  compared: ComparedScore;
  /** The same limit when it sets aside instead of refusing. */
  holding?: ComparedScore;
  /** The ratings over the limit in each bar; those of the flood when left out. */
  overLimit?: readonly number[];
}

function LimitChart({ title, comparison, clock, compared, holding, overLimit }: LimitChartProps) {
  const t = translator("lab");
  const { from, to, times, bars } = comparison;
  const end = endOf(compared);
  const lines: ChartLine[] = [
    { look: "average", name: t("scores.lines.average"), points: lineOf(compared.averages, times) },
    ...(holding
      ? [{ look: "limited" as const, name: t("scores.lines.held"), points: lineOf(holding.scores, times) }]
      : []),
    { look: "score", name: t("scores.lines.score"), points: lineOf(compared.scores, times) },
  ];
  const ticks = [0.1, 0.35, 0.6, 0.85].map((part) => from + part * (to - from));
  return (
    <ScoreChart
      title={t("scores.chart", { title })}
      sentence={t("scores.sentence", {
        title,
        average: scoreText(end.average, 1),
        score: scoreText(end.score, 1),
        refused: compared.refused,
        held: compared.held,
      })}
      from={from}
      to={to}
      lines={lines}
      bars={bars.map(
        (bar, index): ChartBar => ({
          ...bar,
          flooded: overLimit?.[index] ?? bar.flooded,
          name: timeText(Math.round(bar.from), clock),
        }),
      )}
      barsName={t("scores.bars")}
      floods={[]}
      ticks={axisLabels(ticks, { ...clock, spanMs: to - from })}
    />
  );
}

function ScoreTable({ comparison: { unlimited, site, lanes } }: { comparison: ScoreComparison }) {
  const t = translator("lab");
  return (
    <ScrollArea label={t("scores.title")}>
      <table className="table mt-4">
        <thead>
          <tr>
            <th scope="col">{t("scores.limit")}</th>
            <th scope="col" className="number">
              {t("scores.refused")}
            </th>
            <th scope="col" className="number">
              {t("scores.held")}
            </th>
            <th scope="col" className="number">
              {t("scores.average")}
            </th>
            <th scope="col" className="number">
              {t("scores.score")}
            </th>
            <th scope="col" className="number">
              {t("scores.ifHeld")}
            </th>
          </tr>
        </thead>
        <tbody>
          <ScoreRow title={t("scores.noLimit")} compared={unlimited} />
          <ScoreRow title={t("scores.siteTitle")} compared={site} />
          {lanes.map(({ name, refusing, holding }) => (
            <ScoreRow key={name} title={algorithmText(name).title} compared={refusing} holding={holding} />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

function ScoreRow({
  title,
  compared,
  holding,
}: {
  title: string;
  compared: ComparedScore;
  holding?: ComparedScore;
}) {
  const { average, score } = endOf(compared);
  return (
    <tr>
      <th scope="row">{title}</th>
      <td className="number">{formatter().number(compared.refused)}</td>
      <td className="number">{formatter().number(compared.held)}</td>
      <td className="number">{scoreText(average)}</td>
      <td className="number font-semibold text-water">{scoreText(score)}</td>
      <td className="number">{holding ? scoreText(endOf(holding).score) : "–"}</td>
    </tr>
  );
}

function endOf({ averages, scores }: ComparedScore): { average: number | null; score: number | null } {
  return { average: averages.at(-1) ?? null, score: scores.at(-1) ?? null };
}

function lineOf(stars: readonly (number | null)[], times: readonly number[]) {
  return times.map((at, index) => ({ at, stars: stars[index] ?? null }));
}
