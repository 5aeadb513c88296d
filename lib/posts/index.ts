// Over 200 lines: reading and listing posts, and the exports for most other folders.

/** Posts: create, change, delete, read, list, search; with authorisation. */
import type { Database, ListedPost, Post } from "../../db/index.ts";
import { searchWords } from "../../db/search-text.ts";
import { type Sort, sorts } from "../../db/types.ts";
import { pageOf } from "../paging/page-of.ts";
import { placeFrom, timeCursor } from "../paging/time-cursor.ts";
import type { DatabaseContext, User } from "../users/types.ts";
import { cursorFrom, cursorText } from "./cursor.ts";
import { findPost, savedText } from "./find-post.ts";
import { type Outdated, outdatedSince } from "./outdated.ts";
import { mayDelete } from "./permissions.ts";
import { markedTitle, type SnippetPart, snippetOf } from "./snippet.ts";

export { rankPrior } from "../../db/types.ts";
export { createPost } from "./create-post.ts";
export { findPost, presentSlugOf, slugOfPost } from "./find-post.ts";
export { isListed, mayDelete, mayEdit } from "./permissions.ts";
export type { AlreadyPublished, NotAWriter, PostContext, TooManyDrafts } from "./types.ts";
export { updatePost } from "./update-post.ts";
export { type ListedPost, type Post, type Sort, sorts };

/**
 * Deletes a post, for its author and administrators.
 * Its ratings are removed in the background. With `versions` that the user has seen (see `versionOf`), deletes no other.
 */
export function deletePost(
  { database }: DatabaseContext,
  {
    user,
    slug,
    now,
    versions,
  }: { user: User; slug: string; now: number; versions?: readonly string[] | undefined },
): Promise<{ kind: "deleted" } | { kind: "forbidden" } | { kind: "no-such-post" } | Outdated> {
  return database.transaction(async () => {
    await database.posts.lock(slug, { unpublished: true, drafts: true });
    const post = await findPost({ database }, slug, user);
    if (!post) return { kind: "no-such-post" };
    if (!mayDelete(post, user)) return { kind: "forbidden" };
    const outdated = await outdatedSince(database, post, versions);
    if (outdated) return outdated;
    await database.posts.markDeleted(post.id, now);
    return { kind: "deleted" };
  });
}

export type ReadPost = NonNullable<Awaited<ReturnType<typeof readPost>>>;

/** A post with its text and the viewer's own score; null if there is none. */
export async function readPost({ database }: DatabaseContext, slug: string, viewer: User | null) {
  const post = await findPost({ database }, slug, viewer);
  if (!post) return null;
  const [myRating, { content, html }, reasons, tags] = await Promise.all([
    viewer ? ratingOf(database, post.id, viewer.id) : null,
    savedText(database, post.id),
    reasonsOf(database, [post]),
    database.tags.ofPosts([post.id]),
  ]);
  return {
    ...post,
    unpublishedWhy: reasons.get(post.id) ?? null,
    content,
    html,
    myRating,
    myScore: myRating?.score ?? null,
    tags: tags.get(post.id) ?? [],
  };
}

/**
 * One page of a user's drafts, scheduled ones too, those changed last first.
 * Null when the cursor is malformed.
 */
export async function draftsOf(
  { database }: DatabaseContext,
  { user, cursor, limit }: { user: User; cursor?: string | undefined; limit: number },
): Promise<{ items: Post[]; nextCursor: string | null } | null> {
  const after = placeFrom(cursor);
  if (!after) return null;
  const rows = await database.posts.draftsOf(user.id, limit + 1, after);
  return pageOf(rows, limit, ({ updatedAt, id }) => timeCursor({ at: updatedAt, id }));
}

/**
 * A user's own rating, which counts from `countsFrom` on when it waits.
 * Null when there is none.
 */
async function ratingOf({ ratings, waitingRatings }: Database, postId: number, userId: number) {
  const rating = await ratings.find(postId, userId);
  if (rating) return { ...rating, countsFrom: null };
  const waiting = await waitingRatings.find(postId, userId);
  return waiting ? { ...waiting, updatedAt: waiting.createdAt, window: null } : null;
}

interface PostListRequest {
  sort: Sort;
  /** Page size, validated by the caller. */
  limit: number;
  /** The text of the search field. */
  search?: string | undefined;
  /** The previous page's `nextCursor`. */
  cursor?: string | undefined;
  authorId?: number | undefined;
  /** The slug of a tag. */
  tag?: string | undefined;
  viewerId?: number | undefined;
  /** The viewer, who may see an author's unlisted and unpublished posts. */
  viewer?: User | null;
  /** Begins with the featured posts, and leaves them out of the pages that follow. */
  featuredFirst?: boolean;
  /** Whether posts that a search found come with the matching part of their text. */
  withSnippets?: boolean;
}

/** The most posts that are featured at a time. */
export const featuredMaximum = 5;

/** A listed post, with its matches if it is in the results of a search. */
export type FoundPost = ListedPost & {
  markedTitle?: SnippetPart[] | undefined;
  snippet?: SnippetPart[] | undefined;
  /** The reason, for viewers who see the post although it is unpublished. */
  unpublishedWhy: string | null;
};

/**
 * One page of posts and the cursor of the next (null on the last).
 * Keyset pagination: posts that arrive meanwhile neither repeat nor hide any. Null when the cursor does not belong to
 * this sort.
 */
export async function listPosts(
  { database }: DatabaseContext,
  {
    sort,
    limit,
    search = "",
    cursor,
    authorId,
    tag,
    viewer = null,
    viewerId = viewer?.id,
    featuredFirst = false,
    withSnippets = false,
  }: PostListRequest,
): Promise<{ items: FoundPost[]; nextCursor: string | null } | null> {
  const after = cursor === undefined ? undefined : cursorFrom(cursor, sort);
  if (after === null) return null;
  const words = searchWords(search);
  // The search has no searchable characters.
  if (search.trim() !== "" && words === undefined) return { items: [], nextCursor: null };
  const seesAll = authorId !== undefined && mayDelete({ authorId }, viewer);
  const featured = featuredFirst
    ? await database.posts.list({ sort, limit: featuredMaximum, viewerId, of: "featured" })
    : [];
  const isFirst = new Set(featured.map(({ id }) => id));
  const rest = await database.posts.list({
    sort,
    limit: limit + 1 + featured.length,
    search: words,
    after,
    authorId,
    tag,
    viewerId,
    of: seesAll ? "all" : "shown",
  });
  const found = rest.filter(({ id }) => !isFirst.has(id));
  const page = pageOf(found, limit, (post) => cursorText(post, sort));
  const shown = after ? page.items : [...featured, ...page.items];
  const reasons = await reasonsOf(database, shown);
  const items = shown.map((post) => ({ ...post, unpublishedWhy: reasons.get(post.id) ?? null }));
  return { ...page, items: words && withSnippets ? await addSnippets(database, items, words) : items };
}

/** Why the unpublished ones of these posts are unpublished, by their numbers. */
async function reasonsOf(
  { accountChanges }: Database,
  posts: readonly Pick<Post, "id" | "unpublishedAt">[],
): Promise<Map<number, string>> {
  const ids = posts.filter(({ unpublishedAt }) => unpublishedAt !== null).map(({ id }) => id);
  return ids.length > 0 ? accountChanges.whyUnpublished(ids) : new Map();
}

function addSnippets({ posts }: Database, listed: FoundPost[], words: string[]): Promise<FoundPost[]> {
  const compared = new Map<string, boolean>();
  return Promise.all(
    listed.map(async (post) => {
      const { html = null } = (await posts.textOf(post.id)) ?? {};
      return {
        ...post,
        markedTitle: markedTitle(post.title, words, compared),
        snippet: html === null ? undefined : snippetOf(html, words, compared),
      };
    }),
  );
}
