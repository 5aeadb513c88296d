import { many } from "@/app/_components/figures";
import type { LimitStatus } from "@/lib/observe/overview";
import { countedWords, limitText, modeWords } from "./limit-words";
import { RefusalCharts } from "./refusal-charts";

interface LimitsSectionProps {
  limits: readonly LimitStatus[];
  /** The names of those that are off. */
  off: readonly string[];
}

/** How often each limit has bitten in the last 24 hours, and what each of them is. */
export function LimitsSection({ limits, off }: LimitsSectionProps) {
  const anyHolds = limits.some(({ policy, sums }) => policy?.mode === "hold" || sums.held > 0);
  return (
    <>
      <RefusalCharts limits={limits} />
      <table className="table mt-8">
        <caption className="mb-2 text-start text-sm text-quiet">
          What each limit has decided in the last 24 hours
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
        <tbody>
          {limits.map((limit) => (
            <LimitRow key={limit.name} limit={limit} anyHolds={anyHolds} />
          ))}
        </tbody>
      </table>
      {off.length > 0 && (
        <p className="mt-3 text-sm text-quiet">
          {off.length === 1 ? "One is off" : "Off are"}: {off.join(", ")}.
        </p>
      )}
    </>
  );
}

function LimitRow({ limit, anyHolds }: { limit: LimitStatus; anyHolds: boolean }) {
  const { name, policy, sums } = limit;
  const isShadow = policy?.mode === "shadow";
  return (
    <tr>
      <th scope="row" className="font-normal">
        <span className="font-medium wrap-anywhere text-ink" dir="ltr">
          {name}
        </span>
        {policy ? (
          <>
            <span className="block">
              {countedWords[policy.counts]}; {modeWords[policy.mode]}
            </span>
            <span className="block">{limitText(policy.parameters)}</span>
          </>
        ) : (
          <span className="block">On no more</span>
        )}
        {sums.shadowWouldRefuse > 0 && (
          <span className="block">Would have refused {many(sums.shadowWouldRefuse)}</span>
        )}
      </th>
      <td className="number">
        <Bites count={sums.refused} isNothing={isShadow} />
      </td>
      {anyHolds && (
        <td className="number">
          <Bites count={sums.held} isNothing={isShadow} />
        </td>
      )}
      <td className="number pe-0">{many(sums.allowed)}</td>
    </tr>
  );
}

/** A number that catches the eye unless it is 0; nothing where there can be none. */
function Bites({ count, isNothing }: { count: number; isNothing: boolean }) {
  if (count === 0) return <span className="text-quiet">{isNothing ? "–" : 0}</span>;
  return <span className="font-semibold text-amber">{many(count)}</span>;
}
