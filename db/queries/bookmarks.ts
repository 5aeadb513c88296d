/** Posts that users have saved for later. */
import { and, count, desc, eq, lt, lte, or, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import { toPost } from "../rows.ts";
import type { TimePlace } from "../types.ts";
import { isPostSeen, postColumns, viewerOf } from "./post-lists.ts";

const { placeholder } = sql;

export function bookmarkQueries(dialect: Dialect) {
  const {
    statements,
    tables: { bookmarks, posts, ratings, users, waitingRatings },
    lockByText,
  } = dialect;
  const one = (userId: number, postId: number) =>
    and(eq(bookmarks.postId, postId), eq(bookmarks.userId, userId));
  const list = statements
    .select({
      ...postColumns(dialect),
      myScore: sql<number | null>`coalesce(${ratings.score}, ${waitingRatings.score})`,
      savedAt: bookmarks.createdAt,
    })
    .from(bookmarks)
    .innerJoin(posts, eq(posts.id, bookmarks.postId))
    .innerJoin(users, eq(users.id, posts.authorId))
    .leftJoin(ratings, and(eq(ratings.postId, posts.id), eq(ratings.userId, bookmarks.userId)))
    .leftJoin(
      waitingRatings,
      and(eq(waitingRatings.postId, posts.id), eq(waitingRatings.userId, bookmarks.userId)),
    )
    .where(
      and(
        eq(bookmarks.userId, placeholder("viewerId")),
        // Written so that an index leads to the place.
        lte(bookmarks.createdAt, placeholder("at")),
        or(lt(bookmarks.createdAt, placeholder("at")), lt(bookmarks.postId, placeholder("id"))),
        isPostSeen(dialect),
      ),
    )
    .orderBy(desc(bookmarks.createdAt), desc(bookmarks.postId))
    .limit(placeholder("limit"))
    .prepare("bookmarks");

  return {
    /** A user's bookmarks of posts that they see, the latest first. */
    list: async (viewer: Parameters<typeof viewerOf>[0], after: TimePlace, limit: number) =>
      (await list.execute({ ...viewerOf(viewer), ...after, limit })).map(({ myScore, savedAt, ...row }) => ({
        ...toPost(row),
        myScore,
        savedAt,
      })),
    has: async (userId: number, postId: number) =>
      (await statements.select({ postId: bookmarks.postId }).from(bookmarks).where(one(userId, postId)))
        .length > 0,
    /**
     * How many bookmarks a user has.
     * In a transaction, no other counts them until it ends.
     */
    async count(userId: number) {
      await lockByText(`bookmarks ${userId}`);
      const [row] = await statements
        .select({ count: count() })
        .from(bookmarks)
        .where(eq(bookmarks.userId, userId));
      return row?.count ?? 0;
    },
    /** Saves a bookmark; an existing one stays. */
    async add(userId: number, postId: number, createdAt: number) {
      await statements.insert(bookmarks).values({ userId, postId, createdAt }).onConflictDoNothing();
    },
    async remove(userId: number, postId: number) {
      await statements.delete(bookmarks).where(one(userId, postId));
    },
  };
}
