/**
 * The time up to which background changes may happen.
 *
 * Scores settle, floods end, waiting ratings count and old records are removed. A clock that is far ahead would do all
 * of it at once, and for good. So the database keeps the last trusted time, renewed every minute, and no background
 * change happens beyond an hour after it. A clock further ahead is trusted when it has gone on for an hour: a machine
 * that was off for a month needs that hour, and a wrong clock can be corrected within it. One that is as far behind
 * is trusted after an hour, too.
 *
 * A person's action counts at the clock's time (docs/decisions/0041-whose-clock-counts.md).
 */
import type { Database } from "../../db/index.ts";

/** The largest difference of the clock that is trusted at once. */
export const smallJumpMs = 3_600_000;
/** How long a clock must go on after a larger difference before it is trusted. */
export const trustedAfterMs = 3_600_000;

export interface TrustedTime {
  /** The part of time up to `now` that is trusted; 0 before the first check. */
  upTo(now: number): number;
  /**
   * Call it every minute; `uptime` is the monotonic clock's.
   * Resolves to how far the clock is ahead of the trusted time while it is not trusted, or else to 0.
   */
  check(now: number, uptime: number): Promise<number>;
}

/**
 * The trusted part of the time by the database's clock, for a command.
 * All of it where no server has run yet.
 */
export async function trustedTimeOf({ operations, time }: Pick<Database, "operations" | "time">) {
  const last = await operations.trustedTime();
  return Math.min(time(), (last ?? Number.POSITIVE_INFINITY) + smallJumpMs);
}

export function createTrustedTime({ operations }: Pick<Database, "operations">): TrustedTime {
  let limit = 0;
  /**
   * The last jump that is not trusted yet.
   * `since` is its time by the monotonic clock, `aheadMs` the clock's lead over that.
   */
  let jump: { since: number; aheadMs: number } | undefined;

  return {
    upTo: (now) => Math.min(now, limit),
    async check(now, uptime) {
      const last = await operations.trustedTime();
      if (last === undefined || Math.abs(now - last) <= smallJumpMs) jump = undefined;
      else {
        const aheadMs = now - uptime;
        if (!jump || Math.abs(aheadMs - jump.aheadMs) > smallJumpMs) jump = { since: uptime, aheadMs };
        if (uptime - jump.since < trustedAfterMs) {
          limit = last + smallJumpMs;
          return now - last;
        }
      }
      await operations.saveTrustedTime(now);
      limit = now + smallJumpMs;
      return 0;
    },
  };
}
