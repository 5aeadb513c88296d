import { ScrollArea } from "@/app/_components/scroll-area";
import type { Summary } from "@/lib/lab/simulate";
import { algorithmDefinition } from "@/lib/limiter/index";
import { formatNumber, formatShortDuration } from "@/lib/limiter/text";

/**
 * A row per algorithm, for the whole trace.
 * For a generated trace it also shows the refused honest requests and the passed flood.
 */
export function Comparison({ runs }: { runs: { name: string; summary: Summary }[] }) {
  const knowsHonest = runs.some(({ summary }) => summary.honest);
  const knowsFlood = runs.some(({ summary }) => summary.flood);
  return (
    <div className="mt-6">
      <ScrollArea label="Comparison">
        <table className="table [&_:is(tbody_th,td)]:whitespace-nowrap [&_:is(th,td):last-child]:pe-0">
          <caption className="pb-1 text-start text-sm text-quiet">Over the whole trace</caption>
          <thead>
            <tr>
              <th scope="col">Algorithm</th>
              <Column>Accepted</Column>
              <Column>Refused</Column>
              <Column>Most in a second</Column>
              <Column>Longest wait</Column>
              {knowsHonest && <Column>Honest refused</Column>}
              {knowsFlood && <Column>Flood passed</Column>}
            </tr>
          </thead>
          <tbody>
            {runs.map(({ name, summary }) => (
              <tr key={name}>
                <th scope="row">
                  <a href={`#${name}`}>{algorithmDefinition(name).title}</a>
                </th>
                <td className="number">{formatNumber(summary.accepted)}</td>
                <td className={summary.refused > 0 ? "number font-medium text-amber" : "number"}>
                  {formatNumber(summary.refused)}
                </td>
                <td className="number">{formatNumber(summary.mostInAnySecond)}</td>
                <td className="number">
                  <bdi>{longestText(summary.longestWaitMs)}</bdi>
                </td>
                {knowsHonest && (
                  <td className="number">
                    {summary.honest && <Share part={summary.honest.refused} of={summary.honest.total} />}
                  </td>
                )}
                {knowsFlood && (
                  <td className="number">
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
  return (
    <th scope="col" className="number">
      {children}
    </th>
  );
}

function Share({ part, of }: { part: number; of: number }) {
  const percent = (part / of) * 100;
  const text = percent > 0 && percent < 1 ? "<1" : percent > 99 && percent < 100 ? ">99" : percent.toFixed(0);
  return (
    <>
      {formatNumber(part)} <span className="text-quiet">{text}%</span>
    </>
  );
}

function longestText(longestWaitMs: Summary["longestWaitMs"]): string {
  if (longestWaitMs === null) return "–";
  return longestWaitMs === "for ever" ? "for ever" : formatShortDuration(longestWaitMs);
}
