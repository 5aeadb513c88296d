/** Rows to export, a page at a time in the order of their keys. */
import { and, asc, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import { counterColumnsOf, takeCounts } from "../counts.ts";
import type { Dialect } from "../dialect.ts";
import { exportRecordQueries } from "./export-records.ts";
import { isPostThere, postSeenBy } from "./post-lists.ts";

/** A page after a row, of one author's rows or of all. */
interface AuthorPage {
  after: number;
  limit: number;
  authorId?: number | undefined;
}

export function exportQueries(dialect: Dialect) {
  const {
    statements,
    tables: {
      attempts,
      bookmarks,
      disabledRatings,
      postContents,
      postRevisions,
      posts,
      ratings,
      users,
      waitingRatings,
    },
  } = dialect;

  /** A user's ratings in one of the three tables, after a post. */
  const ratingsIn = (
    table: typeof ratings | typeof disabledRatings | typeof waitingRatings,
    userId: number,
    after: number,
    limit: number,
  ) =>
    statements
      .select({
        id: table.postId,
        ...postSeenBy(dialect, userId),
        score: table.score,
        createdAt: table.createdAt,
      })
      .from(table)
      .innerJoin(posts, eq(posts.id, table.postId))
      .innerJoin(users, eq(users.id, posts.authorId))
      .where(and(eq(table.userId, userId), gt(table.postId, after), isNull(posts.deletedAt)))
      .orderBy(asc(table.postId))
      .limit(limit);

  return {
    ...exportRecordQueries(dialect),
    /**
     * Posts with their texts, drafts too, after the post `after`.
     * Of one author, or of all. Not those that are deleted.
     */
    posts: ({ after, limit, authorId }: AuthorPage) =>
      statements
        .select({
          id: posts.id,
          slug: posts.slug,
          title: posts.title,
          author: users.username,
          createdAt: posts.createdAt,
          updatedAt: posts.updatedAt,
          publishedAt: posts.publishedAt,
          publishAt: posts.publishAt,
          unpublishedAt: posts.unpublishedAt,
          isUnlisted: posts.isUnlisted,
          lang: posts.chosenLang,
          excerpt: posts.chosenExcerpt,
          cover: posts.cover,
          coverAlt: posts.coverAlt,
          content: postContents.content,
        })
        .from(posts)
        .innerJoin(users, eq(users.id, posts.authorId))
        .innerJoin(postContents, eq(postContents.postId, posts.id))
        .where(
          and(
            gt(posts.id, after),
            isPostThere(dialect),
            authorId === undefined ? undefined : eq(posts.authorId, authorId),
          ),
        )
        .orderBy(asc(posts.id))
        .limit(limit),
    /** Scores of posts after the post `after`, with the ratings that count. */
    async scores(after: number, limit: number) {
      const rows = await statements
        .select({
          id: posts.id,
          slug: posts.slug,
          settledScore: posts.settledScore,
          ...counterColumnsOf(posts),
        })
        .from(posts)
        .innerJoin(users, eq(users.id, posts.authorId))
        .where(and(gt(posts.id, after), isPostThere(dialect), isNotNull(posts.publishedAt)))
        .orderBy(asc(posts.id))
        .limit(limit);
      return rows.map((row) => {
        const { counts, rest } = takeCounts(row);
        return { ...rest, counts };
      });
    },
    /** Accounts that are not deleted, after the user `after`. */
    users: (after: number, limit: number) =>
      statements
        .select({
          id: users.id,
          username: users.username,
          email: users.email,
          isAdministrator: users.isAdministrator,
          isModerator: users.isModerator,
          isWriter: users.isWriter,
          disabledAt: users.disabledAt,
          createdAt: users.createdAt,
        })
        .from(users)
        .where(and(gt(users.id, after), isNull(users.deletedAt)))
        .orderBy(asc(users.id))
        .limit(limit),
    /**
     * A user's ratings after the post `after`: those that count, and then the others.
     * In the order of their posts, at most `limit` of each kind.
     */
    async ratingsOf(userId: number, after: number, limit: number) {
      const [counted, disabled, waiting] = [
        await ratingsIn(ratings, userId, after, limit),
        await ratingsIn(disabledRatings, userId, after, limit),
        await ratingsIn(waitingRatings, userId, after, limit),
      ];
      return [...counted, ...disabled, ...waiting].sort((one, other) => one.id - other.id).slice(0, limit);
    },
    /** Earlier texts of posts after the text `after`, of one author's posts or of all. */
    revisions: ({ after, limit, authorId }: AuthorPage) =>
      statements
        .select({
          id: postRevisions.id,
          slug: posts.slug,
          title: postRevisions.title,
          content: postRevisions.content,
          savedAt: postRevisions.savedAt,
        })
        .from(postRevisions)
        .innerJoin(posts, eq(posts.id, postRevisions.postId))
        .innerJoin(users, eq(users.id, posts.authorId))
        .where(
          and(
            gt(postRevisions.id, after),
            isPostThere(dialect),
            authorId === undefined ? undefined : eq(posts.authorId, authorId),
          ),
        )
        .orderBy(asc(postRevisions.id))
        .limit(limit),
    /** A user's bookmarks, of which there are not many, the oldest first. */
    bookmarksOf: (userId: number) =>
      statements
        .select({ ...postSeenBy(dialect, userId), createdAt: bookmarks.createdAt })
        .from(bookmarks)
        .innerJoin(posts, eq(posts.id, bookmarks.postId))
        .innerJoin(users, eq(users.id, posts.authorId))
        .where(and(eq(bookmarks.userId, userId), isNull(posts.deletedAt)))
        .orderBy(asc(bookmarks.createdAt), asc(bookmarks.postId)),
    /** A user's attempts to rate after a place, in the order of posts and minutes. */
    attemptsOf: (userId: number, after: { postId: number; minute: number; id: number }, limit: number) =>
      statements
        .select({
          id: attempts.id,
          postId: attempts.postId,
          minute: attempts.minute,
          slug: postSeenBy(dialect, userId).slug,
          at: attempts.at,
          count: attempts.count,
          verb: attempts.verb,
          score: attempts.score,
          allowed: attempts.allowed,
          held: attempts.held,
        })
        .from(attempts)
        .innerJoin(posts, eq(posts.id, attempts.postId))
        .innerJoin(users, eq(users.id, posts.authorId))
        .where(
          and(
            eq(attempts.userId, userId),
            sql`(${attempts.postId}, ${attempts.minute}, ${attempts.id}) > (${after.postId}, ${after.minute}, ${after.id})`,
            isNull(posts.deletedAt),
          ),
        )
        .orderBy(asc(attempts.postId), asc(attempts.minute), asc(attempts.id))
        .limit(limit),
  };
}
