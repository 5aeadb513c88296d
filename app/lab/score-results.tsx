// Over 200 lines: one table and its charts, read top to bottom.

import { scaleUtc } from "d3-scale";
import type { TableLink } from "@/app/_components/as-table";
import { durationText } from "@/app/_components/duration-text";
import { limitName } from "@/app/_components/limit-name";
import { scoreText } from "@/app/_components/score";
import { type ChartBar, type ChartLine, ScoreChart } from "@/app/_components/score-chart";
import { ScrollArea } from "@/app/_components/scroll-area";
import { formatter, translator } from "@/lib/i18n";
import { type LabQuery, labPath, siteTable } from "@/lib/lab/address";
import {
  type ComparedRow,
  type ComparedScore,
  endOf,
  type ScoreComparison,
  type ScoreEnd,
} from "@/lib/lab/compare-scores";
import { decidingLimits, floodDetection } from "@/lib/lab/site-limits";
import type { Limit } from "@/lib/limits";
import { limits } from "@/lib/limits/index";
import { env } from "@/lib/settings/env";
import { algorithmText } from "./algorithm-text";
import type { ChosenOfSite } from "./fresh-page";
import { siteLimitText } from "./site-limit-text";
import { axisLabels, type TraceClock, timeText } from "./time-text";

interface ScoreResultsProps {
  comparison: ScoreComparison;
  clock: TraceClock;
  site: ChosenOfSite;
  /** The address of the comparison; left out where it has none. */
  query?: LabQuery | undefined;
}

/** Where each limit leads the score: a table of all, and a chart of each. */
export function ScoreResults({ comparison, clock, site, query }: ScoreResultsProps) {
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
      <ScoreTable comparison={comparison} limits={decidingLimits(site.limits)} query={query} />
      <section id={scoresId(siteTable)} aria-labelledby="site-scores" className="lab-row">
        <h4 id="site-scores">{t("scores.siteTitle")}</h4>
        <SiteLimitList site={site} />
        <LimitChart
          title={t("scores.siteTitle")}
          comparison={comparison}
          clock={clock}
          compared={comparison.site}
          table={tableLink(siteTable, query)}
        />
      </section>
      {comparison.rows.map((row) => (
        <RowScores key={row.name} row={row} comparison={comparison} clock={clock} query={query} />
      ))}
    </section>
  );
}

function scoresId(name: string): string {
  return `${name}-scores`;
}

function tableLink(name: string, query: LabQuery | undefined): TableLink | undefined {
  if (!query) return undefined;
  return { path: `${labPath({ ...query, table: name })}#${scoresId(name)}`, isOpen: query.table === name };
}

/** The site's limits that decide here, all at once. */
function SiteLimitList({ site }: Pick<ScoreResultsProps, "site">) {
  const t = translator("lab");
  const deciding = decidingLimits(site.limits);
  return (
    <div className="mb-2 text-sm text-quiet">
      <p>
        {t("scores.siteAbout", {
          count: deciding.length,
          detects: site.scoring.detectsFloods ? "yes" : "no",
        })}
        {limits["rating.address"].length > 0 && ` ${t("scores.siteAddress")}`}
        {env.RATING_OVERFLOW === "wait" &&
          ` ${t("scores.siteWaits", { duration: durationText(env.RATING_MAX_WAIT_MS) })}`}
      </p>
      <ul className="mt-1 list-disc ps-5">
        {deciding.map((limit) => (
          <li key={limit.name}>{siteLimitText(limit)}</li>
        ))}
      </ul>
    </div>
  );
}

function RowScores({
  row: { name, refusing, holding, overLimit },
  comparison,
  clock,
  query,
}: { row: ComparedRow } & Pick<ScoreResultsProps, "comparison" | "clock" | "query">) {
  const { title, about } = algorithmText(name);
  return (
    <section id={scoresId(name)} aria-labelledby={`${name}-score`} className="lab-row">
      <h4 id={`${name}-score`}>{title}</h4>
      <p>{about}</p>
      <LimitChart
        title={title}
        comparison={comparison}
        clock={clock}
        compared={refusing}
        holding={holding}
        overLimit={overLimit}
        table={tableLink(name, query)}
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
  table: TableLink | undefined;
}

function LimitChart(props: LimitChartProps) {
  const { title, comparison, clock, compared, holding, overLimit, table } = props;
  const t = translator("lab");
  const { from, to, times, bars, flood } = comparison;
  const end = endOf(compared);
  // The same flood in all charts: the first names it.
  const floodTexts = overLimit ? [] : [t("shown.flood")];
  const lines: ChartLine[] = [
    { look: "average", name: t("scores.lines.average"), points: lineOf(compared.averages, times) },
    ...(holding
      ? [{ look: "limited" as const, name: t("scores.lines.held"), points: lineOf(holding.scores, times) }]
      : []),
    { look: "score", name: t("scores.lines.score"), points: lineOf(compared.scores, times) },
  ];
  const ticks = scaleUtc()
    .domain([from, to])
    .ticks(4)
    .map((tick) => tick.getTime());
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
      floods={flood ? [{ ...flood, status: compared.held > 0 ? "held" : "counted", texts: floodTexts }] : []}
      table={table}
      ticks={axisLabels(ticks, { ...clock, spanMs: to - from })}
    />
  );
}

interface ScoreTableProps extends Pick<ScoreResultsProps, "comparison" | "query"> {
  /** The site's limits that decide. */
  limits: readonly Limit[];
}

function ScoreTable({ comparison: { unlimited, site, siteAlone, rows }, limits, query }: ScoreTableProps) {
  const t = translator("lab");
  const aloneText = (name: string) =>
    t("scores.siteAlone", {
      what:
        name === floodDetection
          ? t("scores.floods")
          : limitName(
              name,
              limits.find((limit) => limit.name === name),
            ),
    });
  return (
    <ScrollArea label={t("scores.title")}>
      <table className="table numbers mt-4 sm:[&_th:first-child]:min-w-36">
        <thead>
          <tr>
            {(["limit", "score", "average", "refused", "held", "ifHeld"] as const).map((column) => (
              <th key={column} scope="col">
                {t(`scores.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <ScoreRow title={t("scores.noLimit")} end={endOf(unlimited)} />
          <ScoreRow title={t("scores.siteTitle")} end={endOf(site)} />
          {siteAlone.map(({ name, end }) => (
            <ScoreRow
              key={name}
              title={
                <span className="ms-2 inline-block font-normal sm:ms-4">
                  {query ? (
                    <a href={`${labPath({ ...query, limits: [name] })}#${scoresId(siteTable)}`}>
                      {aloneText(name)}
                    </a>
                  ) : (
                    aloneText(name)
                  )}
                </span>
              }
              end={end}
            />
          ))}
          {rows.map(({ name, refusing, holding }) => (
            <ScoreRow
              key={name}
              title={algorithmText(name).title}
              end={endOf(refusing)}
              ifHeld={endOf(holding).score}
            />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

interface ScoreRowProps {
  title: React.ReactNode;
  end: ScoreEnd;
  /** The score when ratings over the limit are held; left out for the site. */
  ifHeld?: number | null;
}

function ScoreRow({ title, end: { refused, held, average, score }, ifHeld }: ScoreRowProps) {
  return (
    <tr>
      <th scope="row">{title}</th>
      <td>
        <b className="font-semibold text-water">{scoreText(score)}</b>
      </td>
      <td>{scoreText(average)}</td>
      <td>{formatter().number(refused)}</td>
      <td>{formatter().number(held)}</td>
      <td>{ifHeld === undefined ? "–" : scoreText(ifHeld)}</td>
    </tr>
  );
}

function lineOf(stars: readonly (number | null)[], times: readonly number[]) {
  return times.map((at, index) => ({ at, stars: stars[index] ?? null }));
}
