/** Mails that wait or were sent recently, their links, and subscriptions. */
import { sql } from "drizzle-orm";
import type { postgresColumns } from "../dialects/postgres/columns.ts";
import { mailKinds, mailLinkKinds } from "../types.ts";
import { postReference, type Referenced, userReference } from "./columns.ts";

export function mailTables(
  dialect: typeof postgresColumns,
  { users, posts }: Record<"users" | "posts", Referenced>,
) {
  const { table, id, integer, bigint, boolean, text, key, index, primaryKey } = dialect;

  /**
   * The outbox: an email is queued in the transaction that causes it.
   * A background task sends it (lib/mail/sender.ts). Its text is written only then, from `data`.
   */
  const mails = table(
    "mails",
    {
      id: id(),
      /** The local part of the Message-ID, the same in every attempt; 128 random bits. */
      messageId: key("message_id").notNull().unique(),
      kind: text({ enum: mailKinds }).notNull(),
      /** The recipient's account; null until its lookup. */
      userId: bigint("user_id").references(() => users.id, { onDelete: "cascade" }),
      address: text().notNull(),
      /** The address as compared. */
      addressKey: key("address_key").notNull(),
      /** The language of the mail. */
      locale: text().notNull(),
      /** The values of the text, as JSON; emptied when the mail is finished. */
      data: text().notNull(),
      createdAt: bigint("created_at").notNull(),
      /** After this time it is not sent any more. */
      expiresAt: bigint("expires_at").notNull(),
      /** When the next attempt is due; null when the mail is finished. */
      dueAt: bigint("due_at"),
      /**
       * The column keeps its old name.
       * During an upgrade, nodes of two versions run on it.
       */
      attempts: integer("tries").notNull().default(0),
      /** When it was sent or given up. */
      finishedAt: bigint("finished_at"),
      /** Why the last attempt failed; null when none did, or when the mail was sent. */
      fault: text(),
      /** Whether it is one of many, which are sent after all others. */
      isBulk: boolean("is_bulk").notNull().default(false),
    },
    (mail) => [
      index("mails_before_bulk").on(mail.dueAt).where(sql`due_at is not null and not is_bulk`),
      index("mails_by_due_time").on(mail.dueAt).where(sql`due_at is not null`),
      index("mails_by_address").on(mail.addressKey, mail.kind, mail.createdAt),
      index("mails_by_user").on(mail.userId),
      index("mails_by_finish").on(mail.finishedAt).where(sql`finished_at is not null`),
    ],
  );

  /** Links in mails, each for one use; a row is removed with it. */
  const mailLinks = table(
    "mail_links",
    {
      /** SHA-256 of the link's token, in hexadecimal: the token itself is kept nowhere. */
      tokenHash: key("token_hash").primaryKey(),
      kind: text({ enum: mailLinkKinds }).notNull(),
      userId: userReference(dialect, users)(),
      /** The address that it was sent to, as compared. */
      addressKey: key("address_key").notNull(),
      /** That address as written, for a link that restores it; null for others. */
      address: text(),
      createdAt: bigint("created_at").notNull(),
      expiresAt: bigint("expires_at").notNull(),
    },
    (link) => [
      index("mail_links_by_user").on(link.userId),
      index("mail_links_by_expiry").on(link.expiresAt),
      index("mail_links_by_address").on(link.addressKey).where(sql`address is not null`),
    ],
  );

  /** Authors who get mails about floods on their posts. */
  const floodSubscriptions = table("flood_subscriptions", {
    userId: bigint("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** As `confirmedAt`: unused, the address as compared. */
    addressKey: key("address_key").notNull(),
    /** The language of the mails. */
    locale: text().notNull(),
    /** Unused; servers of earlier versions read it during an upgrade. */
    confirmedAt: bigint("confirmed_at"),
  });

  /** The flood windows about which an email was queued, or would have been. */
  const mailedFloods = table(
    "mailed_floods",
    {
      postId: postReference(dialect, posts)(),
      /** The number of the window. */
      number: integer().notNull(),
    },
    (flood) => [primaryKey({ columns: [flood.postId, flood.number] })],
  );

  /** Users who get mails about decisions on their held ratings. */
  const decisionSubscriptions = table(
    "decision_subscriptions",
    {
      userId: bigint("user_id")
        .primaryKey()
        .references(() => users.id, { onDelete: "cascade" }),
      /** The language of the mails. */
      locale: text().notNull(),
      /** The number of the last processed decision (`window_decisions`). */
      afterDecision: bigint("after_decision").notNull(),
      /** The earliest time of the next mail. */
      dueAt: bigint("due_at").notNull(),
    },
    (subscription) => [
      index("decision_subscriptions_by_decision").on(subscription.afterDecision, subscription.dueAt),
    ],
  );

  /** Administrators and moderators who get mails about floods that need a decision. */
  const deciderSubscriptions = table("decider_subscriptions", {
    userId: bigint("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The language of the mails. */
    locale: text().notNull(),
    /** The floods of the last mail: on each line a window's number and its post's slug. */
    seen: text().notNull(),
    /** The earliest time of the next mail. */
    dueAt: bigint("due_at").notNull(),
  });

  /** Addresses that get mails about new posts; each was confirmed by a link. */
  const subscribers = table(
    "subscribers",
    {
      id: id(),
      email: text().notNull(),
      emailKey: key("email_key").notNull().unique(),
      /** The language of the mails. */
      locale: text().notNull(),
      createdAt: bigint("created_at").notNull(),
      /** Posts announced up to this time were mailed, or came before the subscription. */
      mailedUntil: bigint("mailed_until").notNull(),
      /** The earliest time of the next mail. */
      dueAt: bigint("due_at").notNull(),
    },
    (subscriber) => [index("subscribers_by_mailed_time").on(subscriber.mailedUntil, subscriber.dueAt)],
  );

  /**
   * Posts that were announced: each once, when lists have it for the first time.
   * At 0: no mail is about it, as it was imported or had an old date. At -1: the same for one that is not listed yet.
   */
  const announcedPosts = table(
    "announced_posts",
    {
      postId: bigint("post_id")
        .primaryKey()
        .references(() => posts.id, { onDelete: "cascade" }),
      at: bigint().notNull(),
    },
    (post) => [index("announced_posts_by_time").on(post.at)],
  );

  return {
    mails,
    mailLinks,
    floodSubscriptions,
    mailedFloods,
    decisionSubscriptions,
    deciderSubscriptions,
    subscribers,
    announcedPosts,
  };
}
