/** Mail as it is set up now, in the environment or on /admin/settings. */
import { authSecret } from "../auth/secret.ts";
import { derivedKey } from "../auth/token.ts";
import { env } from "../settings/env.ts";
import { type SmtpServer, senderFrom } from "../settings/mail-settings.ts";
import { siteMailServer, siteSettings } from "../site/index.ts";
import type { MailSettings } from "./settings.ts";

/** Null while mail is not set up, or its saved server cannot be decrypted. */
export function siteMail(): (MailSettings & { smtp: SmtpServer }) | null {
  const { MAIL_FROM, SITE_NAME: siteName, SITE_LANGUAGE: siteLocale } = siteSettings();
  const smtp = siteMailServer();
  const from = MAIL_FROM === undefined ? undefined : senderFrom(MAIL_FROM);
  if (!from || smtp === undefined || smtp === "unreadable") return null;
  return { from, siteName, siteUrl: env.SITE_URL, siteLocale, linkKey: mailLinkKey, smtp };
}

/** The key of the links in mails, those sent before mail was turned off too. */
export function mailLinkKey(): Buffer {
  return derivedKey(authSecret(), "links in mails");
}
