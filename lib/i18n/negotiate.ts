/** Which of the interface's languages a request gets. */
import Negotiator from "negotiator";
import { isLocale, type Locale, localeCookie, locales } from "./locale.ts";

/**
 * The language for a request.
 * It is the reader's choice, else the best of Accept-Language, else the site's.
 *
 * @param headers The request's `cookie` and `accept-language`, as received.
 * @param siteLocale The language for readers who accept none of the interface's.
 */
export function negotiateLocale(
  headers: { cookie?: string | undefined; "accept-language"?: string | undefined },
  siteLocale: Locale,
): Locale {
  const chosen = chosenLocale(headers.cookie);
  if (chosen) return chosen;
  // A missing header accepts any language.
  const accepted = headers["accept-language"] ?? "*";
  // The site's comes first among languages that are accepted alike.
  const available = [siteLocale, ...locales.filter((locale) => locale !== siteLocale)];
  const best = new Negotiator({ headers: { "accept-language": accepted } }).language(available);
  return isLocale(best) ? best : siteLocale;
}

const choice = new RegExp(`(?:^|;\\s*)${localeCookie}=([a-z]{2})(?:;|$)`);

/** The choice in a Cookie header; undefined without a valid one. */
function chosenLocale(cookie = ""): Locale | undefined {
  const [, chosen] = choice.exec(cookie) ?? [];
  return isLocale(chosen) ? chosen : undefined;
}
