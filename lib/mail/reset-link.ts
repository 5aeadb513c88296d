/** The links of password resets, made when their mails are sent. */
import type { Database, MailRow } from "../../db/index.ts";
import { tokenHash } from "../auth/token.ts";
import { dayMs } from "../time/units.ts";
import { mailLimits } from "./kinds.ts";
import { linkToken } from "./link-token.ts";
import type { MailSettings } from "./settings.ts";

/** A password reset that is ready to be sent. */
interface ResetLink {
  username: string;
  /** The account's address, as its owner wrote it. */
  email: string;
  url: string;
}

/**
 * The link of a reset, to the account with the requested address.
 * Undefined when no mail is to be sent: there is no such account, its day is full, or the request was
 * withdrawn or is no longer valid.
 *
 * The first try saves the link. A later one sends the same link and saves none, so a link that was used in between
 * stays used.
 */
export async function resetLink(
  database: Database,
  { siteUrl, linkKey }: MailSettings,
  mail: MailRow,
  now: number,
): Promise<ResetLink | undefined> {
  if (siteUrl === undefined) return undefined;
  const token = linkToken({ linkKey }, mail.messageId);
  const hash = tokenHash(token);
  const url = `${siteUrl}/login/reset?token=${token}`;
  return database.transaction(async () => {
    const { mailLinks, mails, users } = database;
    if (mail.userId !== null) {
      const user = await mailLinks.userOf(hash, "password-reset", now);
      return user && { username: user.username, email: user.email, url };
    }
    const found = await users.byEmailKey(mail.addressKey);
    const user = found && (await users.lock(found.id));
    if (user?.disabledAt !== null || user.emailKey !== mail.addressKey) return undefined;
    const { perDay } = mailLimits["password-reset"];
    // This mail is one of them.
    if ((await mails.queuedSince(mail.addressKey, mail.kind, now - dayMs)) > perDay) return undefined;
    // With the user locked: a change of the password has removed the mail, or will remove the link.
    if (!(await mails.setRecipient(mail.id, { userId: user.id, address: user.email }))) return undefined;
    await mailLinks.insert({
      tokenHash: hash,
      kind: "password-reset",
      userId: user.id,
      addressKey: mail.addressKey,
      createdAt: now,
      expiresAt: mail.expiresAt,
    });
    return { username: user.username, email: user.email, url };
  });
}
