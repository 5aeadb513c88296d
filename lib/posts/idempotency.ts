/**
 * Idempotency keys of new posts.
 * A form that is sent again, because its answer was lost, creates no second post.
 */
import { createHash, createHmac } from "node:crypto";
import { z } from "zod";
import type { Database } from "../../db/index.ts";
import type { User } from "../users/types.ts";
import { outcomeOf, type SavedPost } from "./apply-publication.ts";
import { findPost } from "./find-post.ts";
import { unsavedTextKeptMs } from "./lengths.ts";

export interface SentPost {
  user: User;
  /** The form's key, of any text. It counts for its user only. */
  idempotencyKey: string;
  /** The validated input. */
  input: unknown;
}

export type CreatedBefore =
  | ({ kind: "created" } & SavedPost)
  /** With another input, which is not saved. */
  | { kind: "created-before"; slug: string };

const savedSchema = z.object({ postId: z.number(), input: z.string() });

/** The post that was created with this key; undefined when there is none. */
export async function createdBefore(
  database: Database,
  sent: SentPost,
  now: number,
): Promise<CreatedBefore | undefined> {
  const [state] = await database.limiterStates.load([stateKey(sent)], now);
  const saved = savedSchema.safeParse(state);
  if (!saved.success) return undefined;
  const slug = await database.posts.slugOf(saved.data.postId);
  const post = slug === undefined ? null : await findPost({ database }, slug, sent.user);
  if (!post) return undefined;
  if (saved.data.input !== inputHash(sent)) return { kind: "created-before", slug: post.slug };
  return { kind: "created", slug: post.slug, ...outcomeOf({ kind: "unchanged" }, post) };
}

/**
 * Saves that the key has created a post, in the same transaction.
 * As one of the limiter states, which expire and are locked by key.
 */
export async function saveCreated(
  { limiterStates }: Database,
  sent: SentPost & { postId: number },
  now: number,
): Promise<void> {
  const state = { postId: sent.postId, input: inputHash(sent) };
  await limiterStates.save([{ key: stateKey(sent), state, expiresAt: now + unsavedTextKeptMs }], now);
}

/** The key of the state, which is also the mutex of two equal requests. */
export function stateKey({ user, idempotencyKey }: SentPost): string {
  return `created-post:${user.id}:${createHash("sha256").update(idempotencyKey).digest("base64url")}`;
}

/**
 * The input's HMAC with the idempotency key.
 * The database has only a hash of that key, so a guessed text cannot be checked against a row of a deleted post.
 */
function inputHash({ input, idempotencyKey }: SentPost): string {
  return createHmac("sha256", idempotencyKey).update(JSON.stringify(input)).digest("base64url");
}
