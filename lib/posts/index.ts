// Over 200 lines: the operations on posts, which share their authorisation.

/** Posts: create, change, delete, read, list, search; with authorisation. */
import type { Database, ListedPost, Post, PostSummary, PostText } from "../../db/index.ts";
import { foldForSearch, searchWords } from "../../db/search-text.ts";
import { type Sort, sorts } from "../../db/types.ts";
import type { Client } from "../limits/access-rules.ts";
import { checkLimits } from "../limits/check-limits.ts";
import type { Limits } from "../limits/index.ts";
import type { Guard, GuardedPlan, Refused, SubjectCheck } from "../limits/types.ts";
import type { Renderer } from "../markdown/index.ts";
import type { WhoMayWrite } from "../site/schema.ts";
import type { User } from "../users/index.ts";
import { toUser } from "../users/user-of-row.ts";
import { mayWrite } from "../users/writers.ts";
import { type FieldErrors, validate } from "../validation.ts";
import { cursorFrom, cursorText } from "./cursor.ts";
import { postChangeSchema, postSchema } from "./schema.ts";
import { freeSlug, slugFrom } from "./slug.ts";
import { type SnippetPart, snippetOf } from "./snippet.ts";
import { renderText } from "./text.ts";

export { rankPrior } from "../../db/types.ts";
export { type ListedPost, type Post, type Sort, sorts };

export interface PostContext {
  database: Database;
  limits: Limits;
  guard: Guard;
  renderer: Renderer;
}

type Reading = Pick<PostContext, "database">;
type Invalid = { kind: "invalid"; errors: FieldErrors };
/** Too many texts wait to be rendered. */
type Busy = { kind: "busy" };

/** Not everyone may write here, and this user may not. */
export type NotAWriter = { kind: "not-a-writer" };

type Created =
  | { kind: "created"; slug: string }
  /** The account was deleted or disabled meanwhile. */
  | { kind: "not-logged-in" }
  | NotAWriter
  | Refused
  | Invalid
  | Busy;

/** Publishes a post; `input` is unvalidated: `{ title, content, lang? }`. */
export async function createPost(
  { database, limits, guard, renderer, whoMayWrite = "anyone" }: PostContext & { whoMayWrite?: WhoMayWrite },
  { user, address, input, now }: { user: User; address: string; input: unknown; now: number },
): Promise<Created> {
  if (!mayWrite(user, whoMayWrite)) return { kind: "not-a-writer" };
  const validated = validate(postSchema, input);
  if (!validated.ok) return { kind: "invalid", errors: validated.errors };
  if (user.isPending) return { kind: "denied", isPending: true };
  const { title, content, lang } = validated.value;
  const client: Client = { address, username: user.username };
  // Before the text is rendered, and in a transaction of its own: the cost of rendering is spent in any case.
  const checked = await checkLimits(guard, { client, checks: [[limits["post.render"], user.id]], now });
  if (checked.kind !== "allowed") return checked;
  const text = await renderText(renderer, content, user.id);
  if ("kind" in text) return text;
  const post = { ...withSearchText(title, text), chosenLang: lang };
  return guard.run<Created>({
    client,
    now,
    plan: async () => ({
      checks: [[limits["post.user"], user.id]],
      execute: async ({ refused }, at) => {
        if (refused) return refused;
        if (!(await database.users.active(user.id))) return { kind: "not-logged-in" };
        const author = await database.users.byId(user.id);
        // The right may have been taken away while the text was rendered.
        if (!author || !mayWrite(toUser(author), whoMayWrite)) return { kind: "not-a-writer" };
        // So who has written still may when not everyone may any more.
        if (!author.isWriter) await database.users.setWriter(user.id, true);
        const fromTitle = slugFrom(post.title);
        await database.posts.lockSlug(fromTitle);
        const slug = await freeSlug(
          fromTitle,
          async (candidate) => (await database.posts.idOf(candidate)) !== undefined,
        );
        await database.posts.insert({ ...post, slug, authorId: user.id, createdAt: at });
        return { kind: "created", slug };
      },
    }),
  });
}

type NotEdited = { kind: "forbidden" } | { kind: "no-such-post" } | Refused;
type UpdateOutcome = { kind: "updated" } | NotEdited | Invalid | Busy;

/**
 * Changes title, content, language or several of them, for the author.
 * Keeps the slug. Only the rendering of a content is limited.
 */
export async function updatePost(
  { database, limits, guard, renderer }: PostContext,
  {
    user,
    slug,
    address,
    input,
    now,
  }: { user: User; slug: string; address: string; input: unknown; now: number },
): Promise<UpdateOutcome> {
  const asAuthor = <T>(checks: readonly SubjectCheck[], edit: (post: Post, at: number) => Promise<T>) =>
    guard.run({
      client: { address, username: user.username },
      now,
      plan: async (): Promise<GuardedPlan<T | NotEdited> | { outcome: NotEdited }> => {
        await database.posts.lock(slug, { unpublished: true });
        const post = await findPost({ database }, slug, user);
        if (!post) return { outcome: { kind: "no-such-post" } };
        if (!mayEdit(post, user)) return { outcome: { kind: "forbidden" } };
        return { checks, execute: async ({ refused }, at) => refused ?? edit(post, at) };
      },
    });
  const checked = validate(postChangeSchema, input);
  const isRendered = checked.ok && checked.value.content !== undefined;
  const checks: SubjectCheck[] = isRendered ? [[limits["post.render"], user.id]] : [];
  // Before the text's faults are reported: others learn nothing of them, and have nothing rendered.
  const editable = await asAuthor(checks, async () => ({ kind: "editable" as const }));
  if (editable.kind !== "editable") return editable;
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { title, content, lang } = checked.value;
  const text = content === undefined ? undefined : await renderText(renderer, content, user.id);
  if (text && "kind" in text) return text;
  return asAuthor([], async (post, at) => {
    const changed = withSearchText(title ?? post.title, text ?? (await savedText(database, post.id)));
    await database.posts.update(post.id, { ...changed, chosenLang: lang }, at);
    return { kind: "updated" };
  });
}

/**
 * Deletes a post, for its author and administrators.
 * Its ratings are removed in the background.
 */
export function deletePost(
  { database }: Reading,
  { user, slug, now }: { user: User; slug: string; now: number },
): Promise<{ kind: "deleted" } | { kind: "forbidden" } | { kind: "no-such-post" }> {
  return database.transaction(async () => {
    const post = await database.posts.lock(slug, { unpublished: true });
    if (!post || !maySee(post, user)) return { kind: "no-such-post" };
    if (!mayDelete(post, user)) return { kind: "forbidden" };
    await database.posts.markDeleted(post.id, now);
    return { kind: "deleted" };
  });
}

export function mayEdit(post: Pick<Post, "authorId">, user: User | null): boolean {
  return user?.id === post.authorId;
}

export function mayDelete(post: Pick<Post, "authorId">, user: User | null): boolean {
  return mayEdit(post, user) || user?.isAdministrator === true;
}

/** Whether a user sees a post; unpublished ones only author and administrators. */
function maySee(post: Pick<Post, "authorId" | "unpublishedAt">, user: User | null): boolean {
  return post.unpublishedAt === null || mayDelete(post, user);
}

/** A post that the viewer may see; null if there is none. */
export async function findPost(
  { database }: Reading,
  slug: string,
  viewer: User | null,
): Promise<Post | null> {
  const post = await database.posts.bySlug(slug, { unpublished: true });
  return post && maySee(post, viewer) ? post : null;
}

/** A post with its text and the viewer's own score; null if there is none. */
export async function readPost({ database }: Reading, slug: string, viewer: User | null) {
  const post = await findPost({ database }, slug, viewer);
  if (!post) return null;
  const myRating = viewer ? await ratingOf(database, post.id, viewer.id) : null;
  const { content, html } = await savedText(database, post.id);
  return {
    ...post,
    unpublishedWhy: (await reasonsOf(database, [post])).get(post.id) ?? null,
    content,
    html,
    myRating,
    myScore: myRating?.score ?? null,
  };
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
  viewerId?: number | undefined;
  /** The viewer, who sees unpublished posts in the list of an author if they may. */
  viewer?: User | null;
  /** Begins with the featured posts, and leaves them out of the pages that follow. */
  featuredFirst?: boolean;
  /** Whether posts that a search found come with the matching part of their text. */
  withSnippets?: boolean;
}

/** The most posts that are featured at a time. */
export const featuredMaximum = 5;

/** A listed post, with a snippet if the list has them and its text matches. */
export type FoundPost = ListedPost & {
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
  { database }: Reading,
  {
    sort,
    limit,
    search = "",
    cursor,
    authorId,
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
    viewerId,
    of: seesAll ? "all" : "shown",
  });
  const found = rest.filter(({ id }) => !isFirst.has(id));
  const listed = found.slice(0, limit);
  const last = listed.at(-1);
  const nextCursor = found.length > limit && last ? cursorText(last, sort) : null;
  const shown = after ? listed : [...featured, ...listed];
  const reasons = await reasonsOf(database, shown);
  const items = shown.map((post) => ({ ...post, unpublishedWhy: reasons.get(post.id) ?? null }));
  return { items: words && withSnippets ? await addSnippets(database, items, words) : items, nextCursor };
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
      return { ...post, snippet: html === null ? undefined : snippetOf(html, words, compared) };
    }),
  );
}

async function savedText({ posts }: Database, id: number): Promise<PostText> {
  return (await posts.textOf(id)) ?? { content: "", html: null, renderer: 0 };
}

function withSearchText(title: string, text: PostText & Partial<PostSummary>) {
  return { title, ...text, searchTitle: foldForSearch(title), searchContent: foldForSearch(text.content) };
}
