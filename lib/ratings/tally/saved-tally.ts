/** Loads and saves tallies, in the transaction of the ratings that change them. */
import { type Database, type DeciderRole, isUnavailable, type SavedTally } from "../../../db/index.ts";
import { queueFloodDecided, queueFloodOpened } from "../../webhooks/queue.ts";
import { scoreFrom } from "../score/score.ts";
import { settledByChange } from "../score/settled-score.ts";
import { emptyTally, type Tally, type TallySettings, windowOf } from "./tally.ts";
import { advanceTo, dueAt } from "./tally-windows.ts";

type TallyQueries = Pick<Database, "tallies" | "floodWindows">;
type SavingQueries = TallyQueries & Pick<Database, "webhooks">;

/** Posts per transaction of `catchUp`. */
const batchSize = 100;

/** A post's tally, including window number `also`. */
export async function loadTally(
  database: TallyQueries,
  postId: number,
  also: number | null = null,
): Promise<Tally> {
  return withWindows(database, postId, await database.tallies.find(postId), also);
}

/** A saved tally with its windows in play, including window number `also`. */
export async function withWindows(
  { floodWindows }: TallyQueries,
  postId: number,
  { counts, settled, windowCount, detector }: SavedTally,
  also: number | null = null,
): Promise<Tally> {
  const windows = windowCount === 0 ? [] : await floodWindows.inPlay(postId, windowCount, also);
  return { counts, settled, windowCount, detector, windows, decided: [] };
}

/** The maker and the reason of a window's decision. */
export interface DecisionMaker {
  userId: number;
  role: DeciderRole;
  why: string;
}

/**
 * Saves a tally's changes since it was `loaded`.
 * Also records its decisions, with `person` as their maker.
 */
export async function saveTally(
  { tallies, floodWindows, webhooks }: SavingQueries,
  postId: number,
  loaded: Tally,
  tally: Tally,
  settings: TallySettings,
  person?: DecisionMaker,
): Promise<void> {
  const { counts, settled, windowCount, detector } = tally;
  await tallies.save(postId, { counts, settled, windowCount, detector, dueAt: dueAt(tally, settings) });
  for (const window of tally.windows)
    if (!loaded.windows.includes(window)) await floodWindows.save(postId, window);
  for (const { number, openedAt } of tally.windows)
    if (number > loaded.windowCount) await queueFloodOpened({ webhooks }, { postId, number, at: openedAt });
  for (const { window, at, status, decidedBy } of tally.decided) {
    const given = scoreFrom(windowOf(tally, window)?.counts ?? emptyTally.counts).count;
    const ratings = given + (await floodWindows.withdrawnIn(postId, window));
    const who = decidedBy === "person" ? person : undefined;
    await floodWindows.recordDecision(postId, { window, at, status, decidedBy, ratings, ...who });
    await queueFloodDecided(
      { webhooks },
      { postId, number: window, at, decision: status, decidedBy, ratings },
    );
  }
}

/**
 * Applies the changes due by `now` without a new rating.
 * Floods that end, windows that are counted, settled scores that move. Readers call it first; mostly there is nothing
 * to do. It never blocks reading: when another process holds the write lock, or the database cannot be written, the
 * next reader does it; a post that fails is reported and skipped.
 */
export async function catchUp(
  database: SavingQueries & Pick<Database, "transaction" | "transactionNow">,
  now: number,
  settings: TallySettings,
  report: (error: unknown) => void,
): Promise<void> {
  if ((await database.tallies.due(now, 1)).length === 0) return;
  await ignoreUnavailable(() =>
    database.transactionNow(async () => {
      for (const postId of await database.tallies.due(now, batchSize)) {
        try {
          await database.transaction(() => advancePost(database, postId, now, settings));
        } catch (error) {
          if (isUnavailable(error)) throw error;
          report(error);
        }
      }
    }),
  );
}

/**
 * Marks every post with a held window as due.
 * A changed setting may change the window's deadline. Waits for write locks; when the database cannot be written, the
 * next start does it.
 */
export function makeHeldDue({
  tallies,
  transaction,
}: Pick<Database, "tallies" | "transaction">): Promise<void> {
  return ignoreUnavailable(() => transaction(tallies.makeHeldDue));
}

async function ignoreUnavailable(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
}

async function advancePost(
  database: SavingQueries,
  postId: number,
  now: number,
  settings: TallySettings,
): Promise<void> {
  const loaded = await loadTally(database, postId);
  const advanced = advanceTo(loaded, now, settings);
  const { counts } = advanced;
  const settled = settledByChange(advanced.settled, now, counts, counts, settings.settling);
  await saveTally(database, postId, loaded, { ...advanced, settled }, settings);
}
