// Over 200 lines: creating, changing and withdrawing share the steps of one transaction.

/**
 * Creates, updates and withdraws ratings, for server actions and the JSON API.
 *
 * One attempt is one transaction: find the post and the user's rating, refuse a create that should be an update (or
 * the reverse) before it costs anything, let the limiter decide, record the attempt, and, when allowed, write the
 * rating and update the post's tally. A crash leaves all of it or none. (With the limiter's states outside the
 * database the decision comes first; see `lib/limits`.)
 */
import type { Database, SavedRating, SavedTally } from "../../db/index.ts";
import type { Limits } from "../limits/index.ts";
import type { GuardedPlan, PolicyDecision, SubjectCheck } from "../limits/types.ts";
import { ratingDenial } from "../users/participation.ts";
import { validate } from "../validation.ts";
import { backOff, backoffKey, backoffsIn, isRetry, refusalInBackoff } from "./backoff.ts";
import { examplesAt, siteBaseline } from "./floods/site-baseline.ts";
import { createWaitingRating, updateWaitingRating } from "./new-accounts.ts";
import { recordAttempt } from "./record-attempt.ts";
import { ratingSchema } from "./schema.ts";
import type { Score } from "./score/score.ts";
import { replayedTally } from "./tally/saved-replay.ts";
import { loadTally, saveTally, withWindows } from "./tally/saved-tally.ts";
import { openWindowOf, type TallySettings } from "./tally/tally.ts";
import { judge, knownTime, withWithdrawalSeen } from "./tally/tally-floods.ts";
import { usualGapMs, withRatingGiven, withRatingWithdrawn } from "./tally/tally-ratings.ts";
import type { RatingContext, RatingOutcome, RatingRequest, ScoringContext } from "./types.ts";

export type { RatingContext, RatingOutcome, RatingRequest };

/** Saves the user's rating of a post, the first one or a change of it. */
export async function saveRatingOf(context: RatingContext, request: RatingRequest): Promise<RatingOutcome> {
  const outcome = await createRating(context, request);
  return outcome.kind === "already-rated" ? updateRating(context, request) : outcome;
}

/** Saves the user's first rating of a post; `already-rated` when there is one. */
export async function createRating(context: RatingContext, request: RatingRequest): Promise<RatingOutcome> {
  return (await createWaitingRating(context, request)) ?? rate(context, request, "create");
}

/** Changes the user's rating of a post; `not-rated` when there is none. */
export async function updateRating(context: RatingContext, request: RatingRequest): Promise<RatingOutcome> {
  const outcome = await rate(context, request, "update");
  return outcome.kind === "not-rated" ? updateWaitingRating(context, request) : outcome;
}

/**
 * Creates a rating that has waited, with its score, as if its user gave it now.
 * `not-rated` when it is withdrawn.
 */
export function countWaitingRating(
  context: RatingContext,
  request: Omit<RatingRequest, "input">,
): Promise<RatingOutcome> {
  return rate(context, { ...request, input: { score: 0 } }, "create", { hasWaited: true });
}

async function rate(
  { database, limits, guard, ratingMaxWaitMs = 0, scoring, emailVerification, hashNetwork }: RatingContext,
  { slug, user, address, now, input }: RatingRequest,
  verb: "create" | "update",
  { hasWaited = false } = {},
): Promise<RatingOutcome> {
  const checked = validate(ratingSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const denial = ratingDenial({ emailVerification }, user);
  if (denial) return denial;
  const userId = user.id;

  const plan = async (): Promise<GuardedPlan<RatingOutcome> | { outcome: RatingOutcome }> => {
    // A rating that has waited counts, though its post was unpublished meanwhile: the post may return.
    // Sent together, in this order: once the post is locked, its ratings stay as they are.
    const [post, rater] = await Promise.all([
      database.posts.lock(slug, { unpublished: hasWaited }),
      database.ratings.findRater(slug, userId, backoffKey(userId), now),
    ]);
    if (!post) return { outcome: { kind: "no-such-post" } };
    if (!rater) return { outcome: { kind: "not-logged-in" } };
    const { existing, former } = rater;
    const backoffs = backoffsIn(rater.state);
    if (verb === "create" && existing) return { outcome: { kind: "already-rated" } };
    if (verb === "update" && !existing) return { outcome: { kind: "not-rated" } };
    const waiting = hasWaited ? await database.waitingRatings.find(post.id, userId) : undefined;
    if (hasWaited && !waiting) return { outcome: { kind: "not-rated" } };
    const { score } = waiting ?? checked.value;
    const kind = existing || former ? "change" : "first";
    return {
      refusal: refusalInBackoff(backoffs, kind, now),
      checks:
        kind === "first"
          ? [
              [limits["rating.user"], userId],
              [hasWaited ? [] : limits["rating.address"], address],
              [limits["rating.post"], post.id],
              ...(isRetry(backoffs, "first", now) ? [checkOfRetry(limits, post.id)] : []),
            ]
          : checksOfChange(limits, userId, post.id),
      execute: async (verdict, at) => {
        const { heldBy } = verdict;
        const held =
          !verdict.refused &&
          (await saveRating(database, post, { userId, score, ...rater, at, heldBy }, scoring));
        // A rating that has waited is tried by the blog again and again, not by its user.
        if (hasWaited && verdict.refused) return verdict.refused;
        const network = verdict.refused
          ? null
          : waiting
            ? waiting.network
            : (hashNetwork?.(address, at) ?? null);
        await recordAttempt(database, { postId: post.id, userId, score, at, verb, held, network }, verdict);
        if (verdict.refused?.kind === "limited" && !verdict.isKnown) {
          const { refusal } = verdict.refused;
          return { kind: "limited", refusal: await backOff(database, { kind, userId, refusal, at }) };
        }
        if (verdict.refused) return verdict.refused;
        if (waiting) await database.waitingRatings.remove(post.id, userId);
        return { kind: held ? "held" : "saved", score };
      },
    };
  };
  return guard.run({
    client: { address, username: user.username },
    now,
    plan,
    mutexKey: `${slug} ${userId}`,
    lockKey: slug,
    maxWaitMs: ratingMaxWaitMs,
  });
}

/**
 * A change takes no room from first ratings.
 * But where a post's floods are held, its changes are part of them.
 */
function checksOfChange(limits: Limits, userId: number, postId: number): SubjectCheck[] {
  return [
    [limits["rating.change"], userId],
    [limits["rating.post"].filter(({ mode }) => mode !== "hold"), `${postId}:changes`],
    [limits["rating.post"].filter(({ mode }) => mode === "hold"), postId],
  ];
}

/**
 * Accounts that were refused before share half of a post's limit.
 * Their retries therefore leave room for first attempts.
 */
function checkOfRetry(limits: Limits, postId: number): SubjectCheck {
  const halves = limits["rating.post"]
    .filter(({ mode }) => mode === "enforce")
    .map((policy) => ({ ...policy, algorithm: policy.algorithm.scale(1 / 2) }));
  return [halves, `${postId}:retries`];
}

/**
 * Saves an allowed rating and updates the post's tally.
 * Returns whether the rating is held.
 */
async function saveRating(
  database: Database,
  { id: postId, tally: saved }: { id: number; tally: SavedTally },
  {
    userId,
    registeredAt,
    score,
    existing,
    former,
    at,
    heldBy,
  }: {
    userId: number;
    registeredAt: number;
    score: Score;
    existing: (SavedRating & { updatedAt: number }) | null;
    /** Set when the user has withdrawn a rating before. */
    former: Pick<SavedRating, "window"> | null;
    at: number;
    heldBy: PolicyDecision | undefined;
  },
  scoring: TallySettings,
): Promise<boolean> {
  const before = existing
    ? { ...existing, at: existing.updatedAt }
    : former
      ? { score: null, window: former.window, at }
      : undefined;
  const loaded = await withWindows(database, postId, saved, before?.window);
  const needsBaseline = scoring.detectsFloods && !loaded.detector;
  const site = needsBaseline ? siteBaseline(await database.tallies.examples(examplesAt(at))) : undefined;
  const limitedGapMs = heldBy && usualGapMs(heldBy.decision.reason, loaded.settled, at);
  const arriving = { now: at, score, before, registeredAt: knownTime(registeredAt), limitedGapMs };
  const { tally: seen, recentNeeded, floodOf } = judge(loaded, arriving, site, scoring);
  const recent =
    recentNeeded === 0 ? [] : await database.ratings.recentInNoWindow(postId, userId, recentNeeded);
  const flood = floodOf(recent.map((each) => ({ ...each, registeredAt: knownTime(each.registeredAt) })));
  const { tally, window } = withRatingGiven(seen, { now: at, score, before, flood }, scoring);

  const rating = { postId, userId, score, window, now: at };
  if (existing) await database.ratings.update(rating, existing);
  else await database.ratings.insert(rating, { replacesFormer: former !== null });
  const open = openWindowOf(tally);
  if (open)
    for (const each of flood?.runUp ?? []) await database.ratings.setWindow(postId, each.userId, open.number);
  await saveTally(database, postId, loaded, tally, scoring);
  return tally.windows.some(({ number, status }) => number === window && status !== "counted");
}

type Withdrawal = { kind: "withdrawn" } | { kind: "no-such-post" } | { kind: "not-rated" };

/**
 * Withdraws the user's rating of a post, also one that waits.
 * Also from an unpublished post. It passes no limit.
 */
export function withdrawRating(
  context: ScoringContext,
  request: { slug: string; userId: number; now: number },
): Promise<Withdrawal> {
  return context.database.transaction(() => withdraw(context, request));
}

/** Reads the rating only after locking its post: before that it may change. */
async function withdraw(
  { database, scoring }: ScoringContext,
  { slug, userId, now }: { slug: string; userId: number; now: number },
): Promise<Withdrawal> {
  const post = await database.posts.lock(slug, { unpublished: true });
  if (!post) return { kind: "no-such-post" };
  const rating = await database.ratings.find(post.id, userId);
  if (!rating) {
    const waited = await database.waitingRatings.remove(post.id, userId);
    if (waited) return { kind: "withdrawn" };
    return { kind: post.unpublishedAt === null ? "not-rated" : "no-such-post" };
  }
  await takeOut(database, { postId: post.id, userId, rating, now }, scoring, () =>
    database.ratings.remove(post.id, userId, rating),
  );
  return { kind: "withdrawn" };
}

/**
 * Removes the rating of a deleted account, if there is one.
 * Call it in a transaction.
 */
export async function eraseRating(
  database: Database,
  { postId, userId, now }: { postId: number; userId: number; now: number },
  scoring: TallySettings,
): Promise<void> {
  await database.tallies.find(postId); // locks the post
  const rating = await database.ratings.find(postId, userId);
  if (!rating) return;
  await takeOut(database, { postId, userId, rating, now }, scoring, () =>
    database.ratings.erase(postId, userId, rating),
  );
}

async function takeOut(
  database: Database,
  {
    postId,
    userId,
    rating,
    now,
  }: { postId: number; userId: number; rating: SavedRating & { updatedAt: number }; now: number },
  scoring: TallySettings,
  remove: () => Promise<void>,
): Promise<void> {
  const loaded = await loadTally(database, postId, rating.window);
  const given = { score: rating.score, at: rating.updatedAt };
  const registeredAt = knownTime(await database.users.registeredAt(userId));
  const seen = withWithdrawalSeen(loaded, given, registeredAt);
  await remove();
  const { tally, replays } = withRatingWithdrawn(seen, now, rating, scoring);
  const left = replays ? await replayedTally(database, postId, tally, now, scoring) : tally;
  await saveTally(database, postId, loaded, left, scoring);
}
