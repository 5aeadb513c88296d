/** Records about a user to export, a page at a time in the order of their keys. */
import { and, asc, eq, gt, inArray, isNull, or, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import { postSeenBy } from "./post-lists.ts";

export function exportRecordQueries(dialect: Dialect) {
  const {
    statements,
    tables: {
      accountChanges,
      accountChangeUsers,
      formerRaters,
      invitations,
      mails,
      posts,
      reviewRequests,
      users,
      windowDecisions,
    },
  } = dialect;

  return {
    /** Posts after the post `after` whose ratings a user has withdrawn. */
    withdrawnRatingsOf: (userId: number, after: number, limit: number) =>
      statements
        .select({ id: formerRaters.postId, ...postSeenBy(dialect, userId) })
        .from(formerRaters)
        .innerJoin(posts, eq(posts.id, formerRaters.postId))
        .innerJoin(users, eq(users.id, posts.authorId))
        .where(and(eq(formerRaters.userId, userId), gt(formerRaters.postId, after), isNull(posts.deletedAt)))
        .orderBy(asc(formerRaters.postId))
        .limit(limit),
    /** An author's requests to review floods, after one of them. */
    reviewRequestsOf: (authorId: number, after: number, limit: number) =>
      statements
        .select({
          id: reviewRequests.id,
          slug: posts.slug,
          title: posts.title,
          flood: reviewRequests.window,
          at: reviewRequests.at,
          why: reviewRequests.why,
          answeredAt: reviewRequests.answeredAt,
        })
        .from(reviewRequests)
        .innerJoin(posts, eq(posts.id, reviewRequests.postId))
        .where(and(eq(posts.authorId, authorId), gt(reviewRequests.id, after), isNull(posts.deletedAt)))
        .orderBy(asc(reviewRequests.id))
        .limit(limit),
    /** A user's decisions on floods, after one of them. */
    windowDecisionsBy: (userId: number, after: number, limit: number) =>
      statements
        .select({
          id: windowDecisions.id,
          ...postSeenBy(dialect, userId),
          flood: windowDecisions.window,
          at: windowDecisions.at,
          status: windowDecisions.status,
          role: windowDecisions.role,
          why: windowDecisions.why,
        })
        .from(windowDecisions)
        .innerJoin(posts, eq(posts.id, windowDecisions.postId))
        .innerJoin(users, eq(users.id, posts.authorId))
        .where(
          and(eq(windowDecisions.userId, userId), gt(windowDecisions.id, after), isNull(posts.deletedAt)),
        )
        .orderBy(asc(windowDecisions.id))
        .limit(limit),
    /**
     * Changes on record after one of them, which concern a user.
     * By them, of their account, or of their posts; without the names of other people.
     */
    changesOf: (userId: number, after: number, limit: number) => {
      const ofAccount = statements
        .select({ id: accountChangeUsers.changeId })
        .from(accountChangeUsers)
        .where(eq(accountChangeUsers.userId, userId));
      return statements
        .select({
          id: accountChanges.id,
          kind: accountChanges.kind,
          at: accountChanges.at,
          actor: accountChanges.actor,
          isByUser: sql<boolean>`coalesce(${accountChanges.byUserId} = ${userId}, false)`.mapWith(Boolean),
          why: accountChanges.why,
          slug: postSeenBy(dialect, userId).slug,
        })
        .from(accountChanges)
        .leftJoin(posts, and(eq(posts.id, accountChanges.postId), isNull(posts.deletedAt)))
        .leftJoin(users, eq(users.id, posts.authorId))
        .where(
          and(
            gt(accountChanges.id, after),
            or(
              eq(accountChanges.byUserId, userId),
              eq(posts.authorId, userId),
              inArray(accountChanges.id, ofAccount),
            ),
          ),
        )
        .orderBy(asc(accountChanges.id))
        .limit(limit);
    },
    /** A user's invitations of others, after one of them. */
    invitationsBy: (userId: number, after: number, limit: number) =>
      statements
        .select({
          id: invitations.id,
          note: invitations.note,
          makesWriter: invitations.makesWriter,
          createdAt: invitations.createdAt,
          expiresAt: invitations.expiresAt,
          usedAt: invitations.usedAt,
        })
        .from(invitations)
        .where(and(eq(invitations.createdBy, userId), gt(invitations.id, after)))
        .orderBy(asc(invitations.id))
        .limit(limit),
    /** Emails to a user or to their confirmed address, after one of them. */
    mailsTo: (userId: number, after: number, limit: number) => {
      // Emails to an address that is not confirmed are its owner's secret.
      const confirmed = statements
        .select({ emailKey: users.emailKey })
        .from(users)
        .where(and(eq(users.id, userId), sql`${users.emailConfirmedAt} is not null`));
      return statements
        .select({
          id: mails.id,
          kind: mails.kind,
          address: mails.address,
          createdAt: mails.createdAt,
          finishedAt: mails.finishedAt,
          fault: mails.fault,
        })
        .from(mails)
        .where(
          and(
            gt(mails.id, after),
            or(eq(mails.userId, userId), and(isNull(mails.userId), inArray(mails.addressKey, confirmed))),
          ),
        )
        .orderBy(asc(mails.id))
        .limit(limit);
    },
  };
}
