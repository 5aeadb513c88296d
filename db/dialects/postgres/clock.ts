/**
 * The database's clock, as a process knows it without a query.
 *
 * Between readings it follows the process's monotonic clock: the machine's own clock may be wrong or jump.
 */
import { startPeriodicTask } from "../../periodic-task.ts";

const readEveryMs = 10_000;

export const readClock = "select (extract(epoch from clock_timestamp()) * 1000)::float8";

/**
 * Rejects when the first reading fails.
 * After that the clock is read again and again, until `stop`.
 */
export async function createDatabaseClock(
  read: () => Promise<number>,
): Promise<{ time: () => number; stop: () => Promise<void> }> {
  /** How far the database's clock is ahead of this process's. */
  let aheadMs = Number.NEGATIVE_INFINITY;
  async function synchronise(): Promise<void> {
    const sentAt = performance.now();
    const time = await read();
    const answeredAt = performance.now();
    // It was read at some moment between. Changed as little as these bounds allow, `time` is seldom set back.
    aheadMs = Math.min(Math.max(aheadMs, time - answeredAt), time - sentAt);
  }
  await synchronise();
  const stop = startPeriodicTask(synchronise, () => {}, { everyMs: readEveryMs });
  return { time: () => Math.floor(performance.now() + aheadMs), stop };
}
