import { scaleLinear } from "d3-scale";
import { AsTable } from "@/app/_components/as-table";
import { barFills } from "@/app/_components/bar-fills";
import { limitName } from "@/app/_components/limit-name";
import { Moment } from "@/app/_components/time";
import { TimeAxis, timeScale } from "@/app/_components/time-axis";
import { formatter, translator } from "@/lib/i18n";
import type { LimitStatus } from "@/lib/observe/overview";
import { hourMs } from "@/lib/time/units";

const barsHeight = 36;
const axisHeight = 20;

type Hour = LimitStatus["hours"][number];

/**
 * A chart per limit that refused or held requests in the last 24 hours.
 * All have one time axis.
 */
export function RefusalCharts({ limits, anyHolds }: { limits: readonly LimitStatus[]; anyHolds: boolean }) {
  const t = translator("adminSystem");
  const biting = limits
    .filter(({ sums }) => sums.refused + sums.held > 0)
    .toSorted((a, b) => b.sums.refused + b.sums.held - a.sums.refused - a.sums.held);
  if (biting.length === 0) return <p>{anyHolds ? t("charts.noneOrHeld") : t("charts.none")}</p>;
  const intervals = biting[0]?.hours.map(({ hour }) => ({ from: hour * hourMs })) ?? [];
  return (
    <figure>
      <figcaption className="mb-4">{anyHolds ? t("charts.refusedOrHeld") : t("charts.refused")}</figcaption>
      {biting.map((limit) => (
        <LimitChart key={limit.name} limit={limit} />
      ))}
      <svg width="100%" height={axisHeight} aria-hidden="true" className="chart">
        <TimeAxis intervals={intervals} intervalMs={hourMs} y={axisHeight - 6} />
      </svg>
      <AsTable label={t("charts.tableLabel")}>
        <HourTable limits={biting} />
      </AsTable>
    </figure>
  );
}

/** Scaled to the limit's own worst hour, so that rare refusals are visible too. */
function LimitChart({ limit: { name, policy, sums, hours } }: { limit: LimitStatus }) {
  const t = translator("adminSystem");
  const shownName = limitName(name, policy);
  const most = Math.max(...hours.map(refusedOrHeld));
  const time = timeScale(
    hours.map(({ hour }) => ({ from: hour * hourMs })),
    hourMs,
  );
  const high = scaleLinear().domain([0, most]).range([0, barsHeight]);
  const width = 100 / hours.length;
  return (
    <div className="mb-4">
      <p className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
        <bdi className="font-medium wrap-anywhere">{shownName}</bdi>
        <span>
          <span className="text-amber">{sumsText(sums)}</span>
          <span className="text-quiet">{` · ${t("charts.worstHour", { count: most })}`}</span>
        </span>
      </p>
      <svg
        width="100%"
        height={barsHeight + 1}
        role="img"
        aria-label={t("charts.label", { name: shownName, sums: sumsText(sums) })}
        className="block [direction:ltr]"
      >
        {hours.map((hour) => {
          const x = `${time(hour.hour * hourMs) + width * 0.1}%`;
          const refusedHigh = hour.refused > 0 ? Math.max(1.5, high(hour.refused)) : 0;
          const heldHigh = hour.held > 0 ? Math.max(2, high(hour.held) - (refusedHigh > 0 ? 1 : 0)) : 0;
          return (
            <g key={hour.hour}>
              {heldHigh > 0 && (
                <rect
                  x={x}
                  width={`${width * 0.8}%`}
                  y={barsHeight - heldHigh + 0.5}
                  height={heldHigh - 1}
                  className={barFills.held.bar}
                />
              )}
              {refusedHigh > 0 && (
                <rect
                  x={x}
                  width={`${width * 0.8}%`}
                  y={barsHeight - high(hour.held) - refusedHigh}
                  height={refusedHigh}
                  className={barFills.refused.bar}
                />
              )}
            </g>
          );
        })}
        <line x1="0" x2="100%" y1={barsHeight + 0.5} y2={barsHeight + 0.5} className="stroke-hairline" />
      </svg>
    </div>
  );
}

/**
 * The numbers as a table.
 * A row per hour with refused or held requests, newest first.
 */
function HourTable({ limits }: { limits: readonly LimitStatus[] }) {
  const t = translator("adminSystem");
  const rows = limits
    .flatMap(({ name, policy, hours }) =>
      hours
        .filter((hour) => refusedOrHeld(hour) > 0)
        .map((hour) => ({ ...hour, shownName: limitName(name, policy) })),
    )
    .toSorted((a, b) => b.hour - a.hour);
  return (
    <table className="table mt-2">
      <thead>
        <tr>
          <th scope="col">{t("charts.hourFrom")}</th>
          <th scope="col">{t("limits.limit")}</th>
          <th scope="col" className="number">
            {t("limits.refused")}
          </th>
          <th scope="col" className="number pe-0">
            {t("limits.held")}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ hour, policy, shownName, refused, held }) => (
          <tr key={`${hour} ${policy}`}>
            <th scope="row" className="whitespace-nowrap">
              <Moment at={hour * hourMs} />
            </th>
            <td className="wrap-anywhere">{shownName}</td>
            <td className="number">{formatter().number(refused)}</td>
            <td className="number pe-0">{formatter().number(held)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function refusedOrHeld({ refused, held }: Hour): number {
  return refused + held;
}

function sumsText({ refused, held }: LimitStatus["sums"]): string {
  const t = translator("adminSystem");
  if (held === 0) return t("charts.sums", { refused });
  return refused === 0 ? t("charts.sumsHeld", { held }) : t("charts.sumsBoth", { refused, held });
}
