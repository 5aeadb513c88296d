/** The mail server that administrators save, encrypted: its address has a password. */
import { authSecret } from "../auth/secret.ts";
import { derivedKey } from "../auth/token.ts";
import { decrypt, encrypt } from "../second-factor/encryption.ts";
import { mailUrlMaximum, type SmtpServer, smtpServerFrom } from "../settings/mail-settings.ts";

/** Whether a text is the address of a mail server, short enough to be saved. */
export function isMailUrl(text: string): boolean {
  return text.length <= mailUrlMaximum && smtpServerFrom(text) !== undefined;
}

/** The address of a mail server as the database keeps it. */
export function encryptedMailUrl(url: string): string {
  return encrypt(url, key());
}

/**
 * The server of a saved address.
 * Unreadable when AUTH_SECRET has changed since it was saved.
 */
export function savedMailServer(encrypted: string): SmtpServer | "unreadable" {
  return smtpServerFrom(decrypt(encrypted, key()) ?? "") ?? "unreadable";
}

function key(): Buffer {
  return derivedKey(authSecret(), "mail server");
}
