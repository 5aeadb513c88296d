import type { Sleep } from "./types.ts";
import { withResolvers } from "./with-resolvers.ts";

// A timer that is set for longer goes off at once.
const longestTimerMs = 2 ** 31 - 1;

/**
 * Sleeps by the machine's timers.
 * May end early when the time exceeds the longest timer.
 */
export const machineSleep: Sleep = (ms, signal) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slept = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, longestTimerMs));
  });
  return unlessAborted(slept, signal).finally(() => clearTimeout(timer));
};

/** The promise's outcome, or the signal's reason: the first of the two. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  const { promise: outcome, resolve, reject } = withResolvers<T>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort);
  promise.then(resolve, reject);
  return outcome.finally(() => signal.removeEventListener("abort", abort));
}
