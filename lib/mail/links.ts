/** The addresses and links of mails, looked up when they are sent. */
import type { Database, MailRow } from "../../db/index.ts";
import { tokenHash } from "../auth/token.ts";
import { isDecider } from "../ratings/decisions/deciders.ts";
import type { MailLink } from "./compose.ts";
import { linkToken } from "./link-token.ts";
import { resetLink } from "./reset-link.ts";
import type { MailSettings } from "./settings.ts";
import { subscriptionToken } from "./subscriptions.ts";
import { subscriptionsTo, unsubscribePaths } from "./unsubscribe.ts";

interface MailDestination {
  address: string;
  link?: MailLink | undefined;
  /** Set when the recipient can turn such mails off. */
  unsubscribe?: { pageUrl: string; oneClickUrl: string } | undefined;
}

/** The list that a kind of mail belongs to. */
const listOfKind = { flood: "floods", decisions: "decisions", "undecided-floods": "undecided" } as const;

/** Undefined when the account is gone, or no mail is to be sent to it. */
export async function destinationOf(
  database: Database,
  settings: MailSettings,
  mail: MailRow,
  now: number,
): Promise<MailDestination | undefined> {
  const { siteUrl } = settings;
  const { address } = mail;
  const token = linkToken(settings, mail.messageId);
  const ownLink = (path: string): MailLink => ({ url: `${siteUrl}${path}?token=${token}` });
  switch (mail.kind) {
    case "password-reset": {
      const link = await resetLink(database, settings, mail, now);
      return link && { address: link.email, link: { owner: link.username, url: link.url } };
    }
    case "password-changed":
    case "email-change":
    case "test":
      return (await isThere(database, mail)) ? { address } : undefined;
    case "email-changed": {
      if (!(await isThere(database, mail))) return undefined;
      const isRestorable = await database.mailLinks.isOpen(tokenHash(token), "restore-email", now);
      return { address, ...(isRestorable && siteUrl && { link: ownLink("/account/restore-email") }) };
    }
  }
  // The others have links to the site.
  if (siteUrl === undefined) return undefined;
  switch (mail.kind) {
    case "confirm-email": {
      const user = await database.mailLinks.userOf(tokenHash(token), mail.kind, now);
      return user && { address, link: ownLink("/confirm-email") };
    }
    case "confirm-registration": {
      const registration = await database.pendingRegistrations.open(tokenHash(token), now);
      if (!registration) return undefined;
      const owner = await ownerOf(database, mail);
      return owner ? existingAccount(owner, siteUrl) : { address, link: ownLink("/register/confirm") };
    }
    case "confirm-new-email": {
      const change = await database.emailChanges.open(tokenHash(token), now);
      if (!change) return undefined;
      const owner = await ownerOf(database, mail);
      return owner ? existingAccount(owner, siteUrl) : { address, link: ownLink("/account/new-email") };
    }
    case "confirm-subscription": {
      if (await database.subscribers.byEmailKey(mail.addressKey)) return undefined;
      const claims = { email: address, locale: mail.locale, expiresAt: mail.expiresAt };
      const subscription = subscriptionToken(settings, claims);
      return { address, link: { url: `${siteUrl}/subscribe/confirm?token=${subscription}` } };
    }
    case "flood":
    case "decisions":
    case "undecided-floods": {
      const user = mail.userId === null ? undefined : await database.users.byId(mail.userId);
      if (user?.emailKey !== mail.addressKey || user.disabledAt !== null) return undefined;
      const list = listOfKind[mail.kind];
      if (list === "undecided" && !isDecider(user)) return undefined;
      if (!(await subscriptionsTo(database, list).of(user.id))) return undefined;
      const paths = unsubscribePaths(settings, { list, id: user.id, addressKey: mail.addressKey });
      return { address, unsubscribe: onSite(siteUrl, paths) };
    }
    case "new-posts": {
      const subscriber = await database.subscribers.byEmailKey(mail.addressKey);
      if (!subscriber) return undefined;
      const paths = unsubscribePaths(settings, { list: "posts", ...subscriber, addressKey: mail.addressKey });
      return { address, unsubscribe: onSite(siteUrl, paths) };
    }
  }
}

async function isThere({ users }: Database, { userId }: MailRow): Promise<boolean> {
  return userId !== null && (await users.byId(userId)) !== undefined;
}

/** The account with a mail's address, when it is not that of the mail. */
async function ownerOf({ users }: Database, { addressKey, userId }: MailRow) {
  const owner = await users.byEmailKey(addressKey);
  return owner?.id === userId ? undefined : owner;
}

/** The mail goes to the account's address as its owner wrote it. */
function existingAccount(owner: { username: string; email: string }, siteUrl: string): MailDestination {
  return { address: owner.email, link: { owner: owner.username, url: `${siteUrl}/login/forgot` } };
}

function onSite(siteUrl: string, { page, oneClick }: ReturnType<typeof unsubscribePaths>) {
  return { pageUrl: `${siteUrl}${page}`, oneClickUrl: `${siteUrl}${oneClick}` };
}
