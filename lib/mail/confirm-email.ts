/** Confirmations of accounts' addresses, by a link that is mailed to them. */
import type { Database, UserRow } from "../../db/index.ts";
import { tokenHash } from "../auth/token.ts";
import type { Locale } from "../i18n/locale.ts";
import { mailLimits } from "./kinds.ts";
import { linkToken } from "./link-token.ts";
import { newMessageId, type QueueResult, queueMail } from "./outbox.ts";
import type { MailSettings } from "./settings.ts";

export interface MailContext {
  database: Database;
  /** Null or absent when mail is not set up. */
  mail?: MailSettings | null;
}

const kind = "confirm-email";

/** Mails a link that confirms the address of a user's account. */
export async function requestConfirmation(
  { database, mail }: MailContext,
  { userId, locale, now }: { userId: number; locale: Locale; now: number },
): Promise<
  | { kind: "link-sent" }
  | { kind: "confirmed-before" }
  /** The address got as many links today as it may. */
  | { kind: "full" }
  | { kind: "no-mail" }
> {
  if (!mail?.siteUrl) return { kind: "no-mail" };
  return database.transaction(async () => {
    const user = await database.users.lock(userId);
    if (!user) return { kind: "no-mail" };
    if (user.emailConfirmedAt !== null) return { kind: "confirmed-before" };
    const queued = await queueConfirmation(database, mail, { user, locale, now });
    return { kind: queued === "queued" ? "link-sent" : "full" };
  });
}

/** Queues the link; call it in the transaction that has locked or made the user. */
export async function queueConfirmation(
  database: Database,
  mail: MailSettings,
  { user, locale, now }: { user: Pick<UserRow, "id" | "email" | "emailKey">; locale: Locale; now: number },
): Promise<QueueResult> {
  const messageId = newMessageId();
  const queued = await queueMail(database, { kind, to: user, data: {}, locale, now, messageId });
  if (queued !== "queued") return queued;
  await database.mailLinks.insert({
    tokenHash: tokenHash(linkToken(mail, messageId)),
    kind,
    userId: user.id,
    addressKey: user.emailKey,
    createdAt: now,
    expiresAt: now + mailLimits[kind].validMs,
  });
  return queued;
}

/** The account whose address a link confirms; undefined when it cannot be used. */
export async function userToConfirm(
  { database }: Pick<MailContext, "database">,
  token: string,
  now: number,
): Promise<{ username: string; email: string } | undefined> {
  return database.mailLinks.userOf(tokenHash(token), kind, now);
}

/** Confirms an address with the token of a link, once. */
export async function confirmEmail(
  { database }: Pick<MailContext, "database">,
  token: string,
  now: number,
): Promise<boolean> {
  const hash = tokenHash(token);
  const found = await database.mailLinks.userOf(hash, kind, now);
  if (!found) return false;
  return database.transaction(async () => {
    const user = await database.users.lock(found.id);
    const isSame = user?.emailKey === found.emailKey;
    if (!isSame || !(await database.mailLinks.use(hash, kind, now))) return false;
    await database.users.confirmEmail(user.id, now);
    return true;
  });
}
