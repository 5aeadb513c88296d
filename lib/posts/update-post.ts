/** Changing posts, for their authors. */
import type { Database, Post, PostSummary, PostText } from "../../db/index.ts";
import type { GuardedPlan, Refused, SubjectCheck } from "../limits/types.ts";
import { namesIn } from "../media/address.ts";
import type { User } from "../users/types.ts";
import { toUser } from "../users/user-of-row.ts";
import { mayWrite } from "../users/writers.ts";
import { type Invalid, validate } from "../validation.ts";
import { applyPublication, outcomeOf, type SavedPost } from "./apply-publication.ts";
import { coverOf } from "./covers.ts";
import { findPost, savedText } from "./find-post.ts";
import { revisionBounds } from "./lengths.ts";
import { makesPublic, needsWriter, type Publication, publicationOf, slugFor } from "./options.ts";
import { type Outdated, outdatedSince } from "./outdated.ts";
import { isListed, mayEdit } from "./permissions.ts";
import { announceListed } from "./publishing.ts";
import { type PostChange, postChangeSchema } from "./schema.ts";
import { renderText, withSearchText } from "./text.ts";
import type { AlreadyPublished, Busy, NotAWriter, PostContext } from "./types.ts";

type NotEdited =
  | { kind: "forbidden" }
  | { kind: "no-such-post" }
  | AlreadyPublished
  /** The user may change a post, and not publish one. */
  | NotAWriter
  | Invalid
  | Refused;
type UpdateOutcome = ({ kind: "updated" } & SavedPost) | NotEdited | Busy;

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
  { database, limits, guard, renderer, whoMayWrite }: PostContext,
  { user, slug, address, input, now, versions }: UpdateRequest & { versions?: readonly string[] | undefined },
): Promise<UpdateOutcome | Outdated> {
  const checked = validate(postChangeSchema, input);
  const change = checked.ok ? checked.value : {};
  /** The user's post with its next state, or the reason that it stays. */
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
): Promise<({ kind: "updated" } & SavedPost) | Invalid> {
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
