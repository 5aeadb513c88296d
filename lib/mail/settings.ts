/** The settings of mail, as the app uses them. */
import { derivedKey } from "../auth/token.ts";
import type { Locale } from "../i18n/locale.ts";
import type { Settings } from "../settings/env.ts";
import { type Sender, senderFrom } from "../settings/mail-settings.ts";
import type { SiteSettings } from "../site/schema.ts";

export interface MailSettings {
  from: Sender;
  readonly siteName: string;
  /**
   * The site's address, for links.
   * Undefined when it is not set: then no mail with a link is sent, since a request can claim any host.
   */
  siteUrl: string | undefined;
  /** The language of mails that no request causes. */
  readonly siteLocale: Locale;
  /** The key that the tokens of links are derived with. */
  linkKey: () => Buffer;
}

/** As `canSendLinks`, by the settings: the build has no database. */
export function mailsLinks({ MAIL_FROM, SITE_URL }: Pick<Settings, "MAIL_FROM" | "SITE_URL">): boolean {
  return MAIL_FROM !== undefined && SITE_URL !== undefined;
}

/** Whether the site can mail links: mail is set up, and it knows its own address. */
export function canSendLinks({ mail }: { mail?: MailSettings | null | undefined }): boolean {
  return mail?.siteUrl !== undefined;
}

/**
 * Null when mail is not set up.
 * `site` gives the site's settings, which may change.
 */
export function mailSettingsFrom(
  settings: Settings,
  authSecret: () => string,
  site: () => SiteSettings,
): MailSettings | null {
  const from = settings.MAIL_FROM === undefined ? undefined : senderFrom(settings.MAIL_FROM);
  if (!from) return null;
  return {
    from,
    get siteName() {
      return site().SITE_NAME;
    },
    siteUrl: settings.SITE_URL,
    get siteLocale() {
      return site().SITE_LANGUAGE;
    },
    linkKey: () => derivedKey(authSecret(), "links in mails"),
  };
}
