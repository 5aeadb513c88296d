import { log } from "./log.ts";
import { throttle } from "./throttle.ts";

/**
 * Creates a function that logs `message` with an error, throttled.
 * At most once per `everyMs` milliseconds.
 */
export function throttledLog(
  message: string,
  { everyMs, level = "error" }: { everyMs?: number; level?: "error" | "warn" } = {},
) {
  return throttle((error: unknown, policy?: string) => log[level]({ err: error, policy }, message), everyMs);
}
