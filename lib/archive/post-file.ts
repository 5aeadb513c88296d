/** Posts as Markdown files, as this site writes them. */
import type { Database, ExportedPost } from "../../db/index.ts";
import { pagesOf } from "../paging/rows-of.ts";
import { formerSlug } from "../posts/slug.ts";
import { withFrontMatter } from "./front-matter.ts";
import type { ArchiveFile } from "./zip.ts";

/** The files of all posts, drafts too, or of one author's. */
export async function* postFiles(database: Database, authorId?: number): AsyncGenerator<ArchiveFile> {
  const pages = pagesOf((after, limit) => database.exports.posts({ after, limit, authorId }));
  for await (const page of pages) {
    const ids = page.map(({ id }) => id);
    const [tags, formerSlugs] = [await database.tags.ofPosts(ids), await database.posts.formerSlugsOf(ids)];
    for (const post of page)
      yield postFile(post, {
        tags: (tags.get(post.id) ?? []).map(({ name }) => name),
        aliases: (formerSlugs.get(post.id) ?? []).map(aliasOf),
      });
  }
}

/** File systems allow names of 255 bytes. */
const nameMaximumBytes = 240;

/**
 * The file of a post: `posts/2026/slug.md`, by the year of its date.
 * Its number in place of a slug that is too long for a file's name; no slug has a space.
 */
function postFile(
  post: ExportedPost,
  { tags, aliases }: { tags: readonly string[]; aliases: readonly string[] },
): ArchiveFile {
  const date = post.publishedAt ?? post.publishAt ?? post.createdAt;
  const year = new Date(date).getUTCFullYear();
  const name = Buffer.byteLength(post.slug) <= nameMaximumBytes ? post.slug : `post ${post.id}`;
  return {
    path: `posts/${year}/${name}.md`,
    changedAt: post.updatedAt,
    content: withFrontMatter(
      {
        title: post.title,
        slug: post.slug,
        date: new Date(date).toISOString(),
        updated: new Date(post.updatedAt).toISOString(),
        author: post.author,
        status: statusOf(post),
        unlisted: post.isUnlisted || undefined,
        lang: post.lang ?? undefined,
        excerpt: post.excerpt ?? undefined,
        cover: post.cover?.slice(1),
        coverAlt: post.coverAlt || undefined,
        tags: tags.length > 0 ? tags : undefined,
        aliases: aliases.length > 0 ? aliases : undefined,
      },
      post.content,
    ),
  };
}

const aliasPrefix = "/posts/";

/** A former address of a post, under the name that Hugo has for it. */
function aliasOf(slug: string): string {
  return `${aliasPrefix}${slug}`;
}

/** The slug in a former address; undefined for an address of another form. */
export function slugOfAlias(alias: string): string | undefined {
  const rest = alias.startsWith(aliasPrefix) ? alias.slice(aliasPrefix.length).replace(/\/$/, "") : "";
  return formerSlug(rest);
}

export const postStatuses = ["published", "draft", "scheduled", "unpublished"] as const;
type PostStatus = (typeof postStatuses)[number];

/** "unpublished" is a post that an administrator has hidden. */
function statusOf(post: Pick<ExportedPost, "publishedAt" | "publishAt" | "unpublishedAt">): PostStatus {
  if (post.publishedAt === null) return post.publishAt === null ? "draft" : "scheduled";
  return post.unpublishedAt === null ? "published" : "unpublished";
}
