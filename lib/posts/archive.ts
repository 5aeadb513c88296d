/** Posts by the years of their dates. */
import type { Database, ListedPost, Post } from "../../db/index.ts";
import { pageOf } from "../paging/page-of.ts";
import { placeFrom, timeCursor } from "../paging/time-cursor.ts";
import { dayMs } from "../time/units.ts";
import type { DatabaseContext } from "../users/types.ts";

interface ArchivedYear {
  year: number;
  posts: number;
}

/** The years that have posts, the latest first, with their numbers of posts. */
export async function archivedYears({ database }: DatabaseContext): Promise<ArchivedYear[]> {
  const posts = new Map<number, number>();
  for (const { day, count } of await database.archive.days()) {
    const year = new Date(day * dayMs).getUTCFullYear();
    posts.set(year, (posts.get(year) ?? 0) + count);
  }
  return [...posts].map(([year, count]) => ({ year, posts: count })).toSorted((a, b) => b.year - a.year);
}

/**
 * One page of a year's posts, the newest first.
 * Null for a malformed cursor, and one of another year.
 */
export async function postsOfYear(
  { database }: DatabaseContext,
  {
    year,
    cursor,
    limit,
    viewerId,
  }: { year: number; cursor?: string | undefined; limit: number; viewerId?: number | undefined },
): Promise<{ items: ListedPost[]; nextCursor: string | null } | null> {
  const [from, to] = [Date.UTC(year), Date.UTC(year + 1)];
  const place = cursor === undefined ? { at: to, id: 0 } : placeFrom(cursor);
  if (!place || place.at < from || place.at > to) return null;
  const after = { key: place.at, id: place.id };
  const found = await database.posts.list({ sort: "newest", limit: limit + 1, after, viewerId });
  const ofYear = found.filter((post) => dateOf(post) >= from);
  return pageOf(ofYear, limit, (post) => timeCursor({ at: dateOf(post), id: post.id }));
}

/** The posts that were published before and after one, as links. */
export async function neighboursOf(
  { database }: DatabaseContext,
  { id, publishedAt }: Pick<Post, "id" | "publishedAt">,
): Promise<Awaited<ReturnType<Database["archive"]["neighbours"]>>> {
  if (publishedAt === null) return { older: undefined, newer: undefined };
  return database.archive.neighbours({ at: publishedAt, id });
}

function dateOf({ publishedAt, createdAt }: ListedPost): number {
  return publishedAt ?? createdAt;
}
