/** Authors' requests to review a flood window of their post. */
import { z } from "zod";
import type { Database, ReviewRequest, WindowOfPost } from "../../../db/index.ts";
import type { Limits } from "../../limits/index.ts";
import type { Guard, GuardedPlan, Refused } from "../../limits/types.ts";
import { pageOf } from "../../paging/page-of.ts";
import { placeFrom, timeCursor } from "../../paging/time-cursor.ts";
import type { User } from "../../users/types.ts";
import { type Invalid, reason, validate } from "../../validation.ts";
import type { Counts } from "../score/score.ts";
import { decidesOn, decisionRightOf, isDecider } from "./deciders.ts";

export type { ReviewRequest };

const requestSchema = z.object({ why: reason }, "A request is an object with why.");

type ReviewOutcome =
  | { kind: "requested" }
  | { kind: "already-requested" }
  /** Only the author requests a review, unless they decide themselves. */
  | { kind: "forbidden" }
  | { kind: "no-such-post" }
  | { kind: "no-such-window" }
  | Invalid
  | Refused;

/**
 * Saves an author's request.
 * `input` is unvalidated: `{ why }`. At most one is open for each window.
 */
export function requestReview(
  { database, limits, guard }: { database: Database; limits: Limits; guard: Guard },
  {
    slug,
    number,
    user,
    address,
    input,
    now,
  }: {
    slug: string;
    number: number;
    user: User;
    address: string;
    input: unknown;
    now: number;
  },
): Promise<ReviewOutcome> {
  const checked = validate(requestSchema, input);
  return guard.run<ReviewOutcome>({
    client: { address, username: user.username },
    now,
    lockKey: slug,
    plan: async (): Promise<GuardedPlan<ReviewOutcome> | { outcome: ReviewOutcome }> => {
      const post = await database.posts.lock(slug);
      if (!post) return { outcome: { kind: "no-such-post" } };
      if (post.authorId !== user.id) return { outcome: { kind: "forbidden" } };
      const windows = await database.floodWindows.all(post.id);
      const window = windows.find((each) => each.number === number);
      if (!window) return { outcome: { kind: "no-such-window" } };
      if (decidesOn(await decisionRightOf(database, post, user), window))
        return { outcome: { kind: "forbidden" } };
      if (!checked.ok) return { outcome: { kind: "invalid", errors: checked.errors } };
      const open = await database.reviewRequests.openOf(post.id);
      if (open.some((request) => request.window === number))
        return { outcome: { kind: "already-requested" } };
      return {
        checks: [[limits["review.user"], user.id]],
        execute: async ({ refused }, at) => {
          if (refused) return refused;
          await database.reviewRequests.insert(post.id, { window: number, at, why: checked.value.why });
          return { kind: "requested" };
        },
      };
    },
  });
}

/** An open request for a post's window. */
export type RequestedReview = WindowOfPost & {
  request: ReviewRequest;
  /** The post's counted ratings. */
  counts: Counts;
  /** Whether the viewer decides on it. */
  mayDecide: boolean;
  /** Whether the viewer wrote the post. */
  isAuthor: boolean;
};

/**
 * A page of the open requests of all posts, the newest first.
 * For administrators and moderators. A malformed cursor is the list's start.
 */
export async function requestedReviews(
  { database }: { database: Database },
  user: User,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ items: RequestedReview[]; nextCursor: string | null }> {
  if (!isDecider(user)) return { items: [], nextCursor: null };
  const found = await database.reviewRequests.open(limit + 1, placeFrom(cursor) ?? undefined);
  const { items: open, nextCursor } = pageOf(found, limit, ({ id, request: { at } }) =>
    timeCursor({ at, id }),
  );
  const items: RequestedReview[] = [];
  for (const request of open) {
    const post = await database.posts.bySlug(request.slug);
    if (!post) continue;
    const mayDecide = decidesOn(await decisionRightOf(database, post, user), request.window);
    items.push({ ...request, counts: post.counts, mayDecide, isAuthor: post.authorId === user.id });
  }
  return { items, nextCursor };
}
