/** Which of the interface's languages a request gets. */
import { LRUCache } from "lru-cache";
import Negotiator from "negotiator";
import { sentCookie } from "../request/sent-cookie.ts";
import { type Locale, localeCookie } from "./locale.ts";

/** A longer header is not kept. */
const keptHeaderMaximum = 200;
/** The languages for the latest Accept-Language headers, of which there are few. */
const known = new LRUCache<string, Locale>({ max: 500 });

/**
 * The language for a request.
 * It is the reader's choice, else the best of Accept-Language, else the site's.
 *
 * @param headers The request's `cookie` and `accept-language`, as received.
 * @param available The site's languages; the first is for readers who accept none of them.
 */
export function negotiateLocale(
  headers: { cookie?: string | undefined; "accept-language"?: string | undefined },
  available: readonly [Locale, ...Locale[]],
): Locale {
  const among = (name: string | undefined) => available.find((locale) => locale === name);
  const chosen = among(sentCookie(headers.cookie, localeCookie));
  if (chosen) return chosen;
  // A missing header accepts any language.
  const accepted = headers["accept-language"] ?? "*";
  const key = `${available} ${accepted}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  // The first of languages that are accepted alike.
  const best = new Negotiator({ headers: { "accept-language": accepted } }).language([...available]);
  const locale = among(best) ?? available[0];
  if (accepted.length <= keptHeaderMaximum) known.set(key, locale);
  return locale;
}
