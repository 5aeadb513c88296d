/**
 * Replays the ratings of saved posts: in the caller's transaction, or in the background where they are many.
 *
 * In the background the ratings are read page by page outside a transaction, up to a little before now. One transaction
 * then replays the rest and puts the result in place. A rating that is withdrawn or changed meanwhile only moves the mean,
 * as on any large post; when more than `strayMaximum` of them are, the replay starts over. A post waits for its replay in
 * the database, so a crash delays it and does not lose it.
 */
import { setImmediate as breathe } from "node:timers/promises";
import type { Database, ReplayRequest } from "../../db/index.ts";
import {
  emptyReplay,
  type Replay,
  type ReplayedRating,
  replayMaximum,
  replayOrder,
  withReplayed,
} from "./replay.ts";
import { loadTally, type Person, saveTally } from "./saved-tally.ts";
import { sumOf } from "./score.ts";
import { isCounted, type Tally, type TallySettings, windowOf, withSettled } from "./tally.ts";
import { advanceTo } from "./tally-windows.ts";

export type ReplayQueries = Pick<Database, "ratings" | "tallies" | "floodWindows">;

/** Up to this number of counted ratings, they are replayed in one transaction. */
export const atOnceMaximum = 20_000;
/** The share of a large post's ratings that may change while they are replayed. */
const strayMaximum = 1 / replayMaximum;
/** Ratings per page. */
const pageSize = 2_000;
/** The last moments are replayed in the transaction: nodes' clocks differ. */
const recentMs = 60_000;
/** How many times a replay starts over before other posts have their turn. */
const triesMaximum = 3;
/** Posts per round. */
const postsMaximum = 100;

const beginning = { userId: 0, at: 0 };

/**
 * Saves a tally from which ratings were removed, or to which they were restored, with the score as a replay of the
 * counted ratings gives it: at once, or where they are more than `atOnceMaximum`, soon. Call it in the transaction that
 * changed the ratings.
 */
export async function saveReplayed(
  database: ReplayQueries,
  postId: number,
  loaded: Tally,
  tally: Tally,
  now: number,
  settings: TallySettings,
  person?: Person,
): Promise<void> {
  const isSmall = sumOf(tally.counts).count <= atOnceMaximum;
  const replayed = isSmall ? await replayedTally(database, postId, tally, now, settings) : tally;
  await saveTally(database, postId, loaded, replayed, settings, person);
  if (!isSmall) await database.tallies.requestReplay(postId, now);
}

/** The tally with the score as a replay of the post's counted ratings gives it. */
export async function replayedTally(
  database: ReplayQueries,
  postId: number,
  tally: Tally,
  now: number,
  settings: TallySettings,
): Promise<Tally> {
  const counted = await countedWindows(database, postId, tally);
  const { replay } = await continued(database, postId, counted, begun, settings);
  return withSettled(tally, replay.settled, now, settings.settling);
}

/**
 * Replays the posts that wait for it, one after the other, and resolves to how many were; one that fails is reported and
 * goes on waiting.
 */
export async function replayRequested(
  database: ReplayQueries & Pick<Database, "transaction">,
  clock: () => number,
  settings: TallySettings,
  report: (error: unknown) => void,
): Promise<number> {
  let replayed = 0;
  for (const request of await database.tallies.replaysRequested(postsMaximum)) {
    try {
      if (await replayPost(database, request, clock, settings)) replayed += 1;
    } catch (error) {
      report(error);
    }
    await breathe(); // SQLite answers without a turn of the event loop
  }
  return replayed;
}

/** Replays a post's ratings and puts the result in place; false when too many of them changed meanwhile. */
async function replayPost(
  database: ReplayQueries & Pick<Database, "transaction">,
  request: ReplayRequest,
  clock: () => number,
  settings: TallySettings,
): Promise<boolean> {
  const { postId } = request;
  for (let tries = 0; tries < triesMaximum; tries += 1) {
    const tally = await loadTally(database, postId);
    const isSmall = sumOf(tally.counts).count <= atOnceMaximum;
    const windows = await countedWindows(database, postId, tally);
    const before = isSmall
      ? begun
      : await continued(database, postId, windows, begun, settings, { until: clock() - recentMs });
    if (await putInPlace(database, request, before, windows, clock, settings)) return true;
  }
  return false;
}

/** A replay of the ratings up to and including a place in their order. */
interface Progress {
  replay: Replay;
  place: { userId: number; at: number };
}

const begun: Progress = { replay: emptyReplay, place: beginning };

/** False when other windows count by now, or other ratings than those replayed. */
function putInPlace(
  database: ReplayQueries & Pick<Database, "transaction">,
  request: ReplayRequest,
  before: Progress,
  windows: Windows,
  clock: () => number,
  settings: TallySettings,
): Promise<boolean> {
  const { postId } = request;
  return database.transaction(async () => {
    const now = clock();
    const loaded = await loadTally(database, postId);
    const tally = advanceTo(loaded, now, settings);
    const counted = await countedWindows(database, postId, tally);
    if (before !== begun && windows.join() !== counted.join()) return false;
    const { replay } = await continued(database, postId, counted, before, settings);
    const stray = tally.counts.reduce(
      (sum, some, score) => sum + Math.abs(some - (replay.counts[score] ?? 0)),
      0,
    );
    if (before !== begun && stray > strayMaximum * sumOf(tally.counts).count) return false;
    const replayed = withSettled(tally, replay.settled, now, settings.settling);
    await saveTally(database, postId, loaded, replayed, settings);
    await database.tallies.endReplayRequest(request);
    return true;
  });
}

/** The numbers of windows; null stands for the ratings in none. */
type Windows = readonly (number | null)[];

/** The windows whose ratings count, in order, as the tally has them where it differs from what is saved. */
async function countedWindows(
  { floodWindows }: ReplayQueries,
  postId: number,
  tally: Tally,
): Promise<Windows> {
  if (tally.windowCount === 0) return [null];
  const saved = await floodWindows.all(postId);
  const all = saved.map((window) => windowOf(tally, window.number) ?? window);
  const numbers = all.filter(isCounted).map(({ number }) => number);
  return [null, ...numbers.toSorted((a, b) => a - b)];
}

/** Continues a replay with the saved ratings of these windows; in the background before a time, and with pauses. */
async function continued(
  { ratings }: ReplayQueries,
  postId: number,
  windows: Windows,
  { replay, place }: Progress,
  settings: TallySettings,
  background?: { until: number },
): Promise<Progress> {
  const until = background?.until ?? Number.POSITIVE_INFINITY;
  for (let progress = { replay, place }; ; ) {
    const pages: ReplayedRating[][] = [];
    for (const window of windows) pages.push(await ratings.inOrder(postId, window, progress.place, pageSize));
    // Behind the end of a full page, its window may have ratings that were not read yet.
    const [end] = pages
      .flatMap((page) => (page.length === pageSize ? page.slice(-1) : []))
      .toSorted(replayOrder);
    const page = pages
      .flat()
      .filter((rating) => rating.at < until && (!end || replayOrder(rating, end) <= 0))
      .toSorted(replayOrder);
    const last = page.at(-1);
    if (!last) return progress;
    progress = { replay: withReplayed(progress.replay, page, settings.settling), place: last };
    if (!end) return progress;
    if (background) await breathe();
  }
}
