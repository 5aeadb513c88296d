/** The settings of mail, as the app uses them. */
import type { Locale } from "../i18n/locale.ts";
import type { Sender } from "../settings/mail-settings.ts";

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

/** Whether the site can mail links: mail is set up, and it knows its own address. */
export function canSendLinks({ mail }: { mail?: MailSettings | null | undefined }): boolean {
  return mail?.siteUrl !== undefined;
}
