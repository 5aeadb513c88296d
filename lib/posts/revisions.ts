/** Earlier texts of published posts: list, compare, restore. */
import type { Database, Post } from "../../db/index.ts";
import { namesIn } from "../media/address.ts";
import type { User } from "../users/types.ts";
import { type TextComparer, textComparer } from "./compare-texts.ts";
import { findPost, savedText } from "./find-post.ts";
import { mayDelete } from "./permissions.ts";
import type { TextPart } from "./text-changes.ts";
import type { PostContext } from "./types.ts";
import { updatePost } from "./update-post.ts";

interface RevisionRequest {
  slug: string;
  user: User;
}

export type ComparedRevision = Extract<Awaited<ReturnType<typeof compareRevision>>, { kind: "compared" }>;
type NotSeen = { kind: "forbidden" } | { kind: "no-such-post" };

/** A post's earlier texts, the newest first; for the author and administrators. */
export async function revisionsOf({ database }: { database: Database }, request: RevisionRequest) {
  const found = await findSeen(database, request);
  if (found.kind !== "seen") return found;
  const revisions = await database.postRevisions.ofPost(found.post.id);
  return { kind: "revisions" as const, post: found.post, revisions };
}

/** An earlier text; for the author and administrators. */
export async function readRevision(
  { database }: { database: Database },
  { id, ...request }: RevisionRequest & { id: number },
) {
  const found = await findSeen(database, request);
  if (found.kind !== "seen") return found;
  const revision = await database.postRevisions.find(found.post.id, id);
  return revision ? { ...found, kind: "revision" as const, revision } : { kind: "nothing-there" as const };
}

/** An earlier text compared with the present one; for author and administrators. */
export async function compareRevision(
  { database }: { database: Database },
  request: RevisionRequest & { id: number },
  comparer: TextComparer = textComparer(),
) {
  const found = await readRevision({ database }, request);
  if (found.kind !== "revision") return found;
  const { post, revision } = found;
  const { content } = await savedText(database, post.id);
  const compare = (before: string, after: string) =>
    comparer.compare(request.user.id, { before, after, lang: post.lang });
  const title = await compare(revision.title, post.title);
  const names = namesIn(revision.content);
  const known = await database.media.known(names);
  return {
    kind: "compared" as const,
    ...revision,
    /** How many of its images were removed since, and would be gaps. */
    missingImages: names.filter((name) => !known.has(name)).length,
    isSame: revision.title === post.title && revision.content === content,
    title: typeof title === "string" ? whole(revision.title, post.title) : title,
    content: await compare(revision.content, content),
    texts: whole(revision.content, content),
  };
}

/**
 * Makes an earlier text the present one again, for the author.
 * As any change it is limited, and keeps the text before it. `versions` as those of `updatePost`.
 */
export async function restoreRevision(
  context: PostContext,
  {
    slug,
    user,
    id,
    address,
    now,
    versions,
  }: RevisionRequest & { id: number; address: string; now: number; versions?: readonly string[] | undefined },
) {
  const found = await readRevision(context, { slug, user, id });
  if (found.kind !== "revision") return found;
  const { title, content } = found.revision;
  return updatePost(context, { user, slug, input: { title, content }, address, now, versions });
}

async function findSeen(
  database: Database,
  { slug, user }: RevisionRequest,
): Promise<{ kind: "seen"; post: Post } | NotSeen> {
  const post = await findPost({ database }, slug, user);
  if (!post) return { kind: "no-such-post" };
  return mayDelete(post, user) ? { kind: "seen", post } : { kind: "forbidden" };
}

function whole(before: string, after: string): TextPart[] {
  return [
    { kind: "removed", text: before },
    { kind: "added", text: after },
  ];
}
