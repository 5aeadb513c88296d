/**
 * Replays the ratings of saved posts.
 * A replay runs in the caller's transaction, or in the background for posts with many ratings (`background-replay.ts`).
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../../db/index.ts";
import { emptyReplay, type Replay, type ReplayedRating, replayOrder, withReplayed } from "../score/replay.ts";
import { sumOf } from "../score/score.ts";
import { type DecisionMaker, saveTally } from "./saved-tally.ts";
import { isCounted, type Tally, type TallySettings, windowOf, withSettled } from "./tally.ts";

export type ReplayQueries = Pick<Database, "ratings" | "replays" | "tallies" | "floodWindows">;

/** The default maximum number of ratings that one transaction replays. */
export const ratingsPerTransaction = 20_000;
/** Ratings per page. */
const pageSize = 2_000;
/** The longest rest after a page that is read in the background. */
const restMaximumMs = 50;
const beginning = { userId: 0, at: 0 };

/**
 * Saves a tally from which ratings were removed, or to which they returned.
 * Its score is that of a replay of the counted ratings, computed at once or, for more than `ratingsPerTransaction` ratings,
 * soon after. Call it in the transaction that changed the ratings. Resolves to the saved tally, and whether its score
 * is the replay's.
 */
export async function saveReplayed(
  database: ReplayQueries & Pick<Database, "webhooks">,
  postId: number,
  loaded: Tally,
  tally: Tally,
  now: number,
  settings: TallySettings,
  { person, maximum = ratingsPerTransaction }: { person?: DecisionMaker; maximum?: number | undefined } = {},
): Promise<{ tally: Tally; isReplayed: boolean }> {
  const isReplayed = sumOf(tally.counts).count <= maximum;
  const saved = isReplayed ? await replayedTally(database, postId, tally, now, settings) : tally;
  await saveTally(database, postId, loaded, saved, settings, person);
  if (!isReplayed) await database.replays.request(postId, now);
  return { tally: saved, isReplayed };
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
  const { replay } = await continueReplay(database, postId, counted, startOfReplay, settings);
  return withSettled(tally, replay.settled, now, settings.settling);
}

/** A replay of the ratings up to and including a place in their order. */
export interface Progress {
  replay: Replay;
  place: { userId: number; at: number };
}

export const startOfReplay: Progress = { replay: emptyReplay, place: beginning };

/** The numbers of windows; null stands for the ratings in none. */
export type Windows = readonly (number | null)[];

/**
 * The windows whose ratings count, in order.
 * Where tally and saved windows differ, the tally decides.
 */
export async function countedWindows(
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

interface Background {
  until: number;
  renewClaim(progress: Progress): Promise<boolean>;
}

export function continueReplay(
  database: ReplayQueries,
  postId: number,
  windows: Windows,
  from: Progress,
  settings: TallySettings,
): Promise<Progress>;
export function continueReplay(
  database: ReplayQueries,
  postId: number,
  windows: Windows,
  from: Progress,
  settings: TallySettings,
  background: Background,
): Promise<Progress | undefined>;
/**
 * Continues a replay with the saved ratings of these windows.
 * In the background it reads only ratings before `until`, with pauses, and resolves to undefined when it must stop.
 */
export async function continueReplay(
  { ratings }: ReplayQueries,
  postId: number,
  windows: Windows,
  from: Progress,
  settings: TallySettings,
  background?: Background,
): Promise<Progress | undefined> {
  const until = background?.until ?? Number.POSITIVE_INFINITY;
  for (let progress = from; ; ) {
    const began = performance.now();
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
    if (!background) continue;
    if (!(await background.renewClaim(progress))) return undefined;
    // As long as the page took, so that other requests have at least half of the time.
    await sleep(Math.min(restMaximumMs, performance.now() - began));
  }
}
