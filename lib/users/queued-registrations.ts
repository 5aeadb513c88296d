/**
 * Registrations that wait for the link in an email.
 * The request does the same work whether the address has an account or not; only the sender of the mail looks that up
 * (`lib/mail/links.ts`).
 */
import type { Database, NewRegistration } from "../../db/index.ts";
import { tokenHash } from "../auth/token.ts";
import type { Locale } from "../i18n/locale.ts";
import { mailLimits } from "../mail/kinds.ts";
import { linkToken } from "../mail/link-token.ts";
import { newMessageId, queueMail } from "../mail/outbox.ts";
import type { MailSettings } from "../mail/settings.ts";
import type { EmailVerification } from "../site/schema.ts";

/** How an account's address is confirmed. */
export interface Confirmation {
  needed: Exclude<EmailVerification, "off">;
  mail: MailSettings;
  /** The language of the mail. */
  locale: Locale;
}

export type RegistrationQueued =
  | { kind: "confirmation-sent" }
  /** The outbox is full. */
  | { kind: "unavailable" };

const kind = "confirm-registration";

/**
 * Saves a registration with the mail that confirms it.
 * Beyond the limit of an address's day nothing is saved, with the same answer.
 */
export async function queueRegistration(
  database: Pick<Database, "mails" | "pendingRegistrations">,
  { mail, locale }: Confirmation,
  registration: Omit<NewRegistration, "tokenHash" | "expiresAt">,
): Promise<RegistrationQueued> {
  const { email, emailKey, createdAt: now } = registration;
  const messageId = newMessageId();
  const queued = await queueMail(database, {
    kind,
    to: { id: null, email, emailKey },
    data: {},
    locale,
    now,
    messageId,
    isByStranger: true,
  });
  if (queued === "outbox-full") return { kind: "unavailable" };
  if (queued === "queued")
    await database.pendingRegistrations.insert({
      ...registration,
      tokenHash: tokenHash(linkToken(mail, messageId)),
      expiresAt: now + mailLimits[kind].validMs,
    });
  return { kind: "confirmation-sent" };
}
