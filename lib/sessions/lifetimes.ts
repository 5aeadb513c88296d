import { durationMs } from "../settings/durations.ts";
import type { Settings } from "../settings/env.ts";

/** How long sessions last, in milliseconds. */
export interface SessionLifetimes {
  /** Without being used. */
  idleMs: number;
  /** However often they are used. */
  maximumMs: number;
}

export function sessionLifetimesFrom(
  settings: Pick<Settings, "SESSION_IDLE_DAYS" | "SESSION_MAXIMUM_DAYS">,
): SessionLifetimes {
  return {
    idleMs: durationMs(settings.SESSION_IDLE_DAYS, "days"),
    maximumMs: durationMs(settings.SESSION_MAXIMUM_DAYS, "days"),
  };
}
