/** Tallies in the database: loaded, changed by `tally.ts`, and saved, in one transaction with the ratings they are about. */
import { type Database, isUnavailable } from "../../db/index.ts";
import { scoreFrom } from "./score.ts";
import { settledByChange } from "./settled-score.ts";
import { emptyTally, type Tally, type TallySettings, windowOf } from "./tally.ts";
import { advanceTo, dueAt } from "./tally-windows.ts";

type Saved = Pick<Database, "tallies" | "floodWindows">;

/** How many posts are brought up to date at once. */
const batch = 100;

/** A post's tally, with the window of the rating that is touched. */
export async function loadTally(
  { tallies, floodWindows }: Saved,
  postId: number,
  also: number | null = null,
): Promise<Tally> {
  const { counts, settled, windowCount } = await tallies.find(postId);
  const windows = windowCount === 0 ? [] : await floodWindows.inPlay(postId, windowCount, also);
  return { counts, settled, windowCount, windows, decided: [] };
}

/** Saves what has become of a tally since it was `loaded`, and records what was decided, by `person` where one did. */
export async function saveTally(
  { tallies, floodWindows }: Saved,
  postId: number,
  loaded: Tally,
  tally: Tally,
  settings: TallySettings,
  person?: { userId: number; why: string },
): Promise<void> {
  const { counts, settled, windowCount } = tally;
  await tallies.save(postId, { counts, settled, windowCount, dueAt: dueAt(tally, settings) });
  for (const window of tally.windows)
    if (!loaded.windows.includes(window)) await floodWindows.save(postId, window);
  for (const { window, at, status, by } of tally.decided) {
    const ratings = scoreFrom(windowOf(tally, window)?.counts ?? emptyTally.counts).count;
    const who = by === "person" ? person : undefined;
    await floodWindows.recordDecision(postId, { window, at, status, decidedBy: by, ratings, ...who });
  }
}

/**
 * Does what is due by `now` about posts that nobody rates: floods that are over, windows whose time has passed, settled scores
 * that have moved since they were saved. Whoever reads calls this first; mostly there is nothing to do. It never stands
 * in the way of reading: when another process writes just now, or the database cannot be written, it is left to the
 * next reader, and a post that it fails on is reported and left out.
 */
export async function catchUp(
  database: Saved & Pick<Database, "transaction" | "transactionNow">,
  now: number,
  settings: TallySettings,
  report: (error: unknown) => void,
): Promise<void> {
  if ((await database.tallies.due(now, 1)).length === 0) return;
  await unlessUnavailable(() =>
    database.transactionNow(async () => {
      for (const postId of await database.tallies.due(now, batch)) {
        try {
          await database.transaction(() => bringUpTo(database, postId, now, settings));
        } catch (error) {
          if (isUnavailable(error)) throw error;
          report(error);
        }
      }
    }),
  );
}

/**
 * Makes every post with a window that is held due, so that the next reader works out its time anew: the settings may have
 * changed. Waits for those who write, on other nodes a post that is being rated; when the database cannot be written, that is
 * left to the next start.
 */
export function makeHeldDue({
  tallies,
  transaction,
}: Pick<Database, "tallies" | "transaction">): Promise<void> {
  return unlessUnavailable(() => transaction(tallies.makeHeldDue));
}

async function unlessUnavailable(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
}

async function bringUpTo(
  database: Saved,
  postId: number,
  now: number,
  settings: TallySettings,
): Promise<void> {
  const loaded = await loadTally(database, postId);
  const brought = advanceTo(loaded, now, settings);
  const { counts } = brought;
  const settled = settledByChange(brought.settled, now, counts, counts, settings.settling);
  await saveTally(database, postId, loaded, { ...brought, settled }, settings);
}
