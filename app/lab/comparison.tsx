import { ScrollArea } from "@/app/_components/scroll-area";
import { formatter, translator } from "@/lib/i18n";
import type { RunSummary } from "@/lib/lab/simulate";
import { algorithmText, shortDuration } from "./algorithm-text";

/**
 * A row per algorithm, for the whole trace.
 * For a generated trace it also shows the refused honest requests and the passed flood.
 */
export function Comparison({ runs }: { runs: { name: string; summary: RunSummary }[] }) {
  const t = translator("lab");
  const knowsHonest = runs.some(({ summary }) => summary.honest);
  const knowsFlood = runs.some(({ summary }) => summary.flood);
  return (
    <div className="mt-6">
      <ScrollArea label={t("comparison.label")}>
        <table className="table numbers stacked [&_:is(tbody_th,td)]:whitespace-nowrap">
          <caption className="pb-1 text-start text-sm text-quiet">{t("comparison.caption")}</caption>
          <thead>
            <tr>
              <th scope="col">{t("comparison.algorithm")}</th>
              <Column>{t("comparison.accepted")}</Column>
              <Column>{t("comparison.refused")}</Column>
              <Column>{t("comparison.most")}</Column>
              <Column>{t("comparison.wait")}</Column>
              {knowsHonest && <Column>{t("comparison.honest")}</Column>}
              {knowsFlood && <Column>{t("comparison.flood")}</Column>}
            </tr>
          </thead>
          <tbody>
            {runs.map(({ name, summary }) => (
              <tr key={name}>
                <th scope="row" className="whole">
                  <a href={`#${name}`}>{algorithmText(name).title}</a>
                </th>
                <td data-label={t("comparison.accepted")}>{formatter().number(summary.accepted)}</td>
                <td
                  data-label={t("comparison.refused")}
                  className={summary.refused > 0 ? "font-medium text-amber" : undefined}
                >
                  {formatter().number(summary.refused)}
                </td>
                <td data-label={t("comparison.most")}>{formatter().number(summary.mostInAnySecond)}</td>
                <td data-label={t("comparison.wait")}>
                  <bdi>{longestText(summary.longestWaitMs)}</bdi>
                </td>
                {knowsHonest && (
                  <td data-label={t("comparison.honest")}>
                    {summary.honest && <Share part={summary.honest.refused} of={summary.honest.total} />}
                  </td>
                )}
                {knowsFlood && (
                  <td data-label={t("comparison.flood")}>
                    {summary.flood && <Share part={summary.flood.passed} of={summary.flood.total} />}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </div>
  );
}

function Column({ children }: { children: string }) {
  return <th scope="col">{children}</th>;
}

function Share({ part, of }: { part: number; of: number }) {
  const percent = (part / of) * 100;
  const t = translator("lab");
  const text =
    percent > 0 && percent < 1
      ? t("comparison.under")
      : percent > 99 && percent < 100
        ? t("comparison.over")
        : formatter().number(percent, { maximumFractionDigits: 0 });
  return (
    <>
      {formatter().number(part)} <span className="text-quiet">{t("comparison.percent", { text })}</span>
    </>
  );
}

function longestText(longestWaitMs: RunSummary["longestWaitMs"]): string {
  if (longestWaitMs === null) return "–";
  return longestWaitMs === "for ever"
    ? translator("lab")("comparison.forEver")
    : shortDuration(longestWaitMs);
}
