/**
 * Rating a post: create, update, withdraw. The pages' server actions and the JSON API both come through here.
 *
 * Everything about one try happens in one transaction: the post and the user's rating are found, a create that
 * should be an update (or the other way round) is refused before it costs anything, the limiter decides and its
 * state is saved, the attempt is recorded, and, when allowed, the rating is written and the post's tally moves: six
 * counters, settled score, flood window. A crash leaves all of it or none. (With the limiter's states elsewhere the
 * decision comes first; see `lib/guard`.)
 */
import type { Database, SavedRating } from "../../db/index.ts";
import type { Guard, Plan, PolicyDecision, Refused } from "../guard/index.ts";
import type { Limits } from "../limits.ts";
import type { User } from "../users/index.ts";
import { type FieldErrors, validate } from "../validation.ts";
import { runUpMaximum } from "./flood-window.ts";
import { recordAttempt } from "./record-attempt.ts";
import { loadTally, saveTally } from "./saved-tally.ts";
import { ratingSchema } from "./schema.ts";
import type { Score } from "./scores.ts";
import { scoringDefaults, type TallySettings } from "./tally.ts";
import { beginsFlood, usualGapMs, withRatingGiven, withRatingWithdrawn } from "./tally-ratings.ts";

/** What a rating needs to know of where it happens. */
export interface RatingContext {
  database: Database;
  limits: Limits;
  guard: Guard;
  /** How long a rating over a limit may wait to be saved instead of being refused, in milliseconds; 0, not at all, unless told. */
  ratingMaxWaitMs?: number;
  /** How scores settle and how long floods are held; the defaults unless told. */
  scoring?: TallySettings;
}

export interface RatingRequest {
  slug: string;
  user: Pick<User, "id" | "username">;
  /** Where the request came from, as limits count it. */
  address: string;
  /** What was sent, not yet checked: `{ score }`. */
  input: unknown;
  /** Milliseconds. */
  now: number;
}

export type RatingOutcome =
  | { kind: "saved"; score: Score }
  /** Saved, but in a flood window that does not count, or not yet. */
  | { kind: "held"; score: Score }
  | Refused
  | { kind: "invalid"; errors: FieldErrors }
  | { kind: "no-such-post" }
  | { kind: "already-rated" }
  | { kind: "not-rated" };

/** Saves the user's first rating of a post; `already-rated` when there is one. */
export function createRating(context: RatingContext, request: RatingRequest): Promise<RatingOutcome> {
  return rate(context, request, "create");
}

/** Changes the user's rating of a post; `not-rated` when there is none. */
export function updateRating(context: RatingContext, request: RatingRequest): Promise<RatingOutcome> {
  return rate(context, request, "update");
}

async function rate(
  { database, limits, guard, ratingMaxWaitMs = 0, scoring = scoringDefaults }: RatingContext,
  { slug, user, address, now, input }: RatingRequest,
  verb: "create" | "update",
): Promise<RatingOutcome> {
  const checked = validate(ratingSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { score } = checked.value;
  const userId = user.id;

  const plan = async (): Promise<Plan<RatingOutcome> | { outcome: RatingOutcome }> => {
    const post = await database.posts.lock(slug);
    if (!post) return { outcome: { kind: "no-such-post" } };
    const existing = await database.ratings.find(post.id, userId);
    if (verb === "create" && existing) return { outcome: { kind: "already-rated" } };
    if (verb === "update" && !existing) return { outcome: { kind: "not-rated" } };
    return {
      checks: [
        [limits["rating.user"], userId],
        [limits["rating.address"], address],
        [limits["rating.post"], post.id],
      ],
      carryOut: async (verdict, at) => {
        const rating = { postId: post.id, userId, score };
        const held =
          !verdict.refused &&
          (await saveRating(database, { ...rating, existing, at, heldBy: verdict.heldBy }, scoring));
        await recordAttempt(database, { ...rating, at, verb, held }, verdict);
        if (verdict.refused) return verdict.refused;
        return { kind: held ? "held" : "saved", score };
      },
    };
  };
  return guard.guarded({
    who: { address, username: user.username },
    now,
    plan,
    alone: `${slug} ${userId}`,
    lane: slug,
    maxWaitMs: ratingMaxWaitMs,
  });
}

/** Saves a rating that is allowed and moves the post's tally. Returns whether it is held. */
async function saveRating(
  database: Database,
  {
    postId,
    userId,
    score,
    existing,
    at,
    heldBy,
  }: {
    postId: number;
    userId: number;
    score: Score;
    existing: SavedRating | undefined;
    at: number;
    heldBy: PolicyDecision | undefined;
  },
  scoring: TallySettings,
): Promise<boolean> {
  const former = existing ? undefined : await database.ratings.findFormer(postId, userId);
  const before = existing ?? (former && { score: null, window: former.window });
  const loaded = await loadTally(database, postId, before?.window);
  const recent =
    heldBy && beginsFlood(loaded, at, before, scoring)
      ? await database.ratings.recentInNoWindow(postId, userId, runUpMaximum)
      : [];
  const flood = heldBy && {
    usualGapMs: usualGapMs(heldBy.decision.reason, loaded.settled, at),
    recent: () => recent,
  };
  const given = withRatingGiven(loaded, { now: at, score, before, flood }, scoring);
  const { tally, window, runUp } = given;

  const rating = { postId, userId, score, window, now: at };
  if (existing) await database.ratings.update(rating, existing);
  else await database.ratings.insert(rating);
  if (window !== null)
    for (const each of runUp) await database.ratings.setWindow(postId, each.userId, window);
  await saveTally(database, postId, loaded, tally, scoring);
  return tally.windows.some(({ number, status }) => number === window && status !== "counted");
}

type Withdrawal = { kind: "withdrawn" } | { kind: "no-such-post" } | { kind: "not-rated" };

/** Takes the user's rating of a post back. It frees nobody's way, so no limit is asked. */
export function withdrawRating(
  context: Pick<RatingContext, "database" | "scoring">,
  request: { slug: string; userId: number; now: number },
): Promise<Withdrawal> {
  return context.database.transaction(() => withdraw(context, request));
}

/**
 * Takes all ratings of a user back, of whatever post. Call it in the transaction that removes the user, who is locked by then:
 * a rating that were given meanwhile would stay in the counters.
 */
export async function withdrawAllRatings(
  context: Pick<RatingContext, "database" | "scoring">,
  { userId, now }: { userId: number; now: number },
): Promise<void> {
  for (const slug of await context.database.ratings.slugsRatedBy(userId))
    await withdraw(context, { slug, userId, now });
}

/** The rating is looked at once its post is locked: until then it may change, or fall in another window. */
async function withdraw(
  { database, scoring = scoringDefaults }: Pick<RatingContext, "database" | "scoring">,
  { slug, userId, now }: { slug: string; userId: number; now: number },
): Promise<Withdrawal> {
  const post = await database.posts.lock(slug);
  if (!post) return { kind: "no-such-post" };
  const rating = await database.ratings.find(post.id, userId);
  if (!rating) return { kind: "not-rated" };
  const loaded = await loadTally(database, post.id, rating.window);
  await database.ratings.remove(post.id, userId, rating);
  await saveTally(database, post.id, loaded, withRatingWithdrawn(loaded, now, rating, scoring), scoring);
  return { kind: "withdrawn" };
}
