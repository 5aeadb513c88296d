/** The public facts of the site in the JSON API. */
import { z } from "zod";
import { locales } from "../i18n/locale.ts";
import { siteLocales, siteSettings } from "../site/index.ts";
import { registrationModes, writerModes } from "../site/schema.ts";

export const siteAnswer = z.object({
  name: z.string(),
  tagline: z.string().nullable().describe("One line about the site; null for none of its own."),
  language: z.enum(locales).describe("The site's own."),
  languages: z.array(z.enum(locales)).describe("Those that readers can choose, the site's own first."),
  footerLinks: z
    .array(z.object({ label: z.string(), address: z.string().describe("A path of the site, or a URL.") }))
    .describe("The site's own links at the foot of each page."),
  registration: z
    .enum(registrationModes)
    .describe(
      "`open`: anyone registers. `approval`: an administrator approves each account. `invitation`: it takes an invitation. `closed`: no one can.",
    ),
  whoMayWrite: z
    .enum(writerModes)
    .describe("`anyone` with an account; those `approved` by an administrator; those `invited`."),
  subscriptions: z.boolean().describe("Whether new posts come by email, too."),
});

/** The site as it is now. */
export function shownSite(canSubscribe: boolean): z.infer<typeof siteAnswer> {
  const { SITE_NAME, SITE_TAGLINE, SITE_LANGUAGE, FOOTER_LINKS, REGISTRATION, WHO_MAY_WRITE } =
    siteSettings();
  return {
    name: SITE_NAME,
    tagline: SITE_TAGLINE ?? null,
    language: SITE_LANGUAGE,
    languages: [...siteLocales()],
    footerLinks: FOOTER_LINKS,
    registration: REGISTRATION,
    whoMayWrite: WHO_MAY_WRITE,
    subscriptions: canSubscribe,
  };
}
