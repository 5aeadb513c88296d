import type { MailSettings } from "../lib/mail/settings.ts";

/** The mail of a site, for tests. */
export const mailSettings: MailSettings = {
  from: { name: "The Weir", address: "blog@weir.example" },
  siteName: "The Weir",
  siteUrl: "https://weir.example",
  siteLocale: "en",
  linkKey: () => Buffer.alloc(32, "a key of the tests only"),
};
