/** Response time histograms per route, of this process and the last hour. */
import { minuteMs } from "../time/units.ts";
import { type Route, routeOf } from "./routes.ts";

const slotMs = 10 * minuteMs;
/** Includes the slot being filled. */
const slotsKept = 6;
/**
 * Ratio of the upper bounds of neighbouring buckets.
 * The first bucket ends at 1 ms.
 */
const growth = 2 ** (1 / 4);

interface RouteTimes {
  method: string;
  route: string;
  count: number;
  totalMs: number;
  /** Non-empty buckets by number. */
  buckets: [bucket: number, count: number][];
}

interface Histogram {
  method: string;
  route: Route;
  totalMs: number;
  buckets: Map<number, number>;
}

export type RouteClock = ReturnType<typeof createRouteClock>;

/** Instants are milliseconds. The caller must pass a bounded set of methods. */
export function createRouteClock() {
  const slots = new Map<number, Map<string, Histogram>>();

  /** Drops expired slots; returns the slot number of `at`. */
  function slotAt(at: number): number {
    const number = Math.floor(at / slotMs);
    for (const each of slots.keys()) if (each <= number - slotsKept) slots.delete(each);
    return number;
  }

  return {
    /** Records a finished request. */
    record({ method, path, durationMs }: { method: string; path: string; durationMs: number }, at: number) {
      const route = routeOf(path);
      if (!route) return;
      const number = slotAt(at);
      const slot = slots.get(number) ?? new Map<string, Histogram>();
      slots.set(number, slot);
      const key = `${method} ${route}`;
      const histogram = slot.get(key) ?? { method, route, totalMs: 0, buckets: new Map() };
      slot.set(key, histogram);
      const bucket = bucketOf(durationMs);
      histogram.totalMs += durationMs;
      histogram.buckets.set(bucket, (histogram.buckets.get(bucket) ?? 0) + 1);
    },
    /** The times of the last 50 to 60 minutes. */
    times(now: number): RouteTimes[] {
      slotAt(now);
      return mergeTimes(
        [...slots.values()].flatMap((slot) =>
          [...slot.values()].map(({ buckets, ...rest }) => ({
            ...rest,
            count: [...buckets.values()].reduce((sum, count) => sum + count, 0),
            buckets: [...buckets],
          })),
        ),
      );
    },
  };
}

/** Merges times of the same method and route. */
export function mergeTimes(times: readonly RouteTimes[]): RouteTimes[] {
  const byRoute = Map.groupBy(times, ({ method, route }) => `${method} ${route}`);
  return [...byRoute.values()].map((same) => {
    const buckets = new Map<number, number>();
    for (const each of same)
      for (const [bucket, count] of each.buckets) buckets.set(bucket, (buckets.get(bucket) ?? 0) + count);
    const sum = (what: "count" | "totalMs") => same.reduce((total, each) => total + each[what], 0);
    const { method = "", route = "" } = same[0] ?? {};
    return { method, route, count: sum("count"), totalMs: sum("totalMs"), buckets: [...buckets] };
  });
}

/** A percentile of the response time (`share` 0 to 1), at most a fifth too high. */
export function percentileMs({ count, buckets }: RouteTimes, share: number): number {
  let left = Math.ceil(count * share);
  for (const [bucket, here] of buckets.toSorted(([a], [b]) => a - b)) {
    left -= here;
    if (left <= 0) return growth ** bucket;
  }
  return 0;
}

function bucketOf(durationMs: number): number {
  return Math.max(0, Math.ceil(Math.log(durationMs) / Math.log(growth)));
}

// On the global object, because Next.js may load this module more than once per process.
const shared: { weirRouteClock?: RouteClock } & typeof globalThis = globalThis;

/** The route clock of this process. */
export function routeClock(): RouteClock {
  shared.weirRouteClock ??= createRouteClock();
  return shared.weirRouteClock;
}
