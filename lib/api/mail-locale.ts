import type { Locale } from "../i18n/locale.ts";
import { negotiateLocale } from "../i18n/negotiate.ts";
import { siteLocales } from "../site/index.ts";

/**
 * The language of the mails that a call causes.
 * Answers are English; mails are in a language that the client accepts, or in the site's.
 */
export function mailLocale({ headers }: Request): Locale {
  const sent = (name: string) => headers.get(name) ?? undefined;
  return negotiateLocale(
    { cookie: sent("cookie"), "accept-language": sent("accept-language") },
    siteLocales(),
  );
}
