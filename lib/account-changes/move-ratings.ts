/**
 * Moves the ratings of disabled accounts out of the scores, and back.
 * One post per transaction.
 */
import type { Database, SavedRating } from "../../db/index.ts";
import { settledByChange } from "../ratings/score/settled-score.ts";
import { saveReplayed } from "../ratings/tally/saved-replay.ts";
import { loadTally } from "../ratings/tally/saved-tally.ts";
import { type Tally, withPlaced } from "../ratings/tally/tally.ts";
import { knownTime, withWithdrawalSeen } from "../ratings/tally/tally-floods.ts";
import { advanceTo } from "../ratings/tally/tally-windows.ts";
import type { ScoringContext } from "../ratings/types.ts";

/**
 * Accounts without ratings whose change one step ends.
 * A commit for each would take most of the time.
 */
const endedPerStep = 100;

/**
 * Moves all ratings of one post that are due.
 * Or notes that some accounts have none left; false when no account waits. On several nodes each works at other
 * accounts.
 */
export function moveSomeRatings({ database, scoring }: ScoringContext, now: number): Promise<boolean> {
  const { accountChanges, ratings, tallies } = database;
  return database.transaction(async () => {
    const due = await accountChanges.claim();
    if (!due) return false;
    const { isDisabled } = due;
    const postId = await accountChanges.postToChange(due.userId, isDisabled);
    if (postId === undefined) {
      await endWithoutRatings(database, due);
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

/**
 * Ends the change of a claimed account that has no rating left, and of others.
 * It stops at an account that has one.
 */
async function endWithoutRatings(
  { accountChanges }: Database,
  first: { userId: number; changeId: number },
): Promise<void> {
  await accountChanges.end(first.userId, first.changeId);
  for (let ended = 1; ended < endedPerStep; ended += 1) {
    const due = await accountChanges.claim();
    if (!due || (await accountChanges.postToChange(due.userId, due.isDisabled)) !== undefined) return;
    await accountChanges.end(due.userId, due.changeId);
  }
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
