/**
 * Mends a post from its rows: future times, counters, windows, and the score.
 * The score by a replay.
 */
import type { Database } from "../../db/index.ts";
import type { FloodWindow } from "../ratings/floods/flood-window.ts";
import { type Counts, withCounts } from "../ratings/score/score.ts";
import { replayedTally } from "../ratings/tally/saved-replay.ts";
import { loadTally, saveTally } from "../ratings/tally/saved-tally.ts";
import { emptyTally, isCounted, type TallySettings } from "../ratings/tally/tally.ts";
import { advanceTo } from "../ratings/tally/tally-windows.ts";

/** How many of a post's decisions are looked at. */
const decisionsMaximum = 10_000;

export interface MendedPost {
  postId: number;
  /** How many ratings, and the post itself, were dated to now. */
  dated: number;
  /** The windows that were counted too early, and that are held again. */
  heldAgain: readonly number[];
  /** The counters before and after. */
  counts: readonly [Counts, Counts];
  /** The settled score before and after, as of now. */
  score: readonly [number | null, number | null];
}

/** Mends one post in a transaction; undefined when it is gone. */
export function mendPost(
  database: Database,
  postId: number,
  now: number,
  settings: TallySettings,
): Promise<MendedPost | undefined> {
  const { floodWindows, repairs } = database;
  return database.transaction(async () => {
    if (!(await repairs.isThere(postId))) return undefined;
    const loaded = await loadTally(database, postId); // locks the post
    const dated = await repairs.clampPostToNow(postId, now);
    const undone = await repairs.clampDecisionsToNow(postId, now);
    const decisions = await floodWindows.decisionsOf(postId, decisionsMaximum);
    const recounted = await repairs.recountWindows(postId);
    const windows: FloodWindow[] = [];
    for (const window of await floodWindows.all(postId)) {
      const removed = undone.filter((number) => number === window.number).length;
      const last = decisions.find((decision) => decision.window === window.number);
      const mended = {
        ...clampWindowToNow(window, now, loaded.windowCount),
        counts: recounted.get(window.number) ?? emptyTally.counts,
        ...(removed > 0 && {
          status: last?.status ?? ("held" as const),
          decidedBy: last?.decidedBy ?? null,
          decisions: Math.max(0, window.decisions - removed),
        }),
      };
      await floodWindows.save(postId, mended);
      windows.push(mended);
    }
    await repairs.recountDays(postId);
    const { detector } = loaded;
    const tally = {
      ...loaded,
      counts: windows
        .filter(isCounted)
        .reduce((sum, { counts }) => withCounts(sum, counts, 1), recounted.get(null) ?? emptyTally.counts),
      windows: windows.toSorted((a, b) => a.number - b.number),
      detector: detector && { ...detector, at: Math.min(detector.at, now) },
    };
    const replayed = await replayedTally(database, postId, advanceTo(tally, now, settings), now, settings);
    await saveTally(database, postId, loaded, replayed, settings);
    return {
      postId,
      dated,
      heldAgain: [...new Set(undone)],
      counts: [loaded.counts, replayed.counts] as const,
      score: [loaded.settled.score, replayed.settled.score] as const,
    };
  });
}

function clampWindowToNow(window: FloodWindow, now: number, newest: number): FloodWindow {
  const { number, openedAt, lastAt, closedAt } = window;
  // Only the newest one may still be open.
  const closed = closedAt !== null && closedAt > now ? (number === newest ? null : now) : closedAt;
  return { ...window, openedAt: Math.min(openedAt, now), lastAt: Math.min(lastAt, now), closedAt: closed };
}
