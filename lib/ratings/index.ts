/**
 * Rating a post: create, update, withdraw. The pages' server actions and the JSON API both come through here.
 *
 * Everything about one try happens in one transaction: the post and the user's rating are found, a create that
 * should be an update (or the other way round) is refused before it costs anything, the limiter decides and its
 * state is saved, the attempt is recorded, and, when allowed, the rating is written and the post's six counters
 * move. A crash leaves all of it or none.
 */
import type { Database } from "../../db/index.ts";
import { type Check, decide, type PolicyDecision } from "../guard.ts";
import type { Decision } from "../limiter/index.ts";
import type { Limits } from "../limits.ts";
import { type FieldErrors, validate } from "../validation.ts";
import { ratingSchema } from "./schema.ts";
import type { Score } from "./scores.ts";

/** What a rating needs to know of where it happens. */
export interface RatingContext {
  database: Database;
  limits: Limits;
}

export interface RatingRequest {
  slug: string;
  userId: number;
  /** Where the request came from, as limits count it. */
  address: string;
  /** What was sent, not yet checked: `{ score }`. */
  input: unknown;
  /** Milliseconds. */
  now: number;
}

export type RatingOutcome =
  | { kind: "saved"; score: Score }
  | { kind: "limited"; refusal: PolicyDecision }
  | { kind: "invalid"; errors: FieldErrors }
  | { kind: "no-such-post" }
  | { kind: "already-rated" }
  | { kind: "not-rated" };

/** Saves the user's first rating of a post; `already-rated` when there is one. */
export function createRating(context: RatingContext, request: RatingRequest): RatingOutcome {
  return rate(context, request, "create");
}

/** Changes the user's rating of a post; `not-rated` when there is none. */
export function updateRating(context: RatingContext, request: RatingRequest): RatingOutcome {
  return rate(context, request, "update");
}

function rate(context: RatingContext, request: RatingRequest, verb: "create" | "update"): RatingOutcome {
  const { database, limits } = context;
  const { slug, userId, address, now } = request;
  const input = validate(ratingSchema, request.input);
  if (!input.ok) return { kind: "invalid", errors: input.errors };
  const { score } = input.value;
  return database.transaction((): RatingOutcome => {
    const post = database.posts.idOf(slug);
    if (!post) return { kind: "no-such-post" };
    const existing = database.ratings.find(post.id, userId);
    if (verb === "create" && existing) return { kind: "already-rated" };
    if (verb === "update" && !existing) return { kind: "not-rated" };

    const checks: Check[] = [
      [limits["rating.post"], post.id],
      [limits["rating.user"], userId],
      [limits["rating.address"], address],
    ];
    const { refusal, decisions } = decide(database.limiterStates, checks, now);
    const told = refusal ?? decisions[0];
    database.attempts.insert({
      postId: post.id,
      userId,
      at: now,
      verb,
      score,
      allowed: !refusal,
      policy: told?.policy ?? null,
      reason: told ? JSON.stringify(told.decision.reason) : null,
      level: levelOf(decisions.find(({ policy }) => policy === "rating.post")?.decision),
    });
    if (refusal) return { kind: "limited", refusal };
    if (existing) database.ratings.update(post.id, userId, existing.score, score, now);
    else database.ratings.insert(post.id, userId, score, now);
    return { kind: "saved", score };
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

/** What an algorithm measures, for the chart: a bucket's level or tokens, what a window has counted, or the EMA's Z. */
function levelOf(decision: Decision | undefined): number | null {
  if (!decision) return null;
  const { reason } = decision;
  if ("level" in reason) return reason.level;
  if ("tokens" in reason) return reason.tokens;
  if ("used" in reason) return reason.used;
  if ("usedToday" in reason) return reason.usedToday;
  if ("z" in reason) return reason.z;
  return null;
}
