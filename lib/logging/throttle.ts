/**
 * Calls `run` at most once per `everyMs` milliseconds.
 * Calls in between are dropped.
 */
export function throttle<Arguments extends unknown[]>(run: (...args: Arguments) => void, everyMs = 1_000) {
  let lastRunAt = Number.NEGATIVE_INFINITY;
  return (...args: Arguments): void => {
    if (performance.now() - lastRunAt < everyMs) return;
    lastRunAt = performance.now();
    run(...args);
  };
}
