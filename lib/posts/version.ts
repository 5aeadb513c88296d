/** Versions of posts: a form that shows an old one must not replace a new one. */
import { createHash } from "node:crypto";
import type { Post } from "../../db/index.ts";
import type { Tag } from "./tags.ts";

type Versioned = Pick<
  Post,
  "slug" | "title" | "chosenLang" | "chosenExcerpt" | "cover" | "isUnlisted" | "publishedAt" | "publishAt"
> & { content: string; tags: readonly Tag[] };

/**
 * A hash of everything that a post's author can change.
 * The same before and after a scheduled post is published.
 */
export function versionOf(post: Versioned): string {
  const { slug, title, content, chosenLang, chosenExcerpt, cover, isUnlisted, tags } = post;
  const date = post.publishedAt ?? post.publishAt;
  const tagSlugs = tags.map((tag) => tag.slug);
  const values = [slug, title, content, chosenLang, chosenExcerpt, cover, isUnlisted, date, tagSlugs];
  return createHash("sha256").update(JSON.stringify(values)).digest("base64url");
}
