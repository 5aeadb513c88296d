/**
 * Replays posts with more ratings than one transaction replays, in the background.
 *
 * The ratings are read page by page outside a transaction, up to a little before now. One transaction then replays the
 * rest and puts the result in place. A rating that is withdrawn or changed meanwhile only moves the mean, as on any large
 * post; when more than `changedShareMaximum` of them are, the replay starts over.
 *
 * A post waits for its replay in the database, so a crash delays it and does not lose it. Of all processes one replays it:
 * the one with its claim, which it renews. The claim of a process that was killed expires.
 */
import { randomUUID } from "node:crypto";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { ClaimedReplay, Database, ReplayProgress } from "../../../db/index.ts";
import { startPeriodicTask } from "../../../db/periodic-task.ts";
import { minuteMs } from "../../time/units.ts";
import { replayMaximum } from "../score/replay.ts";
import { sumOf } from "../score/score.ts";
import {
  continueReplay,
  countedWindows,
  type Progress,
  type ReplayQueries,
  ratingsPerTransaction,
  startOfReplay,
  type Windows,
} from "./saved-replay.ts";
import { loadTally, saveTally } from "./saved-tally.ts";
import { type TallySettings, withSettled } from "./tally.ts";
import { advanceTo } from "./tally-windows.ts";

export type { ReplayProgress };

type ReplayDatabase = ReplayQueries & Pick<Database, "webhooks" | "transaction">;

/** The share of a large post's ratings that may change while they are replayed. */
const changedShareMaximum = 1 / replayMaximum;
/** The last moments are replayed in the transaction: nodes' clocks differ. */
const recentMs = minuteMs;
/** How many times a replay starts over before other posts have their turn. */
const triesMaximum = 3;
/**
 * How many posts one round may leave for the next.
 * Each of them is a parameter of the next claim's statement.
 */
const leftMaximum = 1_000;
/** How long a claim lasts that is not renewed. */
const claimLeaseMs = 30_000;
const renewalIntervalMs = 1_000;
const roundsEveryMs = 2_000;

interface ReplayOptions {
  /** How long a claim lasts that is not renewed. */
  leaseMs?: number;
  /** Whether to stop, and leave the rest for others. */
  isStopping?: () => boolean;
  /** The most ratings that one transaction replays. */
  maximum?: number;
}

/**
 * Replays the posts that wait for it and that no other process replays.
 * Posts are replayed one after the other. Resolves to their number. A post whose replay fails is reported and keeps
 * waiting.
 */
export async function replayRequested(
  database: ReplayDatabase,
  clock: () => number,
  settings: TallySettings,
  report: (error: unknown) => void,
  { leaseMs = claimLeaseMs, isStopping = () => false, maximum = ratingsPerTransaction }: ReplayOptions = {},
): Promise<number> {
  let replayed = 0;
  const left: number[] = [];
  while (!isStopping() && left.length < leftMaximum) {
    const claimed = await database.replays.claim(randomUUID(), leaseMs, left);
    if (!claimed) break;
    try {
      const outcome = await replayPost(database, claimed, clock, settings, { isStopping, maximum });
      if (outcome !== "given up") replayed += 1;
      if (outcome !== "replayed") left.push(claimed.postId);
    } catch (error) {
      left.push(claimed.postId);
      report(error);
    } finally {
      await database.replays.release(claimed);
    }
    await yieldToEventLoop(); // SQLite answers without a turn of the event loop
  }
  return replayed;
}

/**
 * Replays in the background from now on.
 * Returns a function that ends this, and resolves when no claim is left.
 */
export function startReplaying(
  database: ReplayDatabase,
  clock: () => number,
  settings: TallySettings,
  report: (error: unknown) => void,
): () => Promise<void> {
  let stopping = false;
  const isStopping = () => stopping;
  const stop = startPeriodicTask(
    () => replayRequested(database, clock, settings, report, { isStopping }),
    report,
    {
      everyMs: roundsEveryMs,
    },
  );
  return () => {
    stopping = true;
    return stop();
  };
}

/**
 * Replays a post's ratings and puts the result in place.
 * Gives up when too many changed meanwhile or are of the last moments, or the claim is lost.
 */
async function replayPost(
  database: ReplayDatabase,
  claimed: ClaimedReplay,
  clock: () => number,
  settings: TallySettings,
  { isStopping, maximum }: Required<Pick<ReplayOptions, "isStopping" | "maximum">>,
): Promise<"replayed" | "requested again" | "given up"> {
  const { postId } = claimed;
  const renewClaim = throttledRenewal(database, claimed, isStopping);
  for (let tries = 0; tries < triesMaximum; tries += 1) {
    const tally = await loadTally(database, postId);
    const isSmall = sumOf(tally.counts).count <= maximum;
    const windows = await countedWindows(database, postId, tally);
    const background = { until: clock() - recentMs, renewClaim };
    const before = isSmall
      ? startOfReplay
      : await continueReplay(database, postId, windows, startOfReplay, settings, background);
    if (!before) return "given up";
    const outcome = await putInPlace(database, claimed, before, windows, clock, settings, maximum);
    if (outcome !== "changed meanwhile") return outcome;
  }
  return "given up";
}

/**
 * Creates a function that renews a claim, at most once a second.
 * It resolves to false when the replay is to stop.
 */
function throttledRenewal(
  database: ReplayDatabase,
  claimed: ClaimedReplay,
  isStopping: () => boolean,
): (progress: Progress) => Promise<boolean> {
  let renewedAt = performance.now();
  return async ({ replay }) => {
    if (isStopping()) return false;
    if (performance.now() - renewedAt < renewalIntervalMs) return true;
    renewedAt = performance.now();
    return database.replays.renew(claimed, sumOf(replay.counts).count);
  };
}

function putInPlace(
  database: ReplayDatabase,
  claimed: ClaimedReplay,
  before: Progress,
  windows: Windows,
  clock: () => number,
  settings: TallySettings,
  maximum: number,
): Promise<"replayed" | "requested again" | "given up" | "changed meanwhile"> {
  const { postId } = claimed;
  return database.transaction(async () => {
    if (!(await database.replays.renew(claimed, sumOf(before.replay.counts).count))) return "given up";
    const now = clock();
    const loaded = await loadTally(database, postId);
    const tally = advanceTo(loaded, now, settings);
    // So many are of the last moments that the transaction would take too long: a repair may have dated them to now.
    if (sumOf(tally.counts).count - sumOf(before.replay.counts).count > maximum) return "given up";
    const counted = await countedWindows(database, postId, tally);
    if (before !== startOfReplay && windows.join() !== counted.join()) return "changed meanwhile";
    const { replay } = await continueReplay(database, postId, counted, before, settings);
    const changed = tally.counts.reduce(
      (sum, some, score) => sum + Math.abs(some - (replay.counts[score] ?? 0)),
      0,
    );
    if (before !== startOfReplay && changed > changedShareMaximum * sumOf(tally.counts).count)
      return "changed meanwhile";
    const replayed = withSettled(tally, replay.settled, now, settings.settling);
    await saveTally(database, postId, loaded, replayed, settings);
    return (await database.replays.end(claimed)) ? "replayed" : "requested again";
  });
}
