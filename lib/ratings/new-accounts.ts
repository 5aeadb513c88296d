/**
 * Ratings of new accounts.
 * Saved apart from the ratings that count, under the rater's own limits.
 *
 * `waiting-ratings.ts` counts them when their time has come.
 */
import { ratingDenial } from "../users/participation.ts";
import { validate } from "../validation.ts";
import { ratingSchema } from "./schema.ts";
import type { RatingContext, RatingOutcome, RatingRequest } from "./types.ts";

/**
 * Saves a new account's rating of a post.
 * Undefined when the account is old enough for its rating to count.
 */
export async function createWaitingRating(
  { database, limits, guard, newAccountMs = 0, emailVerification, hashNetwork }: RatingContext,
  { slug, user, address, now, input }: RatingRequest,
): Promise<RatingOutcome | undefined> {
  if (newAccountMs === 0 || ratingDenial({ emailVerification }, user)) return undefined;
  const checked = validate(ratingSchema, input);
  if (!checked.ok) return undefined;
  const { score } = checked.value;
  const countsFrom = ((await database.users.registeredAt(user.id)) ?? 0) + newAccountMs;
  if (countsFrom <= now) {
    // Its time has come, and it has not been counted yet.
    const post = await database.posts.idOf(slug);
    const waiting = post && (await database.waitingRatings.find(post.id, user.id));
    return waiting && { kind: "already-rated" };
  }
  return guard.run<RatingOutcome>({
    client: { address, username: user.username },
    now,
    plan: async () => {
      const post = await database.posts.lock(slug);
      if (!post) return { outcome: { kind: "no-such-post" } };
      if (!(await database.users.active(user.id))) return { outcome: { kind: "not-logged-in" } };
      const existing =
        (await database.ratings.find(post.id, user.id)) ??
        (await database.waitingRatings.find(post.id, user.id));
      if (existing) return { outcome: { kind: "already-rated" } };
      return {
        checks: [
          [limits["rating.user"], user.id],
          [limits["rating.address"], address],
        ],
        execute: async ({ refused }, at) => {
          if (refused) return refused;
          const network = hashNetwork?.(address, at) ?? null;
          const rating = { postId: post.id, userId: user.id, score, createdAt: at, countsFrom, network };
          await database.waitingRatings.save(rating);
          return { kind: "waiting", score, countsFrom };
        },
      };
    },
    lockKey: slug,
  });
}

/**
 * Changes a rating that waits, which leaves its time as it is.
 * `not-rated` when there is none.
 */
export async function updateWaitingRating(
  { database, limits, guard }: RatingContext,
  { slug, user, address, now, input }: RatingRequest,
): Promise<RatingOutcome> {
  const checked = validate(ratingSchema, input);
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { score } = checked.value;
  return guard.run<RatingOutcome>({
    client: { address, username: user.username },
    now,
    plan: async () => {
      const post = await database.posts.lock(slug);
      if (!post) return { outcome: { kind: "no-such-post" } };
      if (!(await database.users.active(user.id))) return { outcome: { kind: "not-logged-in" } };
      const waiting = await database.waitingRatings.find(post.id, user.id);
      if (!waiting) return { outcome: { kind: "not-rated" } };
      return {
        checks: [[limits["rating.change"], user.id]],
        execute: async ({ refused }) => {
          if (refused) return refused;
          await database.waitingRatings.save({ ...waiting, postId: post.id, userId: user.id, score });
          return { kind: "waiting", score, countsFrom: waiting.countsFrom };
        },
      };
    },
    lockKey: slug,
  });
}
