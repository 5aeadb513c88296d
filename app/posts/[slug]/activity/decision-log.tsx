import { ScrollArea } from "@/app/_components/scroll-area";
import { Section } from "@/app/_components/section";
import { Moment } from "@/app/_components/time";
import { formatter, translator } from "@/lib/i18n";
import { windowAnchor } from "@/lib/paths";
import type { SavedWindowDecision } from "@/lib/ratings/decisions/activity";
import { decisionsMaximum } from "@/lib/ratings/decisions/flood-window-decisions";
import { DecidedBy } from "./decided-by";

const columns = ["when", "flood", "decision", "by"] as const;

/** The decisions on a post's flood windows, with their makers and reasons. */
export function DecisionLog({ decisions }: { decisions: readonly SavedWindowDecision[] }) {
  const t = translator("activity");
  const format = formatter();
  if (decisions.length === 0) return null;
  return (
    <Section
      title={
        decisions.length < decisionsMaximum ? t("log.title") : t("log.latest", { count: decisions.length })
      }
    >
      <ScrollArea label={t("log.label")}>
        <table className="table stacked">
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {t(`log.${column}`)}
                </th>
              ))}
              <th scope="col" className="w-2/5">
                {t("log.why")}
              </th>
              <th scope="col" className="number pe-0">
                {t("log.ratings")}
              </th>
            </tr>
          </thead>
          <tbody>
            {decisions.map((decision) => (
              <tr key={decision.id}>
                <td className="whitespace-nowrap">
                  <Moment at={decision.at} />
                </td>
                <td data-label={t("log.flood")}>
                  <a href={`#${windowAnchor(decision.window)}`}>{format.number(decision.window)}</a>
                </td>
                <td>{t(`log.${decision.status}`)}</td>
                <td>
                  {decision.decidedBy === "person" ? (
                    <DecidedBy username={decision.username} />
                  ) : (
                    t(`log.${decision.decidedBy}`)
                  )}
                </td>
                <td className="whole whitespace-pre-line">
                  <bdi>{decision.why ?? "–"}</bdi>
                </td>
                <td data-label={t("log.ratings")} className="number pe-0">
                  {format.number(decision.ratings)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </Section>
  );
}
