/**
 * The transactional outbox: mails as rows that a background task sends.
 * A mail is queued in the transaction that causes it, so neither is saved without the other, and no request waits for
 * a mail server.
 */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Database, MailKind } from "../../db/index.ts";
import type { Locale } from "../i18n/locale.ts";
import { log } from "../logging/log.ts";

export const dayMs = 86_400_000;

/** The maximum number of waiting mails; further ones are not queued. */
export const waitingMaximum = 10_000;
/**
 * The maximum of waiting mails for one more request of a stranger.
 * The rest is for other mails.
 */
const waitingMaximumForRequests = waitingMaximum / 2;
/**
 * How long mails stay in the outbox after they were sent or given up.
 * A day at least, for `mailLimits`.
 */
export const mailsKeptMs = 7 * dayMs;
/** The longest data of an email, in characters. */
const dataMaximum = 4_000;

/**
 * The values in each kind's text.
 * Checked again when the mail is written, because another version of the app may have queued it.
 */
export const mailData = {
  /** The account, and with it the rest of the text, is looked up when it is sent. */
  "password-reset": z.object({}),
  "confirm-floods": z.object({ username: z.string() }),
  flood: z.object({
    username: z.string(),
    title: z.string(),
    ratings: z.number(),
    /** When they count unless a person decides, in milliseconds. */
    until: z.number(),
    url: z.string(),
    settingsUrl: z.string(),
  }),
  "password-changed": z.object({
    username: z.string(),
    by: z.enum(["owner", "link", "operator"]),
  }),
} as const satisfies Record<MailKind, z.ZodType>;

type DataOf<Kind extends MailKind> = z.infer<(typeof mailData)[Kind]>;

/**
 * How many mails of a kind an address gets in a day, and how long one may wait.
 * Each kind counts by itself, so that one that an attacker can cause does not use up another.
 */
export const mailLimits: Record<MailKind, { perDay: number; validMs: number }> = {
  "password-reset": { perDay: 15, validMs: 3_600_000 },
  "confirm-floods": { perDay: 3, validMs: dayMs },
  flood: { perDay: 5, validMs: dayMs },
  "password-changed": { perDay: 10, validMs: 3 * dayMs },
};

interface Recipient {
  id: number;
  email: string;
  emailKey: string;
}

/**
 * Whether an email was queued, or what was full.
 * That is the recipient's day, or the whole outbox.
 */
export type QueueResult = "queued" | "day-full" | "outbox-full";

/** Queues an email for a user; call it in the transaction that causes the mail. */
export async function queueMail<Kind extends Exclude<MailKind, "password-reset">>(
  { mails }: Pick<Database, "mails">,
  {
    kind,
    to,
    data,
    locale,
    now,
    messageId = newMessageId(),
  }: { kind: Kind; to: Recipient; data: DataOf<Kind>; locale: Locale; now: number; messageId?: string },
): Promise<QueueResult> {
  const { perDay, validMs } = mailLimits[kind];
  const written = JSON.stringify(data);
  if (written.length > dataMaximum) throw new Error(`The data of an email (${kind}) is too long`);
  if ((await mails.queuedSince(to.emailKey, kind, now - dayMs)) >= perDay) return "day-full";
  if (await isOutboxFull({ mails })) return "outbox-full";
  await mails.insert({
    messageId,
    kind,
    userId: to.id,
    address: to.email,
    addressKey: to.emailKey,
    locale,
    data: written,
    createdAt: now,
    expiresAt: now + validMs,
    dueAt: now,
  });
  return "queued";
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
  await mails.insert({
    messageId: newMessageId(),
    kind: "password-reset",
    userId: null,
    // The account's own address takes its place: one that only looks the same could be an attacker's.
    address: "",
    addressKey: emailKey,
    locale,
    data: "{}",
    createdAt: now,
    expiresAt: now + mailLimits["password-reset"].validMs,
    dueAt: now,
  });
}

/** Whether no more mails can wait; logs it. */
async function isOutboxFull(
  { mails }: Pick<Database, "mails">,
  maximum: number = waitingMaximum,
): Promise<boolean> {
  const isFull = (await mails.waiting(maximum)) >= maximum;
  if (isFull) log.error({ waiting: maximum }, "the outbox is full, so an email was not queued");
  return isFull;
}

/** 128 random bits. */
export function newMessageId(): string {
  return randomBytes(16).toString("base64url");
}
