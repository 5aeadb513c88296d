/** Posts that a user has saved for later; only that user sees them. */
import type { BookmarkedPost } from "../../db/index.ts";
import { pageOf } from "../paging/page-of.ts";
import { placeFrom, timeCursor } from "../paging/time-cursor.ts";
import { findPost } from "../posts/index.ts";
import type { DatabaseContext, User } from "../users/types.ts";

export type { BookmarkedPost };

/** The most posts that a user can have saved. */
export const bookmarksMaximum = 1_000;

type BookmarkOutcome =
  | { kind: "saved" }
  | { kind: "removed" }
  | { kind: "too-many-bookmarks" }
  | { kind: "no-such-post" }
  /** The account was deleted or disabled meanwhile. */
  | { kind: "not-logged-in" };

/** Saves a post for later, or removes it; done again, it changes nothing. */
export function setBookmark(
  { database }: DatabaseContext,
  { user, slug, isSaved, now }: { user: User; slug: string; isSaved: boolean; now: number },
): Promise<BookmarkOutcome> {
  const { bookmarks, users } = database;
  return database.transaction(async (): Promise<BookmarkOutcome> => {
    const post = await findPost({ database }, slug, user);
    if (!post) return { kind: "no-such-post" };
    if (!isSaved) {
      await bookmarks.remove(user.id, post.id);
      return { kind: "removed" };
    }
    if (!(await users.active(user.id))) return { kind: "not-logged-in" };
    const saved = await bookmarks.count(user.id);
    if (await bookmarks.has(user.id, post.id)) return { kind: "saved" };
    if (saved >= bookmarksMaximum) return { kind: "too-many-bookmarks" };
    await bookmarks.add(user.id, post.id, now);
    return { kind: "saved" };
  });
}

export function isBookmarked(
  { database }: DatabaseContext,
  user: User,
  post: { id: number },
): Promise<boolean> {
  return database.bookmarks.has(user.id, post.id);
}

/** One page of a user's saved posts, the latest first; null for a malformed cursor. */
export async function listBookmarks(
  { database }: DatabaseContext,
  { user, cursor, limit }: { user: User; cursor?: string | undefined; limit: number },
): Promise<{ items: BookmarkedPost[]; nextCursor: string | null } | null> {
  const after = placeFrom(cursor);
  if (!after) return null;
  const rows = await database.bookmarks.list(user, after, limit + 1);
  return pageOf(rows, limit, ({ savedAt, id }) => timeCursor({ at: savedAt, id }));
}
