/** Tags that readers find, and posts by shared tags. */
import type { Post } from "../../db/index.ts";
import type { Tag } from "../../db/types.ts";
import { pageOf } from "../paging/page-of.ts";
import type { DatabaseContext } from "../users/types.ts";

export type { Tag };

/** The most posts that are shown as related to one. */
const relatedMaximum = 3;

/** A tag that a post in the lists has; null when there is none. */
export async function findTag({ database }: DatabaseContext, slug: string): Promise<Tag | null> {
  return (await database.tagLists.listedTag(slug)) ?? null;
}

/** One page of the tags that readers find, by their slugs. */
export async function listTags(
  { database }: DatabaseContext,
  { cursor = "", limit }: { cursor?: string | undefined; limit: number },
) {
  const found = await database.tagLists.counted({ after: cursor, limit: limit + 1 });
  return pageOf(found, limit, ({ slug }) => slug);
}

/** The tags of posts by the posts' numbers. */
export function tagsOf(
  { database }: DatabaseContext,
  posts: readonly Pick<Post, "id">[],
): Promise<Map<number, Tag[]>> {
  return database.tags.ofPosts(posts.map(({ id }) => id));
}

/** The posts that share the most tags with one, as links. */
export async function relatedPosts(
  { database }: DatabaseContext,
  { id, publishedAt }: Pick<Post, "id" | "publishedAt">,
) {
  return publishedAt === null ? [] : database.tagLists.related({ id, publishedAt }, relatedMaximum);
}
