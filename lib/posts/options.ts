/** A post's options: when it is published, and under which address. */
import type { Database, Post } from "../../db/index.ts";
import { translator } from "../i18n/index.ts";
import type { Invalid } from "../validation.ts";
import { formerSlugsMaximum } from "./lengths.ts";
import type { PostChange } from "./schema.ts";
import { freeSlug, isSlugOf, slugFrom } from "./slug.ts";

/** The change of a post's date. */
export type Publication =
  | { kind: "unchanged" }
  | { kind: "draft" }
  | { kind: "scheduled"; at: number }
  | { kind: "published"; at: number }
  /** It is published already, and gets another date. */
  | { kind: "dated"; at: number };

type Dates = Pick<PostChange, "draft" | "publishAt">;

/** The state of a new post. */
export function firstPublicationOf({ draft, publishAt }: Dates, now: number): Publication | Invalid {
  const hasDate = typeof publishAt === "number";
  if (draft && hasDate) return invalid("publishAt", "noDate");
  if (draft) return { kind: "draft" };
  if (hasDate) return { kind: publishAt > now ? "scheduled" : "published", at: publishAt };
  return { kind: "published", at: now };
}

/** The effect of a change on a post's publication. */
export function publicationOf(
  change: Dates,
  { publishedAt }: Pick<Post, "publishedAt">,
  now: number,
): Publication | { kind: "already-published" } | Invalid {
  const { draft, publishAt } = change;
  if (publishedAt !== null) {
    if (draft) return { kind: "already-published" };
    if (typeof publishAt !== "number" || publishAt === publishedAt) return { kind: "unchanged" };
    return publishAt > now ? invalid("publishAt", "notScheduled") : { kind: "dated", at: publishAt };
  }
  if (draft === undefined && publishAt === undefined) return { kind: "unchanged" };
  // Without a date, a draft is published only on request.
  return firstPublicationOf({ publishAt, draft: draft ?? publishAt === null }, now);
}

/** Whether only a writer may do it: schedule, publish, move up by a later date. */
export function needsWriter(publication: Publication, { publishedAt }: Pick<Post, "publishedAt">): boolean {
  const { kind } = publication;
  if (kind === "dated") return publishedAt !== null && publication.at > publishedAt;
  return kind === "scheduled" || kind === "published";
}

/** Whether it counts as a new post under the limit; a scheduled one did before. */
export function makesPublic(
  publication: Publication,
  post: Pick<Post, "publishAt" | "publishedAt">,
): boolean {
  return needsWriter(publication, post) && post.publishAt === null;
}

/**
 * The slug of a new or changed post, free until the transaction ends.
 * The slug of a draft follows its title, unless its author has chosen another.
 */
export async function slugFor(
  { posts }: Database,
  { slug: chosen, title }: { slug?: string | undefined; title: string },
  post: Post | null,
): Promise<{ kind: "slug"; slug: string } | Invalid> {
  if (chosen !== undefined && chosen !== post?.slug) {
    await posts.lockSlug(chosen);
    if (await posts.isSlugTaken(chosen, post?.id)) return invalid("slug", "slugTaken");
    if (post && post.publishedAt !== null && (await isFull(posts, post.id, chosen)))
      return invalid("slug", "slugsMaximum");
    return { kind: "slug", slug: chosen };
  }
  const follows = post?.publishedAt === null && title !== post.title && isSlugOf(post.slug, post.title);
  if (post && (chosen !== undefined || !follows)) return { kind: "slug", slug: post.slug };
  const isTaken = async (candidate: string) => {
    await posts.lockSlug(candidate);
    return posts.isSlugTaken(candidate, post?.id);
  };
  return { kind: "slug", slug: await freeSlug(slugFrom(title), isTaken) };
}

/** Whether a new slug is one too many for a post; a former one never is. */
async function isFull(posts: Database["posts"], id: number, slug: string): Promise<boolean> {
  if ((await posts.presentSlug(slug)) !== undefined) return false;
  return (await posts.countFormerSlugs(id)) >= formerSlugsMaximum;
}

function invalid(field: string, fault: "noDate" | "notScheduled" | "slugTaken" | "slugsMaximum"): Invalid {
  const text = translator("validation")(`post.${fault}`, { maximum: formerSlugsMaximum });
  return { kind: "invalid", errors: { [field]: [text] } };
}
