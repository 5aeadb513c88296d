/** What would otherwise be said at every request. */
import { log } from "./log.ts";

/** Says so once in so many milliseconds at most: an outage is one thing, however many requests it meets. */
export function occasionalLog(
  message: string,
  { everyMs = 1_000, level = "error" }: { everyMs?: number; level?: "error" | "warn" } = {},
) {
  let saidAt = Number.NEGATIVE_INFINITY;
  return (error: unknown, policy?: string): void => {
    if (performance.now() - saidAt < everyMs) return;
    saidAt = performance.now();
    log[level]({ err: error, policy }, message);
  };
}
