/**
 * Removes the rest of deleted posts and accounts, in the background.
 * Deleting only marks them, in one short transaction; this removes their rows a few at a time, with pauses, so that no
 * request waits for more than one batch.
 *
 * Each step is a transaction that saves its progress, so a crash loses nothing. On several nodes each step belongs to one
 * of them; the others work at other removals, or wait.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Removal } from "../../db/index.ts";
import { startPeriodicTask } from "../../db/periodic-task.ts";
import { moveSomeRatings } from "../account-changes/move-ratings.ts";
import { eraseRating } from "../ratings/index.ts";
import type { ScoringContext } from "../ratings/types.ts";

export type { Removal };

interface RemovalSettings {
  /** Most rows removed in one transaction. */
  batch?: number;
  /**
   * The longest pause after a transaction, in milliseconds.
   * A pause is as long as the transaction took, and at most this.
   */
  pauseMs?: number;
}

/** Posts of a deleted author that are marked in one transaction. */
const postsPerStep = 20;
/**
 * How long one transaction keeps posts of a removed account's ratings locked.
 * The rating that exceeds it is the transaction's last.
 */
const lockedForMs = 10;
const roundsEveryMs = 2_000;

/**
 * One transaction's worth at `now`; false when there was nothing to do.
 * A removal that fails is added to `failed`.
 */
export async function removeSome(
  context: ScoringContext,
  now: number,
  { batch = 500, failed = new Set() }: Pick<RemovalSettings, "batch"> & { failed?: Set<number> } = {},
): Promise<boolean> {
  const { database } = context;
  let claimed: number | undefined;
  try {
    return await database.transaction(async () => {
      const removal = await database.removals.claim([...failed]);
      if (!removal) return false;
      claimed = removal.id;
      return removal.kind === "post"
        ? await removeSomeOfPost(database, removal, batch)
        : await removeSomeOfAccount(context, removal, now, batch);
    });
  } catch (error) {
    if (claimed !== undefined) failed.add(claimed);
    throw error;
  }
}

async function removeSomeOfPost(database: Database, removal: Removal, batch: number): Promise<boolean> {
  const { id, subjectId } = removal;
  const { rows, ratings } = await database.removals.removeOfPost(subjectId, batch);
  if (ratings > 0) await database.removals.addRemovedRatings(id, ratings);
  if (rows > 0) return true;
  await database.posts.remove(subjectId);
  await database.removals.end(id);
  return true;
}

/**
 * First the ratings, so that scores are right soon.
 * The row itself when no other row refers to it any more.
 */
async function removeSomeOfAccount(
  context: ScoringContext,
  removal: Removal,
  now: number,
  batch: number,
): Promise<boolean> {
  const { database, scoring } = context;
  const { id, subjectId } = removal;
  // Their posts are locked until the transaction ends: so few that this is soon, yet more than one for each commit.
  const began = performance.now();
  let erased = 0;
  // At least one: the rest is for an account without ratings.
  for (; erased < batch && (erased === 0 || performance.now() - began < lockedForMs); erased += 1) {
    const postId = await database.ratings.anyRatedBy(subjectId);
    if (postId === undefined) break;
    await eraseRating(database, { postId, userId: subjectId, now }, scoring);
  }
  if (erased > 0) {
    await database.removals.addRemovedRatings(id, erased);
    return true;
  }
  if ((await database.posts.markDeletedOf(subjectId, now, postsPerStep)) > 0) return true;
  if ((await database.removals.removeOfUser(subjectId, batch)) > 0) return true;
  // Their posts are removals of their own: another node may be at them.
  if (await database.posts.anyOf(subjectId)) return false;
  await database.users.remove(subjectId);
  await database.removals.end(id);
  return true;
}

/**
 * Removes, and moves the ratings of disabled accounts, until all is done.
 * It stops early when `isStopping` returns true. A removal that fails does not delay the others and is retried in the
 * next round; the first failure is thrown at the end.
 */
export async function removeAll(
  context: ScoringContext,
  clock: () => number,
  { batch = 500, pauseMs = 20 }: RemovalSettings = {},
  isStopping: () => boolean = () => false,
): Promise<void> {
  const failed = new Set<number>();
  const failures: unknown[] = [];
  const noteFailure = (error: unknown) => {
    failures.push(error);
    return false;
  };
  let canMove = true;
  for (let isMore = true; isMore && !isStopping(); ) {
    const failedBefore = failed.size;
    let began = performance.now();
    const rest = () => sleep(Math.min(pauseMs, performance.now() - began));
    const removed = await removeSome(context, clock(), { batch, failed }).catch(noteFailure);
    if (removed) await rest();
    began = performance.now();
    const failuresBefore = failures.length;
    const moved = canMove && (await moveSomeRatings(context, clock()).catch(noteFailure));
    if (moved) await rest();
    canMove &&= failures.length === failuresBefore;
    isMore = removed || moved || failed.size > failedBefore;
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Removes in the background from now on; returns a function that ends it.
 * It resolves when the last step is over.
 */
export function startRemoving(
  context: ScoringContext,
  clock: () => number,
  report: (error: unknown) => void,
): () => Promise<void> {
  let isStopping = false;
  const round = async () => {
    const { accountChanges, removals } = context.database;
    if ((await removals.all()).length === 0 && !(await accountChanges.isWaiting())) return;
    await removeAll(context, clock, {}, () => isStopping);
  };
  const stop = startPeriodicTask(round, report, { everyMs: roundsEveryMs });
  return () => {
    isStopping = true;
    return stop();
  };
}
