/** The language and the colours of the page to answer with. */
import type { IncomingHttpHeaders } from "node:http";
import type { Locale } from "../lib/i18n/locale.ts";
import { negotiateLocale } from "../lib/i18n/negotiate.ts";
import { sentCookie } from "../lib/request/sent-cookie.ts";
import { isTheme, type Theme, themeCookie } from "../lib/theme.ts";

export interface PageChoices {
  locale: Locale;
  /** Undefined to follow the device. */
  theme: Theme | undefined;
}

/** `siteLocales`: the first is for readers who accept none of them. */
export function pageChoices(
  headers: IncomingHttpHeaders,
  siteLocales: readonly [Locale, ...Locale[]],
): PageChoices {
  const theme = sentCookie(headers.cookie, themeCookie);
  return { locale: negotiateLocale(headers, siteLocales), theme: isTheme(theme) ? theme : undefined };
}
