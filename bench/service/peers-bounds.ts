/** The theorem of docs/service.md ("Several services"), for the grants of a run. */

export interface Grant {
  /** Milliseconds since 1970. */
  at: number;
  /** Which service. */
  from: string;
}

/** The grants of each window of the clock. */
export function windowsOf(
  grants: readonly Grant[],
  windowMs: number,
): { startsAt: number; grants: Grant[] }[] {
  const windows = Map.groupBy(grants, ({ at }) => at - (at % windowMs));
  return [...windows].map(([startsAt, grants]) => ({ startsAt, grants }));
}

/** The grants of each second that ends with one. */
export function inAnySecond(grants: readonly Grant[]): Grant[][] {
  const sorted = grants.toSorted((a, b) => a.at - b.at);
  let first = 0;
  return sorted.map(({ at }, last) => {
    while ((sorted[first]?.at ?? at) <= at - 1_000) first += 1;
    return sorted.slice(first, last + 1);
  });
}

/** The limit, and the grants of others within the delay before the last grant. */
export function boundOfWindow(
  grants: readonly Grant[],
  { limit, delayMs }: { limit: number; delayMs: number },
): number {
  return limit + notYetApplied(grants, delayMs);
}

/** As `boundOfWindow`, with the capacity and the leaked amount as the limit. */
export function boundOfBucket(
  grants: readonly Grant[],
  { capacity, leakPerSecond, delayMs }: { capacity: number; leakPerSecond: number; delayMs: number },
): number {
  // Times are cut to whole milliseconds.
  const times = grants.map(({ at }) => at);
  const lastsMs = Math.max(...times) - Math.min(...times);
  return capacity + (leakPerSecond * (lastsMs + 1)) / 1_000 + notYetApplied(grants, delayMs);
}

/**
 * The grants that the last granting service had not applied yet.
 * Several may have granted in the last millisecond: the largest number counts.
 */
function notYetApplied(grants: readonly Grant[], delayMs: number): number {
  const lastAt = Math.max(...grants.map(({ at }) => at));
  const recent = grants.filter(({ at }) => at >= lastAt - delayMs);
  const candidates = new Set(recent.filter(({ at }) => at === lastAt).map(({ from }) => from));
  const others = [...candidates].map((last) => recent.filter(({ from }) => from !== last).length);
  return Math.max(...others);
}
