/**
 * Repairs a post from its rows: future times, counters, windows, and the score.
 * The score by a replay.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../db/index.ts";
import type { FloodWindow } from "../ratings/floods/flood-window.ts";
import { type Counts, withCounts } from "../ratings/score/score.ts";
import type { SettledState } from "../ratings/score/settled-score.ts";
import { saveReplayed } from "../ratings/tally/saved-replay.ts";
import { loadTally } from "../ratings/tally/saved-tally.ts";
import { emptyTally, isCounted, type TallySettings } from "../ratings/tally/tally.ts";
import { advanceTo } from "../ratings/tally/tally-windows.ts";

/** How many of a post's decisions are read. */
const decisionsMaximum = 10_000;

export interface RepairedPost {
  postId: number;
  /** How many ratings, and the post itself, were dated to now. */
  dated: number;
  /** The windows that were counted too early, and that are held again. */
  heldAgain: readonly number[];
  /** The counters before and after. */
  counts: readonly [Counts, Counts];
  /** The settled score before and after, as of now. */
  score: readonly [number | null, number | null];
  /** Whether `score` is the replay's; the background replays posts with many ratings. */
  isReplayed: boolean;
}

interface RepairPostOptions {
  /** Ratings that are dated per transaction. */
  batch: number;
  pauseMs: number;
  /** The most ratings that are replayed at once. */
  ratingsPerTransaction?: number | undefined;
}

/**
 * Repairs one post in a transaction; undefined when it is gone.
 * If many of its ratings are in the future, earlier transactions date these to now.
 */
export async function repairPost(
  database: Database,
  postId: number,
  now: number,
  settings: TallySettings,
  { batch, pauseMs, ratingsPerTransaction }: RepairPostOptions,
): Promise<RepairedPost | undefined> {
  const { repairs, replays, tallies } = database;
  let after = 0;
  for (let dated = 0; ; dated += batch) {
    const step = await database.transaction(async () => {
      if (!(await repairs.isThere(postId))) return "gone";
      await tallies.find(postId); // locks the post
      const users = await repairs.clampRatingsToNow(postId, now, after, batch);
      const last = users.at(-1);
      if (last === undefined || users.length < batch) {
        const repaired = await repairRest(database, postId, now, settings, ratingsPerTransaction);
        return { ...repaired, dated: repaired.dated + dated + users.length };
      }
      // Were the repair cut short here, no time and no counter would show that the score is to be replayed.
      if (dated === 0) await replays.request(postId, now);
      return last;
    });
    if (step === "gone") return undefined;
    if (typeof step !== "number") return step;
    after = step;
    await sleep(pauseMs);
  }
}

/** Repairs a post whose ratings are dated, in the caller's transaction. */
async function repairRest(
  database: Database,
  postId: number,
  now: number,
  settings: TallySettings,
  ratingsPerTransaction: number | undefined,
): Promise<RepairedPost> {
  const { floodWindows, repairs } = database;
  const loaded = await loadTally(database, postId);
  const isDated = await repairs.clampPostToNow(postId, now);
  const undone = await repairs.clampDecisionsToNow(postId, now);
  const decisions = await floodWindows.decisionsOf(postId, decisionsMaximum);
  const recounted = await repairs.recountWindows(postId);
  const windows: FloodWindow[] = [];
  for (const window of await floodWindows.all(postId)) {
    const removed = undone.filter((number) => number === window.number).length;
    const last = decisions.find((decision) => decision.window === window.number);
    const repaired = {
      ...clampWindowToNow(window, now, loaded.windowCount),
      counts: recounted.get(window.number) ?? emptyTally.counts,
      ...(removed > 0 && {
        status: last?.status ?? ("held" as const),
        decidedBy: last?.decidedBy ?? null,
        decisions: Math.max(0, window.decisions - removed),
      }),
    };
    await floodWindows.save(postId, repaired);
    windows.push(repaired);
  }
  await repairs.recountDays(postId);
  const { detector, settled } = loaded;
  const tally = {
    ...loaded,
    settled: clampTimesToNow(settled, now),
    counts: windows
      .filter(isCounted)
      .reduce((sum, { counts }) => withCounts(sum, counts, 1), recounted.get(null) ?? emptyTally.counts),
    windows: windows.toSorted((a, b) => a.number - b.number),
    detector: detector && { ...detector, at: Math.min(detector.at, now) },
  };
  const saved = await saveReplayed(database, postId, loaded, advanceTo(tally, now, settings), now, settings, {
    maximum: ratingsPerTransaction,
  });
  return {
    postId,
    dated: isDated ? 1 : 0,
    heldAgain: [...new Set(undone)],
    counts: [loaded.counts, saved.tally.counts],
    score: [loaded.settled.score, saved.tally.settled.score],
    isReplayed: saved.isReplayed,
  };
}

/** The state until its replay: its score, with no time of the future. */
function clampTimesToNow(settled: SettledState, now: number): SettledState {
  const { at, firstAt, lastRaterAt } = settled;
  return {
    ...settled,
    at: Math.min(at, now),
    firstAt: Math.min(firstAt, now),
    lastRaterAt: Math.min(lastRaterAt, now),
  };
}

function clampWindowToNow(window: FloodWindow, now: number, newest: number): FloodWindow {
  const { number, openedAt, lastAt, closedAt } = window;
  // Only the newest one may still be open.
  const closed = closedAt !== null && closedAt > now ? (number === newest ? null : now) : closedAt;
  return { ...window, openedAt: Math.min(openedAt, now), lastAt: Math.min(lastAt, now), closedAt: closed };
}
