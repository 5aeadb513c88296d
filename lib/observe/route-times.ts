/** How long each route takes to answer: histograms in memory that are nobody's but this process's, of the last hour. */
import { type Route, routeOf } from "./routes.ts";

const slotMs = 10 * 60_000;
/** The one that is being filled included. */
const slotsKept = 6;
/** How much longer each bucket of a histogram reaches than the one before it; the first reaches up to a millisecond. */
const growth = 2 ** (1 / 4);

export interface RouteTimes {
  method: string;
  route: string;
  count: number;
  totalMs: number;
  /** How many requests fell in each bucket that had any, by its number. */
  buckets: [bucket: number, count: number][];
}

interface Histogram {
  method: string;
  route: Route;
  totalMs: number;
  buckets: Map<number, number>;
}

export type RouteClock = ReturnType<typeof createRouteClock>;

/** `noted` and `times` take the time, in milliseconds. Methods are few: the caller sees to that. */
export function createRouteClock() {
  const slots = new Map<number, Map<string, Histogram>>();

  /** Forgets what is too old at an instant; gives the number of its slot. */
  function slotAt(at: number): number {
    const number = Math.floor(at / slotMs);
    for (const each of slots.keys()) if (each <= number - slotsKept) slots.delete(each);
    return number;
  }

  return {
    /** Notes a request that has ended. */
    noted({ method, path, durationMs }: { method: string; path: string; durationMs: number }, at: number) {
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
    /** The times of the hour that ends now, or of a little less: of 50 minutes at least. */
    times(now: number): RouteTimes[] {
      slotAt(now);
      return summed(
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

/** Times of the same method and route in one, whatever node or span they are from. */
export function summed(times: readonly RouteTimes[]): RouteTimes[] {
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

/** The time within which this share of the requests were answered: up to a fifth more than it really was. */
export function withinMs({ count, buckets }: RouteTimes, share: number): number {
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

// Kept on the global object: the framework may load this module more than once in a process.
const kept: { weirRouteClock?: RouteClock } & typeof globalThis = globalThis;

/** The one of this process. */
export function routeClock(): RouteClock {
  kept.weirRouteClock ??= createRouteClock();
  return kept.weirRouteClock;
}
