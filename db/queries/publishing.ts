/** Drafts, and when they are published. */
import { and, count, desc, eq, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import { toPost } from "../rows.ts";
import { listStart } from "../types.ts";
import { isPostThere, postColumns } from "./post-lists.ts";

export function publishingQueries(dialect: Dialect) {
  const {
    statements,
    tables: { posts, users },
    lockByText,
    locking,
  } = dialect;
  const draftsBy = (authorId: number) =>
    and(eq(posts.authorId, authorId), isNull(posts.publishedAt), isNull(posts.deletedAt));
  const isDue = (now: number) => and(lte(posts.publishAt, now), isNull(posts.deletedAt));

  return {
    /** A user's drafts, scheduled ones too, those changed last first. */
    draftsOf: async (authorId: number, limit: number, { at, id } = listStart) =>
      (
        await statements
          .select(postColumns(dialect))
          .from(posts)
          .innerJoin(users, eq(users.id, posts.authorId))
          .where(
            and(
              draftsBy(authorId),
              isPostThere(dialect),
              or(lt(posts.updatedAt, at), and(eq(posts.updatedAt, at), lt(posts.id, id))),
            ),
          )
          .orderBy(desc(posts.updatedAt), desc(posts.id))
          .limit(limit)
      ).map(toPost),
    /**
     * How many drafts a user has.
     * In a transaction, no other counts them until it ends.
     */
    async countDrafts(authorId: number) {
      await lockByText(`drafts ${authorId}`);
      const [row] = await statements.select({ count: count() }).from(posts).where(draftsBy(authorId));
      return row?.count ?? 0;
    },
    /**
     * Publishes a draft, dated `publishedAt`.
     * Undefined when it is published already: of several callers one publishes it.
     */
    async publish(id: number, publishedAt: number) {
      const [published] = await statements
        .update(posts)
        .set({ publishedAt, publishAt: null, missedAt: null, updatedAt: publishedAt })
        .where(and(eq(posts.id, id), isNull(posts.publishedAt), isNull(posts.deletedAt)))
        .returning({ isUnlisted: posts.isUnlisted });
      return published;
    },
    /**
     * Drafts that are due by `now`, those that have waited longest first.
     * Locks them until the transaction ends, and skips rows that are locked.
     */
    duePublications: (now: number, limit: number) =>
      locking(
        statements
          .select({ id: posts.id, authorId: posts.authorId, publishAt: posts.publishAt })
          .from(posts)
          .where(isDue(now))
          .orderBy(posts.publishAt, posts.id)
          .limit(limit),
        "no key update",
        { skipLocked: true },
      ),
    /**
     * Changes the date of a published post.
     * A text that was not changed since keeps no later time of a change.
     */
    async setPublishedAt(id: number, publishedAt: number) {
      const unchanged = sql`${posts.updatedAt} = ${posts.publishedAt} or ${posts.updatedAt} < ${publishedAt}`;
      await statements
        .update(posts)
        .set({
          publishedAt,
          updatedAt: sql`case when ${unchanged} then ${publishedAt} else ${posts.updatedAt} end`,
        })
        .where(eq(posts.id, id));
    },
    /** Whether a draft is due to be published by `now`. */
    async anyPublicationDue(now: number) {
      const due = statements.select({ id: posts.id }).from(posts).where(isDue(now)).limit(1);
      return (await due).length > 0;
    },
    /** Records that a draft was not published when it was due. */
    async markMissed(id: number, missedAt: number) {
      await statements.update(posts).set({ publishAt: null, missedAt }).where(eq(posts.id, id));
    },
    /** Sets the time at which a draft is to be published; null for none. */
    async setPublishAt(id: number, publishAt: number | null) {
      await statements.update(posts).set({ publishAt, missedAt: null }).where(eq(posts.id, id));
    },
  };
}
