import { summaryText } from "@/app/_components/limit-text";
import { translator } from "@/lib/i18n";
import { type LabQuery, labPath } from "@/lib/lab/address";
import type { View } from "@/lib/lab/intervals";
import { env } from "@/lib/settings/env";
import { ratingVariables } from "@/lib/settings/rating-settings";
import { algorithmText } from "./algorithm-text";
import type { RowDrawing } from "./draw";
import { RowChart } from "./row-chart";
import { RowTable } from "./row-table";
import type { TraceClock } from "./time-text";

interface AlgorithmRowProps {
  row: RowDrawing;
  query: LabQuery;
  view: View;
  clock: TraceClock;
}

/** One algorithm: its decisions over time, its level, and how to configure it. */
export function AlgorithmRow({ row, query, view, clock }: AlgorithmRowProps) {
  const { name, parameters, accepted, refused } = row;
  const t = translator("lab");
  const { title } = algorithmText(name);
  return (
    <section id={name} aria-labelledby={`${name}-title`} className="lab-row">
      <div className="lab-row-head">
        <h4 id={`${name}-title`}>{title}</h4>
        <p>
          <bdi>{summaryText(parameters)}</bdi>
          {isInForce(row, query) && <span className="text-ink">{` · ${t("row.inForce")}`}</span>}
        </p>
        <p className="lab-row-counts">
          <bdi className="text-water">{t("row.accepted", { count: accepted })}</bdi>
          <bdi className="text-amber">{t("row.refused", { count: refused })}</bdi>
        </p>
      </div>
      <RowChart row={row} view={view} clock={clock} />
      <div className="lab-row-foot">
        <RowTable
          row={row}
          link={{ path: `${labPath({ ...query, table: name })}#${name}`, isOpen: query.table === name }}
          clock={clock}
        />
        <a href={environmentPath(row, query)} aria-label={t("row.linesOf", { title })}>
          {t("row.lines")}
        </a>
      </div>
    </section>
  );
}

function isInForce({ name }: RowDrawing, { settings }: LabQuery): boolean {
  return (
    env.RATING_LIMITER === name &&
    !("rating.post" in env.LIMITS) &&
    ratingVariables(name).every((variable) => settings[variable.name] === undefined)
  );
}

function environmentPath({ name }: RowDrawing, { settings }: LabQuery): string {
  const own = Object.fromEntries(
    ratingVariables(name).map((variable) => [variable.name, settings[variable.name]]),
  );
  return labPath({ settings: own, rows: [name] }, "/lab/environment");
}
