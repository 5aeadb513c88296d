/** What would otherwise be said at every request. */
import { log } from "./log.ts";

const intervalMs = 1_000;

/** Says so once a second at most: an outage is one thing, however many requests it meets. */
export function occasionalLog(message: string) {
  let saidAt = Number.NEGATIVE_INFINITY;
  return (error: unknown, policy?: string): void => {
    if (performance.now() - saidAt < intervalMs) return;
    saidAt = performance.now();
    log.error({ err: error, policy }, message);
  };
}
