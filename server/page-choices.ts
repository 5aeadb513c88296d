/**
 * The language and the colours of the page to answer with.
 *
 * A proxy that caches pages decides both and sends them in headers of its own, because the key of its cache contains
 * them. Parsers of cookies differ: a page made from this server's reading of them could be kept under the proxy's.
 */
import type { IncomingHttpHeaders } from "node:http";
import { isLocale, type Locale } from "../lib/i18n/locale.ts";
import { negotiateLocale } from "../lib/i18n/negotiate.ts";
import { sentCookie } from "../lib/request/sent-cookie.ts";
import { isTheme, type Theme, themeCookie } from "../lib/theme.ts";

export interface PageChoices {
  locale: Locale;
  /** Undefined to follow the device. */
  theme: Theme | undefined;
}

interface Site {
  /** How many proxies in front of the server are believed. */
  trustedHops: number;
  /** The language for readers who accept none of the interface's. */
  siteLocale: Locale;
}

export function pageChoices(headers: IncomingHttpHeaders, { trustedHops, siteLocale }: Site): PageChoices {
  const decided = trustedHops > 0 ? headers : {};
  const theme = decided["x-page-theme"] ?? sentCookie(headers.cookie, themeCookie);
  return {
    locale: decidedLocale(decided["x-page-language"], siteLocale) ?? negotiateLocale(headers, siteLocale),
    theme: isTheme(theme) ? theme : undefined,
  };
}

function decidedLocale(decided: unknown, siteLocale: Locale): Locale | undefined {
  if (decided === "site") return siteLocale;
  return isLocale(decided) ? decided : undefined;
}
