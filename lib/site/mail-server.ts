/** The mail server that administrators save, encrypted: its address has a password. */
import { authSecret } from "../auth/secret.ts";
import { derivedKey } from "../auth/token.ts";
import { hideMailPassword } from "../logging/log.ts";
import { decrypt, encrypt } from "../second-factor/encryption.ts";
import { mailUrlMaximum, type SmtpServer, smtpServerFrom } from "../settings/mail-settings.ts";

/** Whether a text is the address of a mail server, short enough to be saved. */
export function isMailUrl(text: string): boolean {
  return text.length <= mailUrlMaximum && smtpServerFrom(text) !== undefined;
}

/** The address of a mail server as the database keeps it; the log hides its password. */
export function encryptedMailUrl(url: string): string {
  hideMailPassword(url);
  return encrypt(url, key());
}

/**
 * The server of a saved address, whose password the log hides.
 * Unreadable when AUTH_SECRET has changed since it was saved.
 */
export function savedMailServer(encrypted: string): SmtpServer | "unreadable" {
  const url = decrypt(encrypted, key()) ?? "";
  hideMailPassword(url);
  return smtpServerFrom(url) ?? "unreadable";
}

function key(): Buffer {
  return derivedKey(authSecret(), "mail server");
}
