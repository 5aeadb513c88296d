/**
 * Rating a post: create, update, withdraw. The pages' server actions and the JSON API both come through here.
 *
 * Everything about one try happens in one transaction: the post and the user's rating are found, a create that
 * should be an update (or the other way round) is refused before it costs anything, the limiter decides and its
 * state is saved, the attempt is recorded, and, when allowed, the rating is written and the post's six counters
 * move. A crash leaves all of it or none. (With the limiter's states elsewhere the decision comes first; see
 * `lib/guard`.)
 */
import type { Database } from "../../db/index.ts";
import type { Guard, Plan, Refused } from "../guard/index.ts";
import type { Limits } from "../limits.ts";
import type { User } from "../users/index.ts";
import { type FieldErrors, validate } from "../validation.ts";
import { recordAttempt } from "./record-attempt.ts";
import { ratingSchema } from "./schema.ts";
import type { Score } from "./scores.ts";

/** What a rating needs to know of where it happens. */
export interface RatingContext {
  database: Database;
  limits: Limits;
  guard: Guard;
  /** How long a rating over a limit may wait to be saved instead of being refused, in milliseconds; 0, not at all, unless told. */
  ratingMaxWaitMs?: number;
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
  { database, limits, guard, ratingMaxWaitMs = 0 }: RatingContext,
  { slug, user, address, now, input }: RatingRequest,
  verb: "create" | "update",
): Promise<RatingOutcome> {
  const checked = validate(ratingSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { score } = checked.value;
  const userId = user.id;

  const plan = (at: number): Plan<RatingOutcome> | { outcome: RatingOutcome } => {
    const post = database.posts.idOf(slug);
    if (!post) return { outcome: { kind: "no-such-post" } };
    const existing = database.ratings.find(post.id, userId);
    if (verb === "create" && existing) return { outcome: { kind: "already-rated" } };
    if (verb === "update" && !existing) return { outcome: { kind: "not-rated" } };
    return {
      checks: [
        [limits["rating.user"], userId],
        [limits["rating.address"], address],
        [limits["rating.post"], post.id],
      ],
      carryOut: (verdict) => {
        recordAttempt(database, { postId: post.id, userId, at, verb, score }, verdict);
        if (verdict.refused) return verdict.refused;
        if (existing) database.ratings.update(post.id, userId, existing.score, score, at);
        else database.ratings.insert(post.id, userId, score, at);
        return { kind: "saved", score };
      },
    };
  };
  return guard.guarded({
    who: { address, username: user.username },
    now,
    plan,
    alone: `${slug} ${userId}`,
    maxWaitMs: ratingMaxWaitMs,
  });
}

/** Takes the user's rating of a post back. It frees nobody's way, so no limit is asked. */
export function withdrawRating(
  { database }: Pick<RatingContext, "database">,
  { slug, userId }: { slug: string; userId: number },
): { kind: "withdrawn" } | { kind: "no-such-post" } | { kind: "not-rated" } {
  return database.transaction(() => {
    const post = database.posts.idOf(slug);
    if (!post) return { kind: "no-such-post" };
    const existing = database.ratings.find(post.id, userId);
    if (!existing) return { kind: "not-rated" };
    database.ratings.remove(post.id, userId, existing.score);
    return { kind: "withdrawn" };
  });
}
