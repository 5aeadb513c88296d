/** What would otherwise be said at every request: an outage is one thing, however many requests it meets. */

/** Calls `say` once in `everyMs` milliseconds at most; what comes between is not said. */
export function occasionally<Told extends unknown[]>(say: (...told: Told) => void, everyMs = 1_000) {
  let saidAt = Number.NEGATIVE_INFINITY;
  return (...told: Told): void => {
    if (performance.now() - saidAt < everyMs) return;
    saidAt = performance.now();
    say(...told);
  };
}
