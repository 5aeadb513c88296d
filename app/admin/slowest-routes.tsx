import { formatNumber, formatRounded } from "@/lib/limiter/text";
import type { RouteStatus } from "@/lib/observe/overview";

const shown = 12;

/** The slowest routes, with bars of their 95th percentile. */
export function SlowestRoutes({ routes }: { routes: readonly RouteStatus[] }) {
  const [slowest] = routes;
  if (!slowest) return <p className="text-quiet">There were no requests in the last hour.</p>;
  return (
    <table className="table">
      <caption className="mb-2 text-start text-sm text-quiet">
        {routes.length > shown
          ? `The slowest ${formatNumber(shown)} of ${formatNumber(routes.length)} routes with requests in the last hour`
          : "All routes with requests in the last hour"}
      </caption>
      <thead>
        <tr>
          <th scope="col">Route</th>
          <th scope="col" className="number">
            Requests
          </th>
          <th scope="col" className="number whitespace-nowrap">
            Mean, ms
          </th>
          <th scope="col" className="number min-w-24 pe-0">
            95 in 100 within, ms
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
        <td className="number">{formatNumber(count)}</td>
        <td className="number">{formatRounded(meanMs)}</td>
        <td className="number pe-0">{formatRounded(p95Ms)}</td>
      </tr>
    </tbody>
  );
}
