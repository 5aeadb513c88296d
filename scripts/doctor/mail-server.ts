/**
 * The mail server that the app uses.
 * Throws when it is imported while a setting is bad.
 */
import { existsSync } from "node:fs";
import { secretFile } from "../../lib/auth/secret.ts";
import type { Settings } from "../../lib/settings/env.ts";
import type { SmtpServer } from "../../lib/settings/mail-settings.ts";
import { mailServerFrom } from "../../lib/site/mail-server.ts";
import { mailServerName } from "../../lib/site/schema.ts";

/**
 * The mail server of the environment, or else the saved one.
 * None without a sender.
 * Unreadable when it was saved with another AUTH_SECRET.
 */
export function mailServerOf(
  { MAIL_URL, MAIL_FROM, AUTH_SECRET, DATABASE_URL }: Settings,
  saved: ReadonlyMap<string, string>,
): SmtpServer | "unreadable" | undefined {
  // The doctor changes nothing, and the missing file of a secret would be made.
  const isWithoutSecret = AUTH_SECRET === undefined && !existsSync(secretFile({ DATABASE_URL }));
  if (MAIL_URL === undefined && saved.has(mailServerName) && isWithoutSecret) return "unreadable";
  const server = mailServerFrom(saved);
  return server === "unreadable" || (MAIL_FROM ?? saved.get("MAIL_FROM")) !== undefined ? server : undefined;
}
