/**
 * Removes old attempts, counts and mails, unused sessions, and expired states.
 * Each batch is a transaction of its own with a pause after it, so that no request waits for more than one batch. On
 * several nodes each removes some.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "./index.ts";
import { startPeriodicTask } from "./periodic-task.ts";

const roundsEveryMs = 60_000;
const pauseMs = 20;
/** Charts of more than a day are made of hours. */
const minutesKeptMs = 2 * 86_400_000;

interface PruneSettings {
  /** How long attempts are kept; forever unless set. */
  attemptsKeptMs?: number;
  /** How long sessions last without being used; forever unless set. */
  sessionsIdleMs?: number;
  /**
   * How long mails are kept after they were sent, given up or expired.
   * Forever unless set.
   */
  mailsKeptMs?: number;
  /** How long deliveries to webhooks are kept; forever unless set. */
  deliveriesKeptMs?: number;
  /** Most rows per transaction. */
  batch?: number;
  /** Most transactions per kind and round. */
  batchesAtMost?: number;
}

type PrunedDatabase = Pick<
  Database,
  | "attempts"
  | "emailChanges"
  | "limiterStates"
  | "mails"
  | "mailLinks"
  | "pendingRegistrations"
  | "sessions"
  | "transaction"
  | "webhooks"
>;

/** One round at `now`; resolves to the numbers of removed rows. */
export async function prune(
  database: PrunedDatabase,
  now: number,
  {
    attemptsKeptMs,
    sessionsIdleMs,
    mailsKeptMs,
    deliveriesKeptMs,
    batch = 200,
    batchesAtMost = 500,
  }: PruneSettings,
): Promise<{
  attempts: number;
  attemptCounts: number;
  limiterStates: number;
  sessions: number;
  mails: number;
  /** With registrations and changes of addresses that were not confirmed. */
  mailLinks: number;
  deliveries: number;
}> {
  const inSteps = async (
    remove: (after?: number) => Promise<{ removed: number; next?: number | undefined }>,
  ) => {
    let total = 0;
    let after: number | undefined;
    for (let count = 0; count < batchesAtMost; count += 1) {
      const { removed, next } = await database.transaction(() => remove(after));
      total += removed;
      if (next === undefined) break;
      after = next;
      await sleep(pauseMs);
    }
    return total;
  };
  const inBatches = (remove: () => Promise<number>) =>
    inSteps(async () => {
      const removed = await remove();
      return { removed, next: removed < batch ? undefined : 0 };
    });
  const removeCounts = (interval: "minute" | "hour", keptMs: number) =>
    inBatches(() => database.attempts.removeCountsBefore(interval, now - keptMs, batch));
  let attempts = 0;
  let attemptCounts = await removeCounts("minute", Math.min(minutesKeptMs, attemptsKeptMs ?? minutesKeptMs));
  if (attemptsKeptMs !== undefined) {
    attempts = await inSteps((after) => database.attempts.removeBefore(now - attemptsKeptMs, batch, after));
    attemptCounts += await removeCounts("hour", attemptsKeptMs);
  }
  const limiterStates = await inBatches(() => database.limiterStates.removeExpired(now, batch));
  const sessions =
    sessionsIdleMs === undefined
      ? 0
      : await inBatches(() => database.sessions.removeUnused(now - sessionsIdleMs, batch));
  const mails =
    mailsKeptMs === undefined ? 0 : await inBatches(() => database.mails.removeOld(now - mailsKeptMs, batch));
  let mailLinks = 0;
  for (const links of [database.mailLinks, database.pendingRegistrations, database.emailChanges])
    mailLinks += await inBatches(() => links.removeExpired(now, batch));
  const deliveries =
    deliveriesKeptMs === undefined
      ? 0
      : await inBatches(() => database.webhooks.removeOld(now - deliveriesKeptMs, batch));
  return { attempts, attemptCounts, limiterStates, sessions, mails, mailLinks, deliveries };
}

/**
 * Prunes once a minute from now on, which keeps no process from ending.
 *
 * `report` gets the failures, and the next round is another try. Returns a function that ends it and resolves when the
 * last round is over.
 */
export function startPruning(
  database: PrunedDatabase & Pick<Database, "time">,
  settings: PruneSettings,
  report: (error: unknown) => void,
  { everyMs = roundsEveryMs, clock = database.time } = {},
): () => Promise<void> {
  return startPeriodicTask(() => prune(database, clock(), settings), report, { everyMs });
}
