/**
 * Mails to authors about floods of ratings on their posts.
 * An author subscribes on the account page, and confirms the address with a link: no other mailbox gets them.
 */
import type { Database } from "../../db/index.ts";
import { tokenHash } from "../auth/token.ts";
import { isLocale, type Locale } from "../i18n/locale.ts";
import { windowPath } from "../paths.ts";
import { deadlineOf } from "../ratings/floods/flood-window.ts";
import { linkToken } from "./link-token.ts";
import { mailLimits, newMessageId, queueMail } from "./outbox.ts";
import type { MailSettings } from "./settings.ts";

interface FloodMailContext {
  database: Database;
  mail?: MailSettings | null;
}

/** Whether an author gets mails about floods, or has not confirmed the address yet. */
export type FloodSubscription = "off" | "unconfirmed" | "on";

const floodsPerRound = 20;

export async function floodSubscriptionOf(
  { database }: Pick<FloodMailContext, "database">,
  userId: number,
): Promise<{ state: FloodSubscription; email: string }> {
  const [subscription, user] = [
    await database.floodSubscriptions.of(userId),
    await database.users.byId(userId),
  ];
  const email = user?.email ?? "";
  if (!subscription || subscription.addressKey !== user?.emailKey) return { state: "off", email };
  return { state: subscription.confirmedAt === null ? "unconfirmed" : "on", email };
}

/**
 * Subscribes a user, and mails a link that confirms the address.
 * Resolves to `full` when the address got as many links today as it may.
 */
export async function subscribeToFloods(
  { database, mail }: FloodMailContext,
  { userId, locale, now }: { userId: number; locale: Locale; now: number },
): Promise<{ kind: "link-sent" } | { kind: "full" } | { kind: "no-mail" }> {
  if (!mail?.siteUrl) return { kind: "no-mail" };
  return database.transaction(async () => {
    const user = await database.users.lock(userId);
    if (!user) return { kind: "no-mail" };
    const messageId = newMessageId();
    const kind = "confirm-floods";
    const data = { username: user.username };
    const queued = await queueMail(database, { kind, to: user, data, locale, now, messageId });
    if (queued !== "queued") return { kind: "full" };
    await database.floodSubscriptions.save({ userId, addressKey: user.emailKey, locale, confirmedAt: null });
    await database.mailLinks.insert({
      tokenHash: tokenHash(linkToken(mail, messageId)),
      kind,
      userId,
      addressKey: user.emailKey,
      createdAt: now,
      expiresAt: now + mailLimits[kind].validMs,
    });
    return { kind: "link-sent" };
  });
}

export function unsubscribeFromFloods({ database }: FloodMailContext, userId: number): Promise<void> {
  return database.floodSubscriptions.remove(userId);
}

/** Whether the link of a confirmation can be used. */
export async function isConfirmable(
  { database }: Pick<FloodMailContext, "database">,
  token: string,
  now: number,
): Promise<boolean> {
  return (await database.mailLinks.userOf(tokenHash(token), "confirm-floods", now)) !== undefined;
}

/** Confirms an address with the token of a link, once. */
export async function confirmFloodMails(
  { database }: Pick<FloodMailContext, "database">,
  token: string,
  now: number,
): Promise<boolean> {
  const hash = tokenHash(token);
  const found = await database.mailLinks.userOf(hash, "confirm-floods", now);
  if (!found) return false;
  return database.transaction(async () => {
    const user = await database.users.lock(found.id);
    if (!user || !(await database.mailLinks.use(hash, "confirm-floods", now))) return false;
    return database.floodSubscriptions.confirm(user.id, user.emailKey, now);
  });
}

/** Rolls a transaction back. */
class OutboxFull extends Error {}

/**
 * Queues an email for each held flood that is not mailed yet.
 * When the outbox is full, the others are left to the next call.
 */
export async function queueFloodMails(
  { database, mail, holdMs }: FloodMailContext & { holdMs: number },
  now: number,
): Promise<void> {
  if (!mail?.siteUrl) return;
  const { siteUrl, siteLocale } = mail;
  for (const { window, postId, slug, title, user, locale } of await database.floodSubscriptions.unmailed(
    floodsPerRound,
  )) {
    const data = {
      username: user.username,
      title,
      ratings: window.arrived,
      until: deadlineOf(window, holdMs),
      url: `${siteUrl}${windowPath(slug, window.number)}`,
      settingsUrl: `${siteUrl}/account#mail`,
    };
    const queueing = database.transaction(async () => {
      // Another node may have been first. Over the limit of a day, the flood counts as mailed.
      if (!(await database.floodSubscriptions.markMailed(postId, window.number))) return;
      const to = isLocale(locale) ? locale : siteLocale;
      const queued = await queueMail(database, { kind: "flood", to: user, data, locale: to, now });
      if (queued === "outbox-full") throw new OutboxFull();
    });
    try {
      await queueing;
    } catch (error) {
      if (error instanceof OutboxFull) return;
      throw error;
    }
  }
}
