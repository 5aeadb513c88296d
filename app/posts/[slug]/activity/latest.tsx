import { DecisionCell } from "@/app/_components/decision-cell";
import { durationText } from "@/app/_components/duration-text";
import { knownLimitName } from "@/app/_components/limit-name";
import { ScrollArea } from "@/app/_components/scroll-area";
import { Second } from "@/app/_components/time";
import { formatter, translator } from "@/lib/i18n";
import type { Activity } from "@/lib/ratings/decisions/activity";
import { limitText, whyText } from "./why-text";

interface LatestProps {
  activity: Activity;
  /** Whether limits on trial are listed where they disagree. */
  showsTrials: boolean;
}

/**
 * The latest attempts to rate a post, with decisions and reasons.
 * Names and scores are only for deciders.
 */
export function Latest({ activity: { latest }, showsTrials }: LatestProps) {
  const t = translator("activity");
  if (latest.length === 0) return null;
  const showsRaters = latest.some(({ rater }) => rater !== undefined);
  return (
    <section className="mt-10 border-t border-hairline pt-6">
      <h2 className="section-title mb-2">{t("latest.title", { count: latest.length })}</h2>
      <ScrollArea label={t("latest.label")}>
        <table className={showsRaters ? "table stacked" : "table"}>
          <thead>
            <tr>
              <th scope="col">{t("latest.when")}</th>
              {showsRaters && (
                <>
                  <th scope="col">{t("latest.who")}</th>
                  <th scope="col">{t("latest.stars")}</th>
                </>
              )}
              <th scope="col">{t("latest.decision")}</th>
              <th scope="col">{t("latest.why")}</th>
            </tr>
          </thead>
          <tbody>
            {latest.map((attempt) => (
              <tr key={attempt.id}>
                <td className="sm:whitespace-nowrap">
                  <Second at={attempt.at} />
                  {attempt.count > 1 && (
                    <span className="block text-quiet">
                      {t("latest.lastOf", {
                        count: attempt.count,
                        duration: durationText(attempt.lastedMs),
                      })}
                    </span>
                  )}
                </td>
                {attempt.rater && <RaterCells rater={attempt.rater} verb={attempt.verb} />}
                <DecisionCell allowed={attempt.allowed} held={attempt.held} />
                <td className="whole">
                  {whyText(attempt)}
                  {attempt.shadows
                    .filter(({ allowed }) => showsTrials && allowed !== (attempt.allowed && !attempt.held))
                    .map(({ policy, allowed, reason }) => (
                      <span key={policy} className="block">
                        {allowed
                          ? t("why.trialAccepts", { name: knownLimitName(policy) })
                          : `${t("why.trialRefuses", { name: knownLimitName(policy) })} ${limitText(policy, reason)}`}
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

type Attempt = Activity["latest"][number];

function RaterCells({ rater, verb }: { rater: NonNullable<Attempt["rater"]>; verb: Attempt["verb"] }) {
  const t = translator("activity");
  const { username, score } = rater;
  return (
    <>
      <td>{username ? <bdi>{username}</bdi> : t("latest.deletedAccount")}</td>
      <td data-label={t("latest.stars")}>
        {verb === "update" ? t("latest.changed", { score }) : formatter().number(score)}
      </td>
    </>
  );
}
