import { AsTable, type TableLink } from "@/app/_components/as-table";
import { DecisionCell } from "@/app/_components/decision-cell";
import { IntervalTable } from "@/app/_components/interval-table";
import { translator } from "@/lib/i18n";
import { algorithmText } from "./algorithm-text";
import type { RowDrawing } from "./draw";
import { reasonText } from "./reason-text";
import { type TraceClock, timeText } from "./time-text";

interface RowTableProps {
  row: RowDrawing;
  link: TableLink;
  clock: TraceClock;
}

/** The chart's numbers: a row for each attempt, or for each interval that had any. */
export function RowTable({ row: { name, attempts, intervals, notListed }, link, clock }: RowTableProps) {
  const t = translator("lab");
  if (attempts.length + intervals.length === 0) return <p className="text-quiet">{t("row.nothing")}</p>;
  return (
    <AsTable label={t("row.table", { title: algorithmText(name).title })} link={link}>
      {attempts.length > 0 ? (
        <AttemptTable attempts={attempts} clock={clock} />
      ) : (
        <IntervalTable
          rows={intervals}
          levelName={undefined}
          when={(from) => <bdi>{timeText(from, clock)}</bdi>}
        />
      )}
      {notListed > 0 && <p className="mt-2 text-quiet">{t("row.more", { count: notListed })}</p>}
    </AsTable>
  );
}

function AttemptTable({ attempts, clock }: Pick<RowDrawing, "attempts"> & { clock: TraceClock }) {
  const t = translator("lab");
  const exact = { ...clock, stepMs: 1 };
  return (
    <table className="table mt-2">
      <thead>
        <tr>
          <th scope="col">{t("row.when")}</th>
          <th scope="col">{t("row.decision")}</th>
          <th scope="col">{t("row.why")}</th>
        </tr>
      </thead>
      <tbody>
        {attempts.map(({ at, allowed, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: several may come at the same time, and none ever moves
          <tr key={index}>
            <th scope="row" className="whitespace-nowrap">
              <bdi>{timeText(at, exact)}</bdi>
            </th>
            <DecisionCell allowed={allowed} />
            <td>
              <bdi>{reasonText(reason)}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
