import { many } from "@/app/_components/figures";
import { IntervalTable } from "@/app/_components/interval-table";
import { levelWords } from "@/app/_components/level-words";
import { Scrolled } from "@/app/_components/scrolled";
import { reasonText } from "@/app/posts/[slug]/activity/reason-text";
import { countsOf, type View } from "@/lib/lab/intervals";
import { measureOf } from "@/lib/lab/levels";
import type { AlgorithmName } from "@/lib/lab/settings";
import type { DecidedRequest } from "@/lib/lab/simulate";
import { type Clock, timeText } from "./time-text";
import { algorithmWords } from "./words";

const rowsMaximum = 60;

interface LaneTableProps {
  name: AlgorithmName;
  shown: DecidedRequest[];
  view: View;
  clock: Clock;
}

/** The chart's numbers: a row for each try, or for each interval that had any. */
export function LaneTable({ name, shown, view, clock }: LaneTableProps) {
  if (shown.length === 0) return <p className="text-quiet">Nothing came in this part.</p>;
  return (
    <details className="min-w-0 grow open:w-full">
      <summary className="text-quiet">As a table</summary>
      <Scrolled label={`${algorithmWords[name].name} as a table`}>
        {view.hasSingles ? (
          <Tries shown={shown} clock={clock} />
        ) : (
          <IntervalRows shown={shown} view={view} clock={clock} />
        )}
      </Scrolled>
    </details>
  );
}

function Tries({ shown, clock }: Pick<LaneTableProps, "shown" | "clock">) {
  const exact = { ...clock, stepMs: 1 };
  return (
    <>
      <table className="table mt-2 min-w-[26rem]">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Decision</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {shown.slice(0, rowsMaximum).map(({ at, decision }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: several may come at the same time, and none ever moves
            <tr key={index}>
              <th scope="row" className="whitespace-nowrap">
                <bdi>{timeText(at, exact)}</bdi>
              </th>
              <td className={decision.allowed ? "text-water" : "font-medium text-amber"}>
                {decision.allowed ? "accepted" : "refused"}
              </td>
              <td>
                <bdi>{reasonText(decision.reason)}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <More rows={shown.length} />
    </>
  );
}

function IntervalRows({ shown, view, clock }: Pick<LaneTableProps, "shown" | "view" | "clock">) {
  const counts = countsOf(shown, view);
  const rows = counts
    .slice(0, rowsMaximum)
    .map((row) => ({ ...row, level: levelAtEnd(shown, row.from, view.lengthMs) }));
  return (
    <>
      <IntervalTable
        rows={rows}
        levelName={levelWords(shown[0]?.decision.reason)?.name}
        when={(from) => <bdi>{timeText(from, clock)}</bdi>}
      />
      <More rows={counts.length} />
    </>
  );
}

/** The last that was measured in an interval: what the next one begins with. */
function levelAtEnd(shown: DecidedRequest[], from: number, lengthMs: number): number | null {
  const last = shown.findLast(({ at }) => at >= from && at < from + lengthMs);
  const measure = last && measureOf(last.decision.reason, last.decision.allowed);
  return measure?.after ?? null;
}

function More({ rows }: { rows: number }) {
  if (rows <= rowsMaximum) return null;
  return (
    <p className="mt-2 text-quiet">
      {many(rows - rowsMaximum)} more are not listed: show a shorter part of the trace to see them.
    </p>
  );
}
