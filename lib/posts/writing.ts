/** Creating and changing posts, for their authors. */
import type { Database, Post, PostSummary, PostText } from "../../db/index.ts";
import { foldForSearch } from "../../db/search-text.ts";
import type { Client } from "../limits/access-rules.ts";
import { checkLimits } from "../limits/check-limits.ts";
import type { Limits } from "../limits/index.ts";
import type { Guard, GuardedPlan, Refused, SubjectCheck } from "../limits/types.ts";
import type { Renderer } from "../markdown/index.ts";
import { namesIn } from "../media/address.ts";
import type { WhoMayWrite } from "../site/schema.ts";
import type { User } from "../users/types.ts";
import { toUser } from "../users/user-of-row.ts";
import { mayWrite } from "../users/writers.ts";
import { type Invalid, validate } from "../validation.ts";
import { coverOf } from "./covers.ts";
import { findPost, savedText } from "./find-post.ts";
import { draftsMaximum, revisionBounds } from "./lengths.ts";
import {
  firstPublicationOf,
  makesPublic,
  needsWriter,
  type Publication,
  publicationOf,
  slugFor,
} from "./options.ts";
import { type Outdated, outdatedSince } from "./outdated.ts";
import { isListed, mayEdit } from "./permissions.ts";
import { announceListed, publish } from "./publishing.ts";
import { type PostChange, postChangeSchema, postSchema } from "./schema.ts";
import { renderText } from "./text.ts";

export interface PostContext {
  database: Database;
  limits: Limits;
  guard: Guard;
  renderer: Renderer;
  whoMayWrite?: WhoMayWrite;
}

/** Too many texts wait to be rendered. */
type Busy = { kind: "busy" };

/** Not everyone may write here, and this user may not. */
export type NotAWriter = { kind: "not-a-writer" };
/** The user has as many drafts as one may have. */
export type TooManyDrafts = { kind: "too-many-drafts" };
/** A published post cannot become a draft again. */
export type AlreadyPublished = { kind: "already-published" };

/** A post as it was saved. */
interface Saved {
  slug: string;
  isPublished: boolean;
  /** When it will be published; null when it is not scheduled. */
  publishAt: number | null;
}

type Created =
  | ({ kind: "created" } & Saved)
  /** The account was deleted or disabled meanwhile. */
  | { kind: "not-logged-in" }
  | NotAWriter
  | TooManyDrafts
  | Refused
  | Invalid
  | Busy;

/**
 * Saves a post, and publishes it unless it is a draft or has a date in the future.
 * `input` is unvalidated; see `postSchema`.
 */
export async function createPost(
  { database, limits, guard, renderer, whoMayWrite = "anyone" }: PostContext,
  { user, address, input, now }: { user: User; address: string; input: unknown; now: number },
): Promise<Created> {
  if (!mayWrite(user, whoMayWrite)) return { kind: "not-a-writer" };
  const validated = validate(postSchema, input);
  if (!validated.ok) return { kind: "invalid", errors: validated.errors };
  if (user.isPending) return { kind: "denied", isPending: true };
  const { title, content, lang, ...options } = validated.value;
  const possible = firstPublicationOf(options, now);
  if (possible.kind === "invalid") return possible;
  const client: Client = { address, username: user.username };
  // Before the text is rendered, and in a transaction of its own: the cost of rendering is spent in any case.
  const checked = await checkLimits(guard, { client, checks: [[limits["post.render"], user.id]], now });
  if (checked.kind !== "allowed") return checked;
  const text = await renderText(renderer, content, user.id);
  if ("kind" in text) return text;
  const post = { ...withSearchText(title, text), chosenLang: lang, chosenExcerpt: options.excerpt };
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
        const publication = firstPublicationOf(options, at);
        if (publication.kind === "invalid") return publication;
        if (publication.kind !== "published" && (await hasAllDrafts(database, user)))
          return { kind: "too-many-drafts" };
        const named = await slugFor(database, { slug: options.slug, title }, null);
        if (named.kind === "invalid") return named;
        const covered = await coverOf(database, user.id, options.cover);
        if (covered.kind === "invalid") return covered;
        // So who has written still may when not everyone may any more.
        if (!author.isWriter) await database.users.setWriter(user.id, true);
        const { slug } = named;
        const isUnlisted = options.unlisted ?? false;
        const saved = { ...post, slug, authorId: user.id, createdAt: at, publishedAt: null, isUnlisted };
        const id = await database.posts.insert(saved);
        const { cover } = covered;
        if (cover) await database.posts.setOptions(id, { cover });
        await database.media.saveUses(id, namesIn(`${content} ${cover?.address ?? ""}`));
        if (options.tags?.length)
          await database.tags.setOf(id, options.tags, { names: publication.kind === "published" });
        await applyPublication(database, id, publication, at);
        return { kind: "created", slug, ...outcomeOf(publication) };
      },
    }),
  });
}

type NotEdited =
  | { kind: "forbidden" }
  | { kind: "no-such-post" }
  | AlreadyPublished
  /** The user may change a post, and not publish one. */
  | NotAWriter
  | Invalid
  | Refused;
type UpdateOutcome = ({ kind: "updated" } & Saved) | NotEdited | Busy;

interface UpdateRequest {
  user: User;
  slug: string;
  address: string;
  input: unknown;
  now: number;
}

/**
 * Changes a post for its author, and publishes a draft if requested.
 * `input` is unvalidated; see `postChangeSchema`. Limits the rendering of a content, and publishing. With
 * `versions` that the author has seen (see `versionOf`), changes no other.
 */
export function updatePost(context: PostContext, request: UpdateRequest): Promise<UpdateOutcome>;
export function updatePost(
  context: PostContext,
  request: UpdateRequest & { versions: readonly string[] | undefined },
): Promise<UpdateOutcome | Outdated>;
export async function updatePost(
  { database, limits, guard, renderer, whoMayWrite = "anyone" }: PostContext,
  { user, slug, address, input, now, versions }: UpdateRequest & { versions?: readonly string[] | undefined },
): Promise<UpdateOutcome | Outdated> {
  const checked = validate(postChangeSchema, input);
  const change = checked.ok ? checked.value : {};
  /** The user's post and what becomes of it, or why it stays. */
  const findEditable = async (at: number) => {
    await database.posts.lock(slug, { unpublished: true, drafts: true });
    const post = await findPost({ database }, slug, user);
    if (!post) return { kind: "no-such-post" as const };
    if (!mayEdit(post, user)) return { kind: "forbidden" as const };
    const publication = publicationOf(change, post, at);
    if (publication.kind === "invalid" || publication.kind === "already-published") return publication;
    if (needsWriter(publication, post)) {
      const author = await database.users.byId(user.id);
      if (!author || !mayWrite(toUser(author), whoMayWrite)) return { kind: "not-a-writer" as const };
    }
    const outdated = await outdatedSince(database, post, versions);
    if (outdated) return outdated;
    return { kind: "editable" as const, post, publication };
  };
  type Editable = Extract<Awaited<ReturnType<typeof findEditable>>, { kind: "editable" }>;
  const asAuthor = <T>(
    checksOf: (editable: Editable) => SubjectCheck[],
    edit: (editable: Editable, at: number) => Promise<T>,
  ) =>
    guard.run({
      client: { address, username: user.username },
      now,
      plan: async (): Promise<GuardedPlan<T | NotEdited | Outdated> | { outcome: NotEdited | Outdated }> => {
        const planned = await findEditable(now);
        if (planned.kind !== "editable") return { outcome: planned };
        return {
          checks: checksOf(planned),
          execute: async ({ refused }, at) => {
            if (refused) return refused;
            // Limits whose states are elsewhere are checked between two transactions.
            const found = await findEditable(at);
            return found.kind === "editable" ? edit(found, at) : found;
          },
        };
      },
    });
  // Before the text's faults are reported: others learn nothing of them, and have nothing rendered.
  const editable = await asAuthor(
    () => (change.content === undefined ? [] : [[limits["post.render"], user.id]]),
    async () => ({ kind: "editable" as const }),
  );
  if (editable.kind !== "editable") return editable;
  if (!checked.ok) return { kind: "invalid", errors: checked.errors };
  const { content } = change;
  const text = content === undefined ? undefined : await renderText(renderer, content, user.id);
  if (text && "kind" in text) return text;
  return asAuthor(
    ({ post, publication }) => (makesPublic(publication, post) ? [[limits["post.user"], user.id]] : []),
    ({ post, publication }, at) => applyChange(database, post, { change, text, publication, at }),
  );
}

interface Applied {
  change: PostChange;
  /** The rendered content; undefined when it stays. */
  text: (PostText & PostSummary) | undefined;
  publication: Publication;
  at: number;
}

async function applyChange(
  database: Database,
  post: Post,
  { change, text, publication, at }: Applied,
): Promise<({ kind: "updated" } & Saved) | Invalid> {
  const { title = post.title, lang, unlisted, excerpt, tags } = change;
  const named = await slugFor(database, { slug: change.slug, title }, post);
  if (named.kind === "invalid") return named;
  const { slug } = named;
  const saved = await savedText(database, post.id);
  const hasOtherText = title !== post.title || (text !== undefined && text.content !== saved.content);
  const covered = await coverOf(database, post.authorId, change.cover);
  if (covered.kind === "invalid") return covered;
  const { cover } = covered;
  if (text || cover !== undefined) {
    const address = cover === undefined ? post.cover : cover?.address;
    await database.media.saveUses(post.id, namesIn(`${text?.content ?? saved.content} ${address ?? ""}`));
  }
  // Readers have seen the text before.
  if (hasOtherText && post.publishedAt !== null) {
    const before = { title: post.title, content: saved.content, savedAt: post.updatedAt };
    await database.postRevisions.insert({ postId: post.id, ...before }, revisionBounds);
  }
  if (hasOtherText || (lang !== undefined && lang !== post.chosenLang))
    await database.posts.update(post.id, { ...withSearchText(title, text ?? saved), chosenLang: lang }, at);
  if (unlisted !== undefined || excerpt !== undefined || cover !== undefined)
    await database.posts.setOptions(post.id, { isUnlisted: unlisted, chosenExcerpt: excerpt, cover });
  if (slug !== post.slug) {
    const former = post.publishedAt === null ? null : { slug: post.slug, changedAt: at };
    await database.posts.setSlug(post.id, slug, former);
  }
  const names = post.publishedAt !== null || publication.kind === "published";
  if (tags) await database.tags.setOf(post.id, tags, { names });
  await applyPublication(database, post.id, publication, at);
  if (unlisted === false && post.isUnlisted && isListed({ ...post, isUnlisted: unlisted }))
    await announceListed(database, post.id, at);
  return { kind: "updated", slug, ...outcomeOf(publication, post) };
}

async function applyPublication(
  database: Database,
  id: number,
  publication: Publication,
  now: number,
): Promise<void> {
  switch (publication.kind) {
    case "unchanged":
      return;
    case "draft":
      return database.posts.setPublishAt(id, null);
    case "scheduled":
      return database.posts.setPublishAt(id, publication.at);
    case "published":
      await publish(database, id, { publishedAt: publication.at, now });
      return;
    case "dated":
      return database.posts.setPublishedAt(id, publication.at);
  }
}

/** When the post is or will be published; `post` is null for a new one. */
function outcomeOf(
  publication: Publication,
  post: Pick<Post, "publishedAt" | "publishAt"> | null = null,
): Omit<Saved, "slug"> {
  switch (publication.kind) {
    case "unchanged":
      return { isPublished: post?.publishedAt != null, publishAt: post?.publishAt ?? null };
    case "draft":
      return { isPublished: false, publishAt: null };
    case "scheduled":
      return { isPublished: false, publishAt: publication.at };
    default:
      return { isPublished: true, publishAt: null };
  }
}

async function hasAllDrafts({ posts }: Database, { id }: User): Promise<boolean> {
  return (await posts.countDrafts(id)) >= draftsMaximum;
}

export function withSearchText(title: string, text: PostText & Partial<PostSummary>) {
  return { title, ...text, searchTitle: foldForSearch(title), searchContent: foldForSearch(text.content) };
}
