/**
 * The time up to which background changes may happen.
 *
 * Scores settle, floods end, waiting ratings count and old records are removed. A clock that is far ahead would do all
 * of it at once, and for good. So the database keeps the last trusted time, renewed every minute, and no background
 * change happens beyond an hour after it.
 *
 * A process trusts a clock that is within an hour of that time, and has gained or lost at most an hour in all on the
 * monotonic clock: many small steps are as bad as one jump. Another clock is trusted when it has run on for an
 * hour: a machine that was off for a month needs that hour, and a wrong clock can be corrected within it. The hour adds
 * up over several runs. Then the trusted time is that of its beginning plus this hour, which all of these runs confirm,
 * and not the time of the last run: where that is more than an hour later, the next hour begins.
 *
 * A person's action counts at the clock's time (docs/decisions/0041-the-database-clock-counts.md).
 */
import type { Database, PendingClock } from "../../db/index.ts";
import { hourMs, minuteMs } from "./units.ts";

/** The largest difference of the clock that is trusted at once. */
export const smallJumpMs = hourMs;
/** How long a clock must go on after a larger difference before it is trusted. */
export const trustedAfterMs = hourMs;

/**
 * How far a pending clock may go back from one check to the next.
 * The next check may be another process's.
 */
const toleranceMs = minuteMs;

export interface TrustedTime {
  /** The part of time up to `now` that is trusted; 0 before the first check. */
  upTo(now: number): number;
  /**
   * Call it every minute; `uptime` is the monotonic clock's.
   * Resolves to the clock's lead over the expected time while it is not trusted, or else to 0.
   */
  check(now: number, uptime: number): Promise<number>;
}

/**
 * The trusted part of the database clock's time, for a command.
 * All of it is trusted when no server has run yet.
 */
export async function trustedTimeOf({ operations, time }: Pick<Database, "operations" | "time">) {
  const last = await operations.trustedTime();
  return Math.min(time(), (last?.at ?? Number.POSITIVE_INFINITY) + smallJumpMs);
}

/**
 * Reports a difference of the clock once, and not again before it was 0.
 * It does not end by itself while another process has the expected time.
 */
export function reportingOnce(report: (aheadMs: number) => void): (aheadMs: number) => void {
  let isReported = false;
  return (aheadMs) => {
    if (aheadMs !== 0 && !isReported) report(aheadMs);
    isReported = aheadMs !== 0;
  };
}

export function createTrustedTime({ operations }: Pick<Database, "operations">): TrustedTime {
  let limit = 0;
  /** The monotonic clock at the last check. */
  let checkedAt: number | undefined;
  /**
   * The clock's lead over the monotonic clock when it became trusted.
   * A clock becomes trusted at the first check, or after an hour.
   */
  let trustedLead: number | undefined;
  /** The lead of the pending clock, once this process has seen it. */
  let pendingLead: number | undefined;

  async function trust(now: number): Promise<number> {
    pendingLead = undefined;
    await operations.saveTrustedTime({ at: now, pending: null });
    limit = now + smallJumpMs;
    return 0;
  }

  return {
    upTo: (now) => Math.min(now, limit),
    async check(now, uptime) {
      const ranMs = uptime - (checkedAt ?? uptime);
      checkedAt = uptime;
      const lead = now - uptime;
      const { at, pending } = (await operations.trustedTime()) ?? { at: now, pending: null };
      const gained = lead - (trustedLead ?? lead);
      if (isSmall(now - at) && isSmall(gained)) {
        trustedLead ??= lead;
        return trust(now);
      }
      const isSame = pending && now >= pending.last - toleranceMs && isSmall(lead - (pendingLead ?? lead));
      const next = isSame ? extendPending(pending, now, ranMs) : { from: now, last: now, ranMs: 0 };
      pendingLead = isSame ? (pendingLead ?? lead) : lead;
      const isOver = next.ranMs >= trustedAfterMs;
      const confirmed = isOver ? Math.min(now, next.from + next.ranMs) : at;
      if (isOver) trustedLead = lead;
      if (isOver && isSmall(now - confirmed)) return trust(now);
      await operations.saveTrustedTime({
        at: confirmed,
        pending: isOver ? { from: now, last: now, ranMs: 0 } : next,
      });
      limit = confirmed + smallJumpMs;
      return isSmall(now - confirmed) ? gained : now - confirmed;
    },
  };
}

function isSmall(differenceMs: number): boolean {
  return Math.abs(differenceMs) <= smallJumpMs;
}

/**
 * A pending clock after another check.
 * When several processes check, each adds its running time since the last check of any process.
 */
function extendPending({ from, last, ranMs }: PendingClock, now: number, ranSinceMs: number): PendingClock {
  return { from, last: now, ranMs: ranMs + Math.min(ranSinceMs, Math.max(0, now - last)) };
}
