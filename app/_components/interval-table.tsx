import { formatter, translator } from "@/lib/i18n";

interface IntervalTableProps {
  /** The held column is shown only when a value is set. */
  rows: readonly { from: number; accepted: number; held?: number; refused: number; level: number | null }[];
  /** The column of measured levels; undefined for none. */
  levelName: string | undefined;
  /** Formats an interval's start. */
  when: (from: number) => React.ReactNode;
}

/** The numbers of an interval chart, one row per non-empty interval. */
export function IntervalTable({ rows, levelName, when }: IntervalTableProps) {
  const t = translator("figures");
  const format = formatter();
  const anyHeld = rows.some(({ held = 0 }) => held > 0);
  return (
    <table className="table numbers mt-2">
      <thead>
        <tr>
          <th scope="col">{t("from")}</th>
          <th scope="col">{t("accepted")}</th>
          {anyHeld && <th scope="col">{t("held")}</th>}
          <th scope="col">{t("refused")}</th>
          <th scope="col">{levelName ?? t("level")}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ from, accepted, held = 0, refused, level }) => (
          <tr key={from}>
            <th scope="row">{when(from)}</th>
            <td>{format.number(accepted)}</td>
            {anyHeld && <td>{format.number(held)}</td>}
            <td>{format.number(refused)}</td>
            <td>{level === null ? "–" : format.number(level, { maximumFractionDigits: 1 })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
