/**
 * Moves the ratings of disabled accounts out of the scores, and back.
 * One post per transaction.
 */
import type { Database, SavedRating } from "../../db/index.ts";
import { saveReplayed } from "../ratings/saved-replay.ts";
import { loadTally } from "../ratings/saved-tally.ts";
import { settledByChange } from "../ratings/settled-score.ts";
import { scoringDefaults, type Tally, type TallySettings, withPlaced } from "../ratings/tally.ts";
import { knownTime, withWithdrawalSeen } from "../ratings/tally-floods.ts";
import { advanceTo } from "../ratings/tally-windows.ts";

export interface MovingContext {
  database: Database;
  scoring?: TallySettings;
}

/**
 * Moves all ratings of one post that are due.
 * Or notes that an account has none left; false when no account waits. On several nodes each works at other accounts.
 */
export function moveSomeRatings(
  { database, scoring = scoringDefaults }: MovingContext,
  now: number,
): Promise<boolean> {
  const { accountChanges, ratings, tallies } = database;
  return database.transaction(async () => {
    const due = await accountChanges.claim();
    if (!due) return false;
    const { userId, changeId, isDisabled } = due;
    const postId = await accountChanges.postToChange(userId, isDisabled);
    if (postId === undefined) {
      await accountChanges.end(userId, changeId);
      return true;
    }
    await tallies.find(postId); // locks the post
    const found = await accountChanges.ratingsToMove(postId, isDisabled);
    const loaded = await loadWhole(database, postId);
    const moved = isDisabled ? found : await ratings.restore(postId, found);
    if (isDisabled) await ratings.setAside(postId, found);
    const seen = isDisabled ? found.reduce(withoutRating, loaded) : loaded;
    const advanced = advanceTo(seen, now, scoring);
    const placed = moved.reduce((tally, rating) => withPlaced(tally, rating, isDisabled ? -1 : 1), advanced);
    const settled = settledByChange(advanced.settled, now, advanced.counts, placed.counts, scoring.settling);
    await saveReplayed(database, postId, loaded, { ...placed, settled }, now, scoring);
    for (const [id, those] of Map.groupBy(found, (rating) => rating.changeId))
      await accountChanges.addMoved(id, those.length);
    return true;
  });
}

/** The tally whose flood detector has seen a rating leave. */
function withoutRating(
  tally: Tally,
  { score, updatedAt: at, registeredAt }: SavedRating & { updatedAt: number; registeredAt: number },
): Tally {
  return withWithdrawalSeen(tally, { score, at }, knownTime(registeredAt));
}

/** A post's tally with all its windows: the ratings may be in any. */
async function loadWhole(database: Database, postId: number): Promise<Tally> {
  const tally = await loadTally(database, postId);
  if (tally.windowCount === 0) return tally;
  const windows = await database.floodWindows.all(postId);
  return { ...tally, windows: windows.toSorted((a, b) => a.number - b.number) };
}
