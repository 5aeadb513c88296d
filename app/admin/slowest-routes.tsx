import { shortDuration } from "@/app/_components/durations";
import { many } from "@/app/_components/figures";
import type { RouteStatus } from "@/lib/observe/overview";

const shown = 12;

/** The routes that take longest, each with a bar as long as it takes. */
export function SlowestRoutes({ routes }: { routes: readonly RouteStatus[] }) {
  const [slowest] = routes;
  if (!slowest) return <p className="text-quiet">Nothing has been asked for in the last hour.</p>;
  return (
    <table className="table">
      <caption className="mb-2 text-start text-sm text-quiet">
        {routes.length > shown
          ? `The slowest ${many(shown)} of ${many(routes.length)} that were asked for in the last hour`
          : "All that were asked for in the last hour"}
        , on the nodes that are not silent
      </caption>
      <thead>
        <tr>
          <th scope="col">Route</th>
          <th scope="col" className="number">
            Requests
          </th>
          <th scope="col" className="number">
            Mean
          </th>
          <th scope="col" className="number pe-0">
            95 in 100 within
          </th>
        </tr>
      </thead>
      <tbody>
        {routes.slice(0, shown).map(({ method, route, count, meanMs, p95Ms }) => (
          <tr key={`${method} ${route}`}>
            <th scope="row" className="w-full font-normal">
              <span dir="ltr">
                {method} <span className="font-medium wrap-anywhere text-ink">{route}</span>
              </span>
              <svg width="100%" height="4" aria-hidden="true" className="mt-1.5 block rtl:-scale-x-100">
                <rect
                  width={`${Math.max(0.5, (100 * p95Ms) / slowest.p95Ms)}%`}
                  height="4"
                  className="fill-water"
                />
              </svg>
            </th>
            <td className="number">{many(count)}</td>
            <td className="number whitespace-nowrap">{shortDuration(meanMs)}</td>
            <td className="number pe-0 whitespace-nowrap">{shortDuration(p95Ms)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
