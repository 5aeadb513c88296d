/** The mail server that administrators save, encrypted: its address has a password. */
import { decrypt, encrypt } from "../auth/encryption.ts";
import { authSecret } from "../auth/secret.ts";
import { derivedKey } from "../auth/token.ts";
import { hideMailPassword } from "../logging/log.ts";
import { env } from "../settings/env.ts";
import { mailUrlMaximum, type SmtpServer, smtpServerFrom } from "../settings/mail-settings.ts";
import { mailServerName } from "./schema.ts";

/** Whether a text is the address of a mail server, short enough to be saved. */
export function isMailUrl(text: string): boolean {
  return text.length <= mailUrlMaximum && smtpServerFrom(text) !== undefined;
}

/**
 * The address of a mail server as the database keeps it.
 * The log hides its password.
 */
export function encryptedMailUrl(url: string): string {
  hideMailPassword(url);
  return encrypt(url, key());
}

/**
 * The environment's mail server, or else the one of the site's saved settings.
 * The log hides the password of a saved one. Unreadable when AUTH_SECRET has changed since it was saved.
 */
export function mailServerFrom(saved: ReadonlyMap<string, string>): SmtpServer | "unreadable" | undefined {
  if (env.MAIL_URL !== undefined) return smtpServerFrom(env.MAIL_URL);
  const encrypted = saved.get(mailServerName);
  if (encrypted === undefined) return undefined;
  const url = decrypt(encrypted, key()) ?? "";
  hideMailPassword(url);
  return smtpServerFrom(url) ?? "unreadable";
}

function key(): Buffer {
  return derivedKey(authSecret(), "mail server");
}
