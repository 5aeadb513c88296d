/**
 * Sends the mails of the outbox (`outbox/dispatch.ts`).
 * An email can arrive twice, with the same Message-ID, by which mailboxes recognise the copy.
 */
import type { Database, MailRow } from "../../db/index.ts";
import { isLocale } from "../i18n/locale.ts";
import { errorMessage } from "../logging/error-message.ts";
import { log } from "../logging/log.ts";
import { dispatchDue, type Outbox, startDispatching } from "../outbox/dispatch.ts";
import { minuteMs } from "../time/units.ts";
import { composeMail, type MailText } from "./compose.ts";
import { destinationOf } from "./links.ts";
import type { MailSettings } from "./settings.ts";
import { type MailServer, sendTimeoutMs } from "./smtp.ts";

interface SenderContext {
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
/** The backoff between attempts; after the last one an email is given up. */
export const pausesMs = [1, 5, 15, 60, 180, 360, 720, 1_440].map((minutes) => minutes * minuteMs);
/** The maximum length of a mail's texts together, in characters. */
const sizeMaximum = 100_000;

/**
 * Sends the mails that are due, one after the other.
 * It stops when `isStopping` returns true, and when the mail server cannot be used: the others wait for the next round.
 */
export function sendDueMails(context: SenderContext, isStopping?: () => boolean): Promise<void> {
  return dispatchDue(() => outboxOf(context), isStopping);
}

/**
 * Sends in the background from now on, while `current` is not null.
 * Returns a function that ends it after the current mail.
 */
export function startSending(
  current: () => SenderContext | null,
  report: (error: unknown) => void,
  options: { everyMs?: number } = {},
): () => Promise<void> {
  const outbox = () => {
    const context = current();
    return context && outboxOf(context);
  };
  return startDispatching(outbox, report, options);
}

function outboxOf(context: SenderContext): Outbox<MailRow> {
  const { database, clock } = context;
  const { mails, transaction } = database;
  const send = (mail: MailRow) => sendClaimed(context, mail);
  return { isDue: mails.isDue, claim: mails.claim, send, transaction, clock, claimMs };
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
  const destination = await destinationOf(database, settings, mail, clock());
  if (!destination) {
    await database.mails.remove(mail.id);
    return true;
  }
  let text: MailText;
  try {
    text = textOf(settings, mail, destination);
  } catch (error) {
    return giveUp(`unreadable: ${errorMessage(error)}`.slice(0, 300));
  }
  const delivery = await server.send({
    ...text,
    from: settings.from,
    to: destination.address,
    oneClickUrl: destination.unsubscribe?.oneClickUrl,
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

/** Throws when the mail was written by a version whose data this one cannot read. */
function textOf(
  { siteName, siteLocale, siteUrl }: MailSettings,
  { kind, data, locale }: MailRow,
  { link, unsubscribe }: Awaited<ReturnType<typeof destinationOf>> & object,
): MailText {
  const text = composeMail({
    kind,
    data,
    locale: isLocale(locale) ? locale : siteLocale,
    siteName,
    siteUrl,
    link,
    unsubscribeUrl: unsubscribe?.pageUrl,
  });
  if (text.text.length + text.html.length > sizeMaximum) throw new Error("it is too large");
  return text;
}
