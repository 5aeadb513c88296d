import { log } from "./log.ts";
import { occasionally } from "./occasionally.ts";

/** Logs it once in so many milliseconds at most. */
export function occasionalLog(
  message: string,
  { everyMs, level = "error" }: { everyMs?: number; level?: "error" | "warn" } = {},
) {
  return occasionally(
    (error: unknown, policy?: string) => log[level]({ err: error, policy }, message),
    everyMs,
  );
}
