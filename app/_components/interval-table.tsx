import { formatNumber, formatTenths } from "@/lib/limiter/text";

interface IntervalTableProps {
  /** The held column is shown only when a value is set. */
  rows: readonly { from: number; accepted: number; held?: number; refused: number; level: number | null }[];
  /** The column of measured levels; undefined for none. */
  levelName: string | undefined;
  /** Formats an interval's start. */
  when: (from: number) => React.ReactNode;
}

/** The numbers of an interval chart, one row per non-empty interval. */
export function IntervalTable({ rows, levelName = "Level", when }: IntervalTableProps) {
  const anyHeld = rows.some(({ held = 0 }) => held > 0);
  return (
    <table className="table mt-2 min-w-[22rem] [&_:is(th,td):not(:first-child)]:text-end">
      <thead>
        <tr>
          <th scope="col">From</th>
          <th scope="col">Accepted</th>
          {anyHeld && <th scope="col">Held</th>}
          <th scope="col">Refused</th>
          <th scope="col">{levelName}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ from, accepted, held = 0, refused, level }) => (
          <tr key={from}>
            <th scope="row">{when(from)}</th>
            <td>{formatNumber(accepted)}</td>
            {anyHeld && <td>{formatNumber(held)}</td>}
            <td>{formatNumber(refused)}</td>
            <td>{level === null ? "–" : formatTenths(level)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
