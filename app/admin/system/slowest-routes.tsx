import { formatter, translator } from "@/lib/i18n";
import type { RouteStatus } from "@/lib/observe/overview";

const shown = 12;

/** The slowest routes, with bars of their 95th percentile. */
export function SlowestRoutes({ routes }: { routes: readonly RouteStatus[] }) {
  const t = translator("adminSystem");
  const [slowest] = routes;
  if (!slowest) return <p className="text-quiet">{t("routes.none")}</p>;
  return (
    <table className="table">
      <caption className="mb-2 text-start text-sm text-quiet">
        {routes.length > shown ? t("routes.slowest", { shown, all: routes.length }) : t("routes.all")}
      </caption>
      <thead>
        <tr>
          <th scope="col">{t("routes.route")}</th>
          <th scope="col" className="number">
            {t("routes.requests")}
          </th>
          <th scope="col" className="number">
            {t("routes.mean")}
          </th>
          <th scope="col" className="number min-w-24 pe-0">
            {t("routes.p95")}
          </th>
        </tr>
      </thead>
      {routes.slice(0, shown).map((times) => (
        <RouteRows key={`${times.method} ${times.route}`} times={times} slowestMs={slowest.p95Ms} />
      ))}
    </table>
  );
}

/** A bar below the route's name, which may be long. */
function RouteRows({ times, slowestMs }: { times: RouteStatus; slowestMs: number }) {
  const { method, route, count, meanMs, p95Ms } = times;
  return (
    <tbody>
      <tr className="[&>*]:border-b-0 [&>*]:pb-0">
        <th scope="rowgroup" colSpan={4} className="pe-0 font-normal">
          <bdi dir="ltr">
            {method} <span className="font-medium wrap-anywhere text-ink">{route}</span>
          </bdi>
        </th>
      </tr>
      <tr className="[&>*]:pt-0.5">
        <td className="w-full">
          <svg width="100%" height="6" aria-hidden="true" className="mt-1.5 block rtl:-scale-x-100">
            <rect width={`${Math.max(0.5, (100 * p95Ms) / slowestMs)}%`} height="6" className="fill-water" />
          </svg>
        </td>
        <td className="number">{formatter().number(count)}</td>
        <td className="number">{rounded(meanMs)}</td>
        <td className="number pe-0">{rounded(p95Ms)}</td>
      </tr>
    </tbody>
  );
}

function rounded(value: number): string {
  return formatter().number(value, { maximumSignificantDigits: 3 });
}
