/** The time that counts, read by the outermost calls only. */
import { openedDatabase } from "../database.ts";
import { log } from "../logging/log.ts";
import { createTrustedTime, reportingOnce, type TrustedTime } from "./trusted-time.ts";

const warn = reportingOnce((aheadMs) =>
  log.warn(
    { aheadMs },
    "the clock differs by more than an hour from the expected time: set it if it is wrong; scores, held floods and old records stay as they are until it is right, or has run on for an hour without a server that has the expected time",
  ),
);

// On the global object, because Next.js may load this module more than once per process.
const shared: { weirTrustedTime?: TrustedTime } & typeof globalThis = globalThis;

/**
 * The time in milliseconds, by the database's clock, which all nodes share.
 * Before the database is open, it is the time of this machine's clock.
 */
export function currentTime(): number {
  return openedDatabase()?.time() ?? Date.now();
}

/** The time up to which background changes may happen, `now` at the latest. */
export function trustedTime(now = currentTime()): number {
  return shared.weirTrustedTime?.upTo(now) ?? 0;
}

/**
 * Compares the clock with the last trusted time.
 * Call it when the server starts and every minute.
 */
export async function checkTime(): Promise<void> {
  const database = openedDatabase();
  if (!database) return;
  shared.weirTrustedTime ??= createTrustedTime(database);
  warn(await shared.weirTrustedTime.check(currentTime(), performance.now()));
}
