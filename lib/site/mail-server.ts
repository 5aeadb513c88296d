/** The mail server that administrators save, encrypted: its address has a password. */
import { authSecret } from "../auth/secret.ts";
import { derivedKey } from "../auth/token.ts";
import { decrypt, encrypt } from "../second-factor/encryption.ts";
import { env } from "../settings/env.ts";
import { mailUrlMaximum, type SmtpServer, smtpServerFrom } from "../settings/mail-settings.ts";
import { mailServerName } from "./schema.ts";

/** Whether a text is the address of a mail server, short enough to be saved. */
export function isMailUrl(text: string): boolean {
  return text.length <= mailUrlMaximum && smtpServerFrom(text) !== undefined;
}

/** The address of a mail server as the database keeps it. */
export function encryptedMailUrl(url: string): string {
  return encrypt(url, key());
}

/**
 * The environment's mail server, or else the one of the site's saved settings.
 * Unreadable when AUTH_SECRET has changed since it was saved.
 */
export function mailServerFrom(saved: ReadonlyMap<string, string>): SmtpServer | "unreadable" | undefined {
  if (env.MAIL_URL !== undefined) return smtpServerFrom(env.MAIL_URL);
  const encrypted = saved.get(mailServerName);
  if (encrypted === undefined) return undefined;
  return smtpServerFrom(decrypt(encrypted, key()) ?? "") ?? "unreadable";
}

function key(): Buffer {
  return derivedKey(authSecret(), "mail server");
}
