import { ScrollArea } from "@/app/_components/scroll-area";
import { Section } from "@/app/_components/section";
import { Moment } from "@/app/_components/time";
import { formatNumber } from "@/lib/limiter/text";
import { windowAnchor } from "@/lib/paths";
import type { SavedWindowDecision } from "@/lib/ratings/decisions/activity";
import { decisionsMaximum } from "@/lib/ratings/decisions/flood-window-decisions";
import { DecidedBy } from "./decided-by";

/** The decisions on a post's flood windows, with their makers and reasons. */
export function DecisionLog({ decisions }: { decisions: readonly SavedWindowDecision[] }) {
  if (decisions.length === 0) return null;
  return (
    <Section
      title={
        decisions.length < decisionsMaximum
          ? "Decisions"
          : `The latest ${formatNumber(decisions.length)} decisions`
      }
    >
      <ScrollArea label="Decisions about floods">
        <table className="table min-w-[38rem]">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Flood</th>
              <th scope="col">Decision</th>
              <th scope="col">By</th>
              <th scope="col" className="w-2/5">
                Why
              </th>
              <th scope="col" className="number pe-0">
                Ratings
              </th>
            </tr>
          </thead>
          <tbody>
            {decisions.map((decision) => (
              <tr key={decision.id}>
                <td className="whitespace-nowrap">
                  <Moment at={decision.at} />
                </td>
                <td>
                  <a href={`#${windowAnchor(decision.window)}`}>{decision.window}</a>
                </td>
                <td>{decision.status}</td>
                <td>
                  <DecidedBy decision={decision} />
                </td>
                <td dir="auto" className="whitespace-pre-line">
                  {decision.why ?? "–"}
                </td>
                <td className="number pe-0">{formatNumber(decision.ratings)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </Section>
  );
}
