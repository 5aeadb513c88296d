import { formatNumber } from "@/lib/limiter/text";
import type { LimitStatus } from "@/lib/observe/overview";
import { countedWords, limitText, modeText } from "./limit-words";
import { RefusalCharts } from "./refusal-charts";

interface LimitsSectionProps {
  limits: readonly LimitStatus[];
  /** Names of limits that are off. */
  off: readonly string[];
}

/** Each limit's settings and its decisions in the last 24 hours. */
export function LimitsSection({ limits, off }: LimitsSectionProps) {
  const anyHolds = limits.some(
    ({ policy, sums }) => (policy?.mode === "hold" && policy.counts === "rating.post") || sums.held > 0,
  );
  return (
    <>
      <RefusalCharts limits={limits} anyHolds={anyHolds} />
      <table className="table mt-8">
        <caption className="mb-2 text-start text-sm text-quiet">
          What each limit has decided in the last 24 hours. What is over one is refused, unless it says
          otherwise.
        </caption>
        <thead>
          <tr>
            <th scope="col">Limit</th>
            <th scope="col" className="number">
              Refused
            </th>
            {anyHolds && (
              <th scope="col" className="number">
                Held
              </th>
            )}
            <th scope="col" className="number pe-0">
              Allowed
            </th>
          </tr>
        </thead>
        {limits.map((limit) => (
          <LimitRows key={limit.name} limit={limit} anyHolds={anyHolds} />
        ))}
      </table>
      {off.length > 0 && (
        <p className="mt-3 text-sm text-quiet">
          {off.length === 1 ? "One is off" : "Off are"}: {off.join(", ")}.
        </p>
      )}
    </>
  );
}

function LimitRows({ limit, anyHolds }: { limit: LimitStatus; anyHolds: boolean }) {
  const { name, policy, sums } = limit;
  const isShadow = policy?.mode === "shadow";
  return (
    <tbody>
      <tr className="[&>*]:border-b-0 [&>*]:pb-0">
        <th scope="row" className="font-medium wrap-anywhere text-ink">
          <bdi>{name}</bdi>
        </th>
        <td className="number">
          <Bites count={sums.refused} isNothing={isShadow} />
        </td>
        {anyHolds && (
          <td className="number">
            <Bites count={sums.held} isNothing={isShadow} />
          </td>
        )}
        <td className="number pe-0">{formatNumber(sums.allowed)}</td>
      </tr>
      <tr>
        <td colSpan={anyHolds ? 4 : 3} className="pe-0 pt-0.5 text-quiet">
          <bdi>
            {policy
              ? `${countedWords[policy.counts]}. ${limitText(policy.parameters)}. ${modeText(policy)}`
              : "It is on no more."}
            {sums.shadowWouldRefuse > 0 && (
              <span className="text-ink"> It would have refused {formatNumber(sums.shadowWouldRefuse)}.</span>
            )}
          </bdi>
        </td>
      </tr>
    </tbody>
  );
}

/** A count, highlighted if it is not 0; empty if it does not apply. */
function Bites({ count, isNothing }: { count: number; isNothing: boolean }) {
  if (count === 0) return <span className="text-quiet">{isNothing ? "–" : 0}</span>;
  return <span className="font-semibold text-amber">{formatNumber(count)}</span>;
}
