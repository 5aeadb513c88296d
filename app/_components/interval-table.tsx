import { formatNumber, formatTenths } from "./format-number";

interface IntervalTableProps {
  /** What is held has a column when there is any. */
  rows: readonly { from: number; accepted: number; held?: number; refused: number; level: number | null }[];
  /** What is measured; undefined when that is not known. */
  levelName: string | undefined;
  /** When an interval begins, as it is to be shown. */
  when: (from: number) => React.ReactNode;
}

/** The numbers of a chart of intervals: a row for each that had any. */
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
