import { createHmac } from "node:crypto";
import type { MailSettings } from "./settings.ts";

/**
 * The token of a mail's link.
 * Derived from the mail's random id, so that the outbox does not have to keep a secret for later attempts.
 */
export function linkToken({ linkKey }: Pick<MailSettings, "linkKey">, messageId: string): string {
  return createHmac("sha256", linkKey()).update(messageId).digest("base64url");
}
