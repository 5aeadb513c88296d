/** Subscribers to new posts, and the posts that they are mailed about. */
import { and, asc, count, desc, eq, gt, inArray, lt, lte, max, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tables } from "../schema/index.ts";
import { isPostListed } from "./post-lists.ts";

type NewSubscriber = Omit<Tables["subscribers"]["$inferSelect"], "id" | "mailedUntil" | "dueAt">;

/** The time of an announcement without mails, which is before all subscriptions. */
const neverMailed = 0;
/** The time of a post that is not announced yet; its announcement sends no mail. */
const toAnnounceWithoutMails = -1;

export function subscriberQueries(dialect: Dialect) {
  const {
    statements,
    tables: { announcedPosts, posts, subscribers, users },
  } = dialect;
  const withText = (text: string | undefined) =>
    text
      ? sql`${subscribers.emailKey} like ${`%${text.replace(/[\\%_]/g, "\\$&")}%`} escape '\\'`
      : undefined;

  async function byEmailKey(emailKey: string) {
    return (await statements.select().from(subscribers).where(eq(subscribers.emailKey, emailKey)))[0];
  }

  return {
    byEmailKey,
    byId: async (id: number) =>
      (await statements.select().from(subscribers).where(eq(subscribers.id, id)))[0],
    /** Adds a subscriber, unless the address is one. */
    async add(subscriber: NewSubscriber) {
      const { createdAt } = subscriber;
      await statements
        .insert(subscribers)
        .values({ ...subscriber, mailedUntil: createdAt, dueAt: createdAt })
        .onConflictDoNothing();
    },
    /** Removes a subscriber; resolves to whether there was one. */
    async remove(by: { id: number } | { emailKey: string }) {
      const isIt = "id" in by ? eq(subscribers.id, by.id) : eq(subscribers.emailKey, by.emailKey);
      const removed = statements.delete(subscribers).where(isIt);
      return (await removed.returning({ id: subscribers.id })).length > 0;
    },
    /** Moves a subscription to another address, which may have one already. */
    async changeEmail(fromKey: string, to: { email: string; emailKey: string }) {
      const isTaken = to.emailKey !== fromKey && (await byEmailKey(to.emailKey)) !== undefined;
      const isFrom = eq(subscribers.emailKey, fromKey);
      if (isTaken) await statements.delete(subscribers).where(isFrom);
      else await statements.update(subscribers).set(to).where(isFrom);
    },
    async count(search?: string) {
      const [row] = await statements.select({ count: count() }).from(subscribers).where(withText(search));
      return row?.count ?? 0;
    },
    /** Subscribers after a number, the oldest first. */
    list: (limit: number, { after = 0, search }: { after?: number; search?: string | undefined } = {}) =>
      statements
        .select()
        .from(subscribers)
        .where(and(gt(subscribers.id, after), withText(search)))
        .orderBy(asc(subscribers.id))
        .limit(limit),
    /**
     * Locks subscribers who are due and were not mailed since `newest`.
     * That is when a post was announced. At most `limit`; skips locked rows. Call it in a transaction.
     */
    lockDue: ({ newest, now, limit }: { newest: number; now: number; limit: number }) =>
      dialect.locking(
        statements
          .select()
          .from(subscribers)
          .where(and(lt(subscribers.mailedUntil, newest), lte(subscribers.dueAt, now)))
          .orderBy(asc(subscribers.mailedUntil), asc(subscribers.id))
          .limit(limit),
        "update",
        { skipLocked: true },
      ),
    async setMailed(
      ids: readonly number[],
      { mailedUntil, dueAt }: { mailedUntil: number; dueAt?: number | undefined },
    ) {
      await statements
        .update(subscribers)
        .set({ mailedUntil, ...(dueAt !== undefined && { dueAt }) })
        .where(inArray(subscribers.id, [...ids]));
    },
    /**
     * Announces a post to the subscribers, unless it was announced before.
     * With null it counts as announced, and no mail is about it. Resolves to whether it was not announced before.
     */
    async announce(postId: number, at: number | null) {
      const announced = statements
        .insert(announcedPosts)
        .values({ postId, at: at ?? neverMailed })
        .onConflictDoUpdate({
          target: announcedPosts.postId,
          set: { at: neverMailed },
          setWhere: eq(announcedPosts.at, toAnnounceWithoutMails),
        });
      return (await announced.returning({ id: announcedPosts.postId })).length > 0;
    },
    /** Lets the announcement of a post, which is to follow, be without mails. */
    async announceWithoutMails(postId: number) {
      const noted = statements.insert(announcedPosts).values({ postId, at: toAnnounceWithoutMails });
      await noted.onConflictDoNothing();
    },
    /** When the latest announcement until a moment was; undefined when there is none. */
    async newestAnnouncement(until: number) {
      const [row] = await statements
        .select({ at: max(announcedPosts.at) })
        .from(announcedPosts)
        .where(lte(announcedPosts.at, until));
      return row?.at ?? undefined;
    },
    /** Listed posts announced after a moment and until another, the newest first. */
    announced: ({ after, until, limit }: { after: number; until: number; limit: number }) =>
      statements
        .select({ slug: posts.slug, title: posts.title, author: users.username, at: announcedPosts.at })
        .from(announcedPosts)
        .innerJoin(posts, eq(posts.id, announcedPosts.postId))
        .innerJoin(users, eq(users.id, posts.authorId))
        .where(and(gt(announcedPosts.at, after), lte(announcedPosts.at, until), isPostListed(dialect)))
        .orderBy(desc(announcedPosts.at), desc(posts.publishedAt), desc(posts.id))
        .limit(limit),
  };
}
