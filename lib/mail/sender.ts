/**
 * Sends the mails of the outbox, in the background of each node.
 *
 * A mail is claimed in a transaction, sent, and finished in another. A process that dies in between loses nothing: when
 * its claim expires, a node sends it again. So delivery is at least once: an email can arrive twice, with the same
 * Message-ID, by which mailboxes recognise the copy.
 */
import type { Database, MailRow } from "../../db/index.ts";
import { startPeriodicTask } from "../../db/periodic-task.ts";
import { tokenHash } from "../auth/token.ts";
import { isLocale } from "../i18n/locale.ts";
import { errorMessage } from "../logging/error-message.ts";
import { log } from "../logging/log.ts";
import { composeMail, type MailContent, type MailText } from "./compose.ts";
import { linkToken } from "./link-token.ts";
import { resetLink } from "./reset-link.ts";
import type { MailSettings } from "./settings.ts";
import { type MailServer, sendTimeoutMs } from "./smtp.ts";

export interface SenderContext {
  database: Database;
  mail: MailSettings;
  server: MailServer;
  /** The time that all nodes share, in milliseconds. */
  clock: () => number;
  /** Is called with the result of each attempt. */
  onAttempt?: (result: SendResult) => void;
}

export type SendResult = "sent" | "failed" | "given-up";

/** How long an email stays claimed: longer than sending it can take. */
export const claimMs = 2 * sendTimeoutMs;
const roundsEveryMs = 1_000;
const minuteMs = 60_000;
/** The backoff between attempts; after the last one an email is given up. */
export const pausesMs = [1, 5, 15, 60, 180, 360, 720, 1_440].map((minutes) => minutes * minuteMs);
/** The maximum length of a mail's texts together, in characters. */
const sizeMaximum = 100_000;

/**
 * Sends the mails that are due, one after the other.
 * It stops when `isStopping` returns true, and when the mail server cannot be used: the others wait for the next round.
 */
export async function sendDueMails(
  context: SenderContext,
  isStopping: () => boolean = () => false,
): Promise<void> {
  const { database, clock } = context;
  while (!isStopping() && (await database.mails.isDue(clock()))) {
    const mail = await database.transaction(() => {
      const now = clock();
      return database.mails.claim(now, now + claimMs);
    });
    if (!mail || !(await sendClaimed(context, mail))) return;
  }
}

/**
 * Sends in the background from now on.
 * Returns a function that ends it after the current mail.
 */
export function startSending(
  context: SenderContext,
  report: (error: unknown) => void,
  { everyMs = roundsEveryMs } = {},
): () => Promise<void> {
  let isStopping = false;
  const stop = startPeriodicTask(() => sendDueMails(context, () => isStopping), report, { everyMs });
  return () => {
    isStopping = true;
    return stop();
  };
}

/** Resolves to false when the mail server cannot be used. */
async function sendClaimed(context: SenderContext, mail: MailRow): Promise<boolean> {
  const { database, server, mail: settings, clock, onAttempt = () => {} } = context;
  const giveUp = async (fault: string) => {
    await database.mails.finish(mail.id, { now: clock(), fault });
    log.error({ mail: mail.id, kind: mail.kind, attempts: mail.attempts, fault }, "an email was given up");
    onAttempt("given-up");
    return true;
  };
  if (mail.expiresAt <= clock()) return giveUp(mail.fault ?? "expired: it was not sent in time");
  const recipient = await recipientOf(database, settings, mail, clock());
  if (!recipient) {
    await database.mails.remove(mail.id);
    return true;
  }
  let text: MailText;
  try {
    text = textOf(settings, mail, recipient.link);
  } catch (error) {
    return giveUp(`unreadable: ${errorMessage(error)}`.slice(0, 300));
  }
  const delivery = await server.send({
    ...text,
    from: settings.from,
    to: recipient.address,
    messageId: `${mail.messageId}@${settings.from.address.replace(/^.*@/, "")}`,
    date: new Date(mail.createdAt),
  });
  if (delivery.kind === "sent") {
    await database.mails.finish(mail.id, { now: clock(), fault: null });
    onAttempt("sent");
    return true;
  }
  const { fault, isPermanent, isOutage } = delivery;
  const pauseMs = pausesMs[mail.attempts - 1];
  if (isPermanent || pauseMs === undefined) return giveUp(fault);
  await database.mails.retry(mail.id, { dueAt: clock() + pauseMs, fault });
  log.warn(
    { mail: mail.id, kind: mail.kind, attempts: mail.attempts, fault },
    "an email could not be sent yet",
  );
  onAttempt("failed");
  return !isOutage;
}

/** Undefined when the account is gone, or no mail is to be sent to it. */
async function recipientOf(
  database: Database,
  settings: MailSettings,
  mail: MailRow,
  now: number,
): Promise<{ address: string; link?: MailContent["link"] } | undefined> {
  if (mail.kind === "confirm-floods") {
    const token = linkToken(settings, mail.messageId);
    const user = await database.mailLinks.userOf(tokenHash(token), mail.kind, now);
    const url = `${settings.siteUrl}/account/flood-mails?token=${token}`;
    return user && settings.siteUrl !== undefined ? { address: mail.address, link: { url } } : undefined;
  }
  if (mail.kind === "password-reset") {
    const link = await resetLink(database, settings, mail, now);
    return link && { address: link.email, link };
  }
  const isThere = mail.userId !== null && (await database.users.byId(mail.userId)) !== undefined;
  return isThere ? { address: mail.address } : undefined;
}

/** Throws when the mail was written by a version whose data this one cannot read. */
function textOf(
  { siteName, siteLocale }: MailSettings,
  { kind, data, locale }: MailRow,
  link?: MailContent["link"],
): MailText {
  const text = composeMail({ kind, data, locale: isLocale(locale) ? locale : siteLocale, siteName, link });
  if (text.text.length + text.html.length > sizeMaximum) throw new Error("it is too large");
  return text;
}
