/** Posts as administrators manage them: found, unpublished, featured; on record. */
import type { Database, ListedPost, Post } from "../../db/index.ts";
import { searchWords } from "../../db/search-text.ts";
import { pageOf } from "../paging/page-of.ts";
import { asActingAdministrator } from "../users/permissions.ts";
import { administrator } from "../users/roles.ts";
import type { DatabaseContext, User } from "../users/types.ts";
import { type Invalid, validate } from "../validation.ts";
import { cursorFrom, cursorText } from "./cursor.ts";
import { featuredMaximum } from "./index.ts";
import { announceListed } from "./publishing.ts";
import { type PostDecision, postDecisionSchema } from "./schema.ts";

const postsPerPage = 20;
/** Which posts a list shows. */
export const postKinds = ["all", "unpublished", "featured"] as const;
export type PostKind = (typeof postKinds)[number];

/** A page of posts for administrators, the newest first, unpublished ones too. */
export async function postsForAdministrators(
  { database }: DatabaseContext,
  actor: User,
  {
    search = "",
    kind = "all",
    cursor,
  }: { search?: string | undefined; kind?: PostKind | undefined; cursor?: string | undefined },
): Promise<{ kind: "posts"; posts: ListedPost[]; next: string | null } | { kind: "forbidden" }> {
  if (!actor.isAdministrator) return { kind: "forbidden" };
  const words = searchWords(search);
  if (search.trim() !== "" && words === undefined) return { kind: "posts", posts: [], next: null };
  const after = (cursor !== undefined && cursorFrom(cursor, "newest")) || undefined;
  const limit = postsPerPage + 1;
  const found = await database.posts.list({ sort: "newest", limit, search: words, after, of: kind });
  const { items, nextCursor } = pageOf(found, postsPerPage, (post) => cursorText(post, "newest"));
  return { kind: "posts", posts: items, next: nextCursor };
}

type PostDecisionOutcome =
  | { kind: "done" }
  /** Another administrator was faster, or the post is unpublished. */
  | { kind: "not-applicable" }
  /** Five posts are featured already. */
  | { kind: "too-many-featured" }
  | { kind: "no-such-post" }
  | { kind: "forbidden" }
  | Invalid;

/**
 * Unpublishes a post, publishes it again, or features it; for administrators.
 * `input` is unvalidated: `{ decision, why }`.
 */
export async function decideOnPost(
  { database }: DatabaseContext,
  { actor, slug, input, now }: { actor: User; slug: string; input: unknown; now: number },
): Promise<PostDecisionOutcome> {
  const checked = validate(postDecisionSchema, input);
  return asActingAdministrator(database, actor, async (): Promise<PostDecisionOutcome> => {
    const locked = await database.posts.lock(slug, { unpublished: true });
    const post = locked && (await database.posts.bySlug(slug, { unpublished: true }));
    if (!post) return { kind: "no-such-post" };
    if (!checked.ok) return { kind: "invalid", errors: checked.errors };
    const { decision, why } = checked.value;
    if (!isApplicable(decision, post)) return { kind: "not-applicable" };
    if (decision === "feature" && (await database.posts.countFeatured()) >= featuredMaximum)
      return { kind: "too-many-featured" };
    await apply(database, post, decision, now);
    const change = { kind: decision, at: now, ...administrator(actor), why, postId: post.id };
    await database.accountChanges.record(change, []);
    return { kind: "done" };
  });
}

/** Whether a post's state allows a decision. */
function isApplicable(
  decision: PostDecision,
  { unpublishedAt, featuredAt, isUnlisted }: Pick<Post, "unpublishedAt" | "featuredAt" | "isUnlisted">,
): boolean {
  switch (decision) {
    case "unpublish":
      return unpublishedAt === null;
    case "publish":
      return unpublishedAt !== null;
    case "feature":
      return unpublishedAt === null && featuredAt === null && !isUnlisted;
    case "unfeature":
      return featuredAt !== null;
  }
}

async function apply(
  database: Database,
  { id, isUnlisted }: Post,
  decision: PostDecision,
  now: number,
): Promise<void> {
  const { posts } = database;
  switch (decision) {
    case "unpublish":
      return posts.setUnpublishedAt(id, now);
    case "publish":
      await posts.setUnpublishedAt(id, null);
      // Its author may have listed it meanwhile.
      if (!isUnlisted) await announceListed(database, id, now);
      return;
    case "feature":
      return posts.setFeaturedAt(id, now);
    case "unfeature":
      return posts.setFeaturedAt(id, null);
  }
}
