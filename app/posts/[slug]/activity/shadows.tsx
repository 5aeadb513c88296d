import { scaleLinear } from "d3-scale";
import { AsTable } from "@/app/_components/as-table";
import { knownLimitName } from "@/app/_components/limit-name";
import { Second } from "@/app/_components/time";
import { TimeAxis, timeScale } from "@/app/_components/time-axis";
import { formatter, translator } from "@/lib/i18n";
import type { Activity, ShadowComparison } from "@/lib/ratings/decisions/activity";

const half = 36;
const height = 2 * half + 28;

/** Where shadow policies disagree with the decisions, for administrators. */
export function Shadows({ activity }: { activity: Activity }) {
  return activity.shadows.map((shadow) => (
    <section
      key={shadow.policy}
      aria-labelledby={headingId(shadow)}
      className="mt-10 border-t border-hairline pt-6"
    >
      <h2 id={headingId(shadow)} className="section-title">
        {translator("activity").rich("trial.title", {
          name: () => <bdi className="break-words">{knownLimitName(shadow.policy)}</bdi>,
        })}
      </h2>
      <Comparison shadow={shadow} activity={activity} />
    </section>
  ));
}

function Comparison({ shadow, activity }: { shadow: ShadowComparison; activity: Activity }) {
  const { agreed, disagreements } = shadow;
  const t = translator("activity");
  const format = formatter();
  if (disagreements.length === 0)
    return <p className="mt-2 text-quiet">{t("trial.allAgreed", { count: agreed })}</p>;
  const sum = (what: "wouldRefuse" | "wouldAccept") =>
    disagreements.reduce((total, interval) => total + interval[what], 0);
  return (
    <figure className="mt-2">
      <figcaption className="mb-4 text-[0.9375rem]">
        <p className="mb-3 text-quiet">{t("trial.agreed", { count: agreed })}</p>
        <p className="flex flex-wrap gap-x-6">
          <span className="text-amber">{t("trial.wouldRefuse", { count: sum("wouldRefuse") })}</span>
          <span className="text-water">{t("trial.wouldAccept", { count: sum("wouldAccept") })}</span>
        </p>
      </figcaption>
      <ShadowChart shadow={shadow} activity={activity} />
      <AsTable label={t("trial.chart", { name: knownLimitName(shadow.policy) })}>
        <table className="table mt-2">
          <thead>
            <tr>
              <th scope="col">{t("trial.from")}</th>
              <th scope="col">{t("trial.refuse")}</th>
              <th scope="col">{t("trial.accept")}</th>
            </tr>
          </thead>
          <tbody>
            {disagreements.map(({ from, wouldRefuse, wouldAccept }) => (
              <tr key={from}>
                <th scope="row">
                  <Second at={from} />
                </th>
                <td>{format.number(wouldRefuse)}</td>
                <td>{format.number(wouldAccept)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </AsTable>
    </figure>
  );
}

function headingId({ policy }: ShadowComparison): string {
  return `shadow-${policy}`;
}

/**
 * The requests on which a policy and the enforced one disagree.
 * Requests that the policy would have refused are above the axis, those that it would have accepted below it.
 */
function ShadowChart({ shadow, activity }: { shadow: ShadowComparison; activity: Activity }) {
  const { intervals, intervalMs } = activity;
  const { disagreements, policy } = shadow;
  const time = timeScale(intervals, intervalMs);
  const width = 100 / intervals.length;
  const most = Math.max(
    ...disagreements.flatMap(({ wouldRefuse, wouldAccept }) => [wouldRefuse, wouldAccept]),
  );
  const count = scaleLinear().domain([0, most]).range([0, half]);
  const titleId = `shadow-chart-${policy}`;
  return (
    <svg width="100%" height={height} role="img" aria-labelledby={titleId} className="chart">
      <title id={titleId}>{translator("activity")("trial.chart", { name: knownLimitName(policy) })}</title>
      {disagreements.map(({ from, wouldRefuse, wouldAccept }) => {
        const bar = { x: `${time(from) + width * 0.1}%`, width: `${width * 0.8}%` };
        return (
          <g key={from}>
            {wouldRefuse > 0 && (
              <rect
                {...bar}
                y={half - count(wouldRefuse)}
                height={count(wouldRefuse)}
                className="fill-amber"
              />
            )}
            {wouldAccept > 0 && (
              <rect {...bar} y={half + 1} height={count(wouldAccept)} className="fill-water" />
            )}
          </g>
        );
      })}
      <line x1="0" x2="100%" y1={half + 0.5} y2={half + 0.5} className="stroke-hairline" />
      <TimeAxis intervals={intervals} intervalMs={intervalMs} y={height - 6} />
    </svg>
  );
}
