import { DecisionCell } from "@/app/_components/decision-cell";
import { ScrollArea } from "@/app/_components/scroll-area";
import { Moment } from "@/app/_components/time";
import { explainReason } from "@/lib/limiter/index";
import { formatNumber, formatShortDuration } from "@/lib/limiter/text";
import type { Activity } from "@/lib/ratings/decisions/activity";
import { ruleText } from "./rule-text";

/** The latest attempts to rate a post, with decisions and reasons. */
export function Latest({ activity: { latest } }: { activity: Activity }) {
  if (latest.length === 0) return null;
  return (
    <section className="mt-10 border-t border-hairline pt-6">
      <h2 className="section-title mb-2">The latest {latest.length}</h2>
      <ScrollArea label="The latest tries">
        <table className="table min-w-[36rem]">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Who</th>
              <th scope="col">Stars</th>
              <th scope="col">Decision</th>
              <th scope="col">Why</th>
            </tr>
          </thead>
          <tbody>
            {latest.map((attempt) => (
              <tr key={attempt.id}>
                <td className="whitespace-nowrap">
                  <Moment at={attempt.at} />
                  {attempt.count > 1 && (
                    <span className="block text-quiet">
                      the last of {formatNumber(attempt.count)} in {formatShortDuration(attempt.lastedMs)}
                    </span>
                  )}
                </td>
                <td>{attempt.username ? <bdi>{attempt.username}</bdi> : "deleted account"}</td>
                <td>
                  {attempt.score}
                  {attempt.verb === "update" && " (changed)"}
                </td>
                <DecisionCell allowed={attempt.allowed} held={attempt.held} />
                <td>
                  {attempt.reason ? (
                    <>
                      <span className="text-quiet">{attempt.policy}: </span>
                      {explainReason(attempt.reason)}
                    </>
                  ) : (
                    ruleText(attempt.policy)
                  )}
                  {attempt.shadows
                    .filter(({ allowed }) => allowed !== (attempt.allowed && !attempt.held))
                    .map(({ policy, allowed, reason }) => (
                      <span key={policy} className="block">
                        <span className="text-quiet">
                          {policy}, on trial, would have {allowed ? "accepted" : "refused"} it:{" "}
                        </span>
                        {explainReason(reason)}
                      </span>
                    ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </section>
  );
}
