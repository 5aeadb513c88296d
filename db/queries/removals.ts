/**
 * The rows of deleted posts and accounts, removed a few at a time.
 * Every table that refers to posts or users is listed here: the rows of a missing one would go at once with the last
 * row, in one long statement. A test compares with the schema.
 */
import { and, eq, inArray, notInArray, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Dialect } from "../dialect.ts";
import type { Tables } from "../schema/index.ts";

/** A table whose rows stay without the person. */
type Parted = Tables["attempts" | "windowDecisions" | "accountChanges" | "invitations"];

export function removalQueries({ statements, tables, ...dialect }: Dialect) {
  const { accountChanges, accountChangeUsers, disabledRatings, removals, ratings } = tables;
  const {
    floodSubscriptions,
    mailedFloods,
    mailLinks,
    mails,
    media,
    postMedia,
    passkeys,
    recoveryCodes,
    totpSecrets,
  } = tables;
  const { bookmarks, formerSlugs, postRevisions, postTags } = tables;
  const { announcedPosts, deciderSubscriptions, decisionSubscriptions, emailChanges } = tables;
  const { apiTokens, attemptCounts, attempts, floodWindows, formerRaters, ratingDays } = tables;
  const {
    invitations,
    replayClaims,
    reviewRequests,
    sessions,
    shadowCounts,
    waitingRatings,
    windowDecisions,
  } = tables;
  /** Each with a column that identifies a post's rows. */
  const ofPost = [
    // First: a process that still replays the ratings stops.
    { table: replayClaims, key: replayClaims.postId },
    { table: ratings, key: ratings.userId },
    { table: formerRaters, key: formerRaters.userId },
    { table: disabledRatings, key: disabledRatings.userId },
    { table: waitingRatings, key: waitingRatings.userId },
    { table: bookmarks, key: bookmarks.userId },
    { table: ratingDays, key: ratingDays.day },
    { table: floodWindows, key: floodWindows.number },
    { table: mailedFloods, key: mailedFloods.number },
    { table: announcedPosts, key: announcedPosts.postId },
    { table: windowDecisions, key: windowDecisions.id },
    { table: reviewRequests, key: reviewRequests.id },
    { table: formerSlugs, key: formerSlugs.slug },
    { table: postTags, key: postTags.tagId },
    { table: postRevisions, key: postRevisions.id },
    { table: attempts, key: attempts.id },
    { table: attemptCounts, key: attemptCounts.beginsAt },
    { table: shadowCounts, key: shadowCounts.beginsAt },
    { table: postMedia, key: postMedia.mediaId },
  ];
  /** Removes some of these rows; resolves to their number. */
  async function removeSome({ table, key }: { table: PgTable; key: PgColumn }, of: SQL, limit: number) {
    const some = dialect.locking(statements.select({ key }).from(table).where(of).limit(limit), "update");
    const removed = await statements
      .delete(table)
      .where(and(of, inArray(key, some)))
      .returning({ key });
    return removed.length;
  }
  /** The images that only this post uses. */
  const onlyUsedBy = (postId: number) =>
    statements
      .select({ id: postMedia.mediaId })
      .from(postMedia)
      .where(
        and(
          eq(postMedia.postId, postId),
          sql`not exists (select 1 from post_media other where other.media_id = ${postMedia.mediaId} and other.post_id <> ${postId})`,
        ),
      );
  /** Removes some images that only this post uses; resolves to the number found. */
  async function removeImagesOf(postId: number, limit: number): Promise<number> {
    const some = statements
      .select({ id: media.id })
      .from(media)
      .where(inArray(media.id, onlyUsedBy(postId).limit(limit)));
    const ids = (await dialect.locking(some, "update")).map(({ id }) => id);
    if (ids.length === 0) return 0;
    // A second look: while this transaction waited for a lock, another post can have begun to use an image.
    const unused = and(inArray(media.id, ids), inArray(media.id, onlyUsedBy(postId)));
    await statements.delete(media).where(unused);
    return ids.length;
  }
  const claim = (exceptIds: readonly number[]) =>
    dialect.locking(
      statements
        .select()
        .from(removals)
        .where(notInArray(removals.id, [...exceptIds]))
        .orderBy(sql`case when ${removals.kind} = 'post' then 0 else 1 end`, removals.id)
        .limit(1),
      "update",
      { skipLocked: true },
    );

  // Rows to remove are locked before they are counted: of those that another removal has just removed, the next ones are
  // found instead. Otherwise a step that found only such rows would be taken for the last.
  return {
    /** All removals, the oldest first. */
    all: () => statements.select().from(removals).orderBy(removals.id),
    /**
     * Claims a removal, posts before accounts; undefined when there is none.
     * Locks it until the transaction ends, and skips locked rows.
     */
    claim: async (exceptIds: readonly number[] = []) => (await claim(exceptIds))[0],
    async addRemovedRatings(id: number, removed: number) {
      await statements
        .update(removals)
        .set({ ratingsRemoved: sql`${removals.ratingsRemoved} + ${removed}` })
        .where(eq(removals.id, id));
    },
    async end(id: number) {
      await statements.delete(removals).where(eq(removals.id, id));
    },
    /**
     * Removes about `limit` rows of one table that belong to a post.
     * Resolves to the number of rows, and of ratings among them.
     */
    async removeOfPost(postId: number, limit: number) {
      const images = await removeImagesOf(postId, limit);
      if (images > 0) return { rows: images, ratings: 0 };
      for (const { table, key } of ofPost) {
        const rows = await removeSome({ table, key }, eq(table.postId, postId), limit);
        if (rows > 0) return { rows, ratings: table === ratings ? rows : 0 };
      }
      return { rows: 0, ratings: 0 };
    },
    /**
     * As `removeOfPost` for a user, except their posts and ratings.
     * Records such as attempts and decisions stay, without the user.
     */
    async removeOfUser(userId: number, limit: number) {
      for (const { table, key } of [
        { table: formerRaters, key: formerRaters.postId },
        { table: disabledRatings, key: disabledRatings.postId },
        { table: waitingRatings, key: waitingRatings.postId },
        { table: bookmarks, key: bookmarks.postId },
        { table: accountChangeUsers, key: accountChangeUsers.changeId },
        { table: apiTokens, key: apiTokens.id },
        { table: sessions, key: sessions.id },
        { table: totpSecrets, key: totpSecrets.userId },
        { table: recoveryCodes, key: recoveryCodes.codeHash },
        { table: passkeys, key: passkeys.id },
        { table: mails, key: mails.id },
        { table: mailLinks, key: mailLinks.tokenHash },
        { table: floodSubscriptions, key: floodSubscriptions.userId },
        { table: media, key: media.id },
        { table: decisionSubscriptions, key: decisionSubscriptions.userId },
        { table: deciderSubscriptions, key: deciderSubscriptions.userId },
        { table: emailChanges, key: emailChanges.userId },
      ]) {
        const rows = await removeSome({ table, key }, eq(table.userId, userId), limit);
        if (rows > 0) return rows;
      }
      const parted: readonly { table: Parted; column: PgColumn; change: Record<string, null> }[] = [
        { table: attempts, column: attempts.userId, change: { userId: null } },
        { table: windowDecisions, column: windowDecisions.userId, change: { userId: null } },
        { table: accountChanges, column: accountChanges.byUserId, change: { byUserId: null } },
        { table: invitations, column: invitations.createdBy, change: { createdBy: null } },
        { table: invitations, column: invitations.usedBy, change: { usedBy: null } },
      ];
      for (const { table, column, change } of parted) {
        const { id } = table;
        const some = dialect.locking(
          statements.select({ id }).from(table).where(eq(column, userId)).limit(limit),
          "update",
        );
        const changed = await statements.update(table).set(change).where(inArray(id, some)).returning({ id });
        if (changed.length > 0) return changed.length;
      }
      return 0;
    },
  };
}
