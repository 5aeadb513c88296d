/** Which of the interface's languages a request gets. */
import { LRUCache } from "lru-cache";
import Negotiator from "negotiator";
import { sentCookie } from "../request/sent-cookie.ts";
import { isLocale, type Locale, localeCookie, locales } from "./locale.ts";

/** A longer header is not kept. */
const keptHeaderMaximum = 200;
/** The languages for the latest Accept-Language headers, of which there are few. */
const known = new LRUCache<string, Locale>({ max: 500 });

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
  const chosen = sentCookie(headers.cookie, localeCookie);
  if (isLocale(chosen)) return chosen;
  // A missing header accepts any language.
  const accepted = headers["accept-language"] ?? "*";
  const key = `${siteLocale} ${accepted}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  // The site's comes first among languages that are accepted alike.
  const available = [siteLocale, ...locales.filter((locale) => locale !== siteLocale)];
  const best = new Negotiator({ headers: { "accept-language": accepted } }).language(available);
  const locale = isLocale(best) ? best : siteLocale;
  if (accepted.length <= keptHeaderMaximum) known.set(key, locale);
  return locale;
}
