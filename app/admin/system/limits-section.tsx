import { limitName, modeText } from "@/app/_components/limit-name";
import { limitText } from "@/app/_components/limit-text";
import { formatter, translator } from "@/lib/i18n";
import type { PolicyName } from "@/lib/limits/default-limits";
import type { LimitStatus } from "@/lib/observe/overview";
import { RefusalCharts } from "./refusal-charts";

interface LimitsSectionProps {
  limits: readonly LimitStatus[];
  /** Names of limits that are off. */
  off: readonly PolicyName[];
}

/** Each limit's settings and its decisions in the last 24 hours. */
export function LimitsSection({ limits, off }: LimitsSectionProps) {
  const t = translator("adminSystem");
  const anyHolds = limits.some(
    ({ policy, sums }) => (policy?.mode === "hold" && policy.counts === "rating.post") || sums.held > 0,
  );
  return (
    <>
      <RefusalCharts limits={limits} anyHolds={anyHolds} />
      <table className="table mt-8">
        <caption className="mb-2 text-start text-sm text-quiet">{t("limits.caption")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("limits.limit")}</th>
            <th scope="col" className="number">
              {t("limits.refused")}
            </th>
            {anyHolds && (
              <th scope="col" className="number">
                {t("limits.held")}
              </th>
            )}
            <th scope="col" className="number pe-0">
              {t("limits.allowed")}
            </th>
          </tr>
        </thead>
        {limits.map((limit) => (
          <LimitRows key={limit.name} limit={limit} anyHolds={anyHolds} />
        ))}
      </table>
      {off.length > 0 && (
        <p className="mt-3 text-sm text-quiet">
          {t("limits.off", {
            count: off.length,
            names: formatter().list(off.map((counts) => limitName(counts, { counts }))),
          })}
        </p>
      )}
    </>
  );
}

function LimitRows({ limit, anyHolds }: { limit: LimitStatus; anyHolds: boolean }) {
  const t = translator("adminSystem");
  const { name, policy, sums } = limit;
  const isShadow = policy?.mode === "shadow";
  return (
    <tbody>
      <tr className="[&>*]:border-b-0 [&>*]:pb-0">
        <th scope="row" className="font-medium wrap-anywhere text-ink">
          {limitName(name, policy)}
        </th>
        <td className="number">
          <HighlightedCount count={sums.refused} isNothing={isShadow} />
        </td>
        {anyHolds && (
          <td className="number">
            <HighlightedCount count={sums.held} isNothing={isShadow} />
          </td>
        )}
        <td className="number pe-0">{formatter().number(sums.allowed)}</td>
      </tr>
      <tr>
        <td colSpan={anyHolds ? 4 : 3} className="pe-0 pt-0.5 text-quiet">
          {policy ? (
            <>
              <code>{name}</code>
              {` · ${limitText(policy.parameters)}. ${modeText(policy)}`}
            </>
          ) : (
            t("limits.gone")
          )}
          {sums.shadowWouldRefuse > 0 && (
            <span className="text-ink">
              {" "}
              {t("limits.wouldHaveRefused", { count: sums.shadowWouldRefuse })}
            </span>
          )}
        </td>
      </tr>
    </tbody>
  );
}

/** A count, highlighted if it is not 0; a dash if it does not apply. */
function HighlightedCount({ count, isNothing }: { count: number; isNothing: boolean }) {
  if (count > 0) return <span className="font-semibold text-amber">{formatter().number(count)}</span>;
  return (
    <span className="text-quiet">
      {isNothing ? translator("adminSystem")("nodes.noFigure") : formatter().number(0)}
    </span>
  );
}
