/**
 * The transactional outbox: mails as rows that a background task sends.
 * A mail is queued in the transaction that causes it, so neither is saved without the other, and no request waits for
 * a mail server.
 */
import { randomBytes } from "node:crypto";
import type { Database, MailKind, NewMail } from "../../db/index.ts";
import type { Locale } from "../i18n/locale.ts";
import { log } from "../logging/log.ts";
import { dayMs } from "../time/units.ts";
import { type DataOf, mailLimits } from "./kinds.ts";

/** The maximum number of waiting mails; further ones are not queued. */
export const waitingMaximum = 10_000;
/**
 * The maximum of waiting mails for one more request of a stranger, or one of many.
 * The rest is for other mails.
 */
const waitingMaximumForRequests = waitingMaximum / 2;
/**
 * How long mails stay in the outbox after they were sent or given up.
 * A day at least, for `mailLimits`.
 */
export const mailsKeptMs = 7 * dayMs;
/** The longest data of an email, in characters. */
const dataMaximum = 16_000;

interface Recipient {
  /** Null for an address without an account. */
  id: number | null;
  email: string;
  emailKey: string;
}

/**
 * Whether an email was queued, or which limit was full.
 * That is the recipient's day, or the whole outbox.
 */
export type QueueResult = "queued" | "day-full" | "outbox-full";

interface MailRequest<Kind extends MailKind> {
  kind: Kind;
  to: Recipient;
  data: DataOf<Kind>;
  locale: Locale;
  now: number;
  messageId?: string;
}

/**
 * Queues an email; call it in the transaction that causes the mail.
 * One that a stranger can cause leaves half of the outbox to others.
 */
export async function queueMail<Kind extends MailKind>(
  { mails }: Pick<Database, "mails">,
  { isByStranger = false, ...request }: MailRequest<Kind> & { isByStranger?: boolean },
): Promise<QueueResult> {
  const { kind, to, now } = request;
  const { perDay } = mailLimits[kind];
  const mail = newMail(request);
  if ((await mails.queuedSince(to.emailKey, kind, now - dayMs)) >= perDay) return "day-full";
  if (await isOutboxFull({ mails }, isByStranger ? waitingMaximumForRequests : waitingMaximum))
    return "outbox-full";
  await mails.insert(mail);
  return "queued";
}

/** A row of the outbox. */
export function newMail<Kind extends MailKind>({
  kind,
  to,
  data,
  locale,
  now,
  messageId = newMessageId(),
}: MailRequest<Kind>): NewMail {
  const written = JSON.stringify(data);
  if (written.length > dataMaximum) throw new Error(`The data of an email (${kind}) is too long`);
  return {
    messageId,
    kind,
    userId: to.id,
    address: to.email,
    addressKey: to.emailKey,
    locale,
    data: written,
    createdAt: now,
    expiresAt: now + mailLimits[kind].validMs,
    dueAt: now,
  };
}

/**
 * How many mails to many people can be queued now, at most `wanted`.
 * They leave half of the outbox to others.
 */
export async function roomForBulk({ mails }: Pick<Database, "mails">, wanted: number): Promise<number> {
  const waiting = await mails.waiting(waitingMaximumForRequests);
  return Math.max(0, Math.min(wanted, waitingMaximumForRequests - waiting));
}

/**
 * Queues the request of a link to reset a password.
 * The address may belong to no account. Call it in a transaction. Its work does not depend on the account, which only
 * the sender looks up.
 */
export async function queueResetRequest(
  { mails }: Pick<Database, "mails">,
  { emailKey, locale, now }: { emailKey: string; locale: Locale; now: number },
): Promise<void> {
  if (await isOutboxFull({ mails }, waitingMaximumForRequests)) return;
  // The account's own address takes the empty one's place: one that only looks the same could be an attacker's.
  const to = { id: null, email: "", emailKey };
  await mails.insert(newMail({ kind: "password-reset", to, data: {}, locale, now }));
}

/** Whether no more mails can wait; logs it. */
async function isOutboxFull({ mails }: Pick<Database, "mails">, maximum: number): Promise<boolean> {
  const isFull = (await mails.waiting(maximum)) >= maximum;
  if (isFull) log.error({ waiting: maximum }, "the outbox is full, so an email was not queued");
  return isFull;
}

/** 128 random bits. */
export function newMessageId(): string {
  return randomBytes(16).toString("base64url");
}
