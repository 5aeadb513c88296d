import { many, tenths } from "./figures";

interface IntervalTableProps {
  rows: readonly { from: number; accepted: number; refused: number; level: number | null }[];
  /** What is measured; undefined when that is not known. */
  levelName: string | undefined;
  /** When an interval begins, as it is to be shown. */
  when: (from: number) => React.ReactNode;
}

/** The numbers of a chart of intervals: a row for each that had any. */
export function IntervalTable({ rows, levelName = "Level", when }: IntervalTableProps) {
  return (
    <table className="table mt-2 min-w-[22rem] [&_:is(th,td):not(:first-child)]:text-end">
      <thead>
        <tr>
          <th scope="col">From</th>
          <th scope="col">Accepted</th>
          <th scope="col">Refused</th>
          <th scope="col">{levelName}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ from, accepted, refused, level }) => (
          <tr key={from}>
            <th scope="row">{when(from)}</th>
            <td>{many(accepted)}</td>
            <td>{many(refused)}</td>
            <td>{level === null ? "–" : tenths(level)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
