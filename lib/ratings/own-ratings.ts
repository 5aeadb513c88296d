/** The posts that a user has rated; only that user sees the list. */
import type { Database, RatedPost } from "../../db/index.ts";
import { pageOf } from "../paging/page-of.ts";
import { placeFrom, timeCursor } from "../paging/time-cursor.ts";
import type { User } from "../users/types.ts";

export type { RatedPost };

/** One page of a user's own ratings, the latest first; null for a malformed cursor. */
export async function listOwnRatings(
  { database }: { database: Database },
  { user, cursor, limit }: { user: User; cursor?: string | undefined; limit: number },
): Promise<{ items: RatedPost[]; nextCursor: string | null } | null> {
  const after = placeFrom(cursor);
  if (!after) return null;
  return pageOf(await database.ownRatings.list(user, after, limit + 1), limit, timeCursor);
}
