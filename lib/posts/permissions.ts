/** The users who may see, change and delete a post. */
import type { Post } from "../../db/index.ts";
import type { User } from "../users/types.ts";

export function mayEdit(post: Pick<Post, "authorId">, user: User | null): boolean {
  return user?.id === post.authorId;
}

export function mayDelete(post: Pick<Post, "authorId">, user: User | null): boolean {
  return mayEdit(post, user) || user?.isAdministrator === true;
}

/** Whether all readers find a post in lists. */
export function isListed({
  publishedAt,
  unpublishedAt,
  isUnlisted,
}: Pick<Post, "publishedAt" | "unpublishedAt" | "isUnlisted">): boolean {
  return publishedAt !== null && unpublishedAt === null && !isUnlisted;
}

/**
 * Whether a user sees a post.
 * Only the author sees a draft; author and administrators see an unpublished post.
 */
export function maySee(
  post: Pick<Post, "authorId" | "publishedAt" | "unpublishedAt">,
  user: User | null,
): boolean {
  if (post.publishedAt === null) return mayEdit(post, user);
  return post.unpublishedAt === null || mayDelete(post, user);
}
