import { durationText } from "@/app/_components/duration-text";
import {
  browserCookieName,
  choiceCookieMs,
  resetCookieMs,
  resetCookieName,
  shownCookieName,
  starsCookieMs,
  starsCookieName,
  ticketCookieName,
} from "@/lib/auth/cookie-names";
import { noticeValidMs } from "@/lib/auth/notice";
import { callbackCookieName, sessionCookieName } from "@/lib/auth/session-cookie";
import { translator } from "@/lib/i18n";
import { localeCookie } from "@/lib/i18n/locale";
import { ticketMs } from "@/lib/second-factor/ticket";
import { themeCookie } from "@/lib/theme";
import { knownBrowserLifetimeMs } from "@/lib/users/known-browsers";

/** Every cookie that the site sets, with its purpose and lifetime in words. */
export function siteCookies(
  isSecure: boolean,
  sessionDays: number,
): { name: string; purpose: string; howLong: string }[] {
  const t = translator("privacy");
  const choice = durationText(choiceCookieMs);
  return [
    {
      name: sessionCookieName(isSecure),
      purpose: t("cookies.session"),
      howLong: t("days", { days: sessionDays }),
    },
    {
      name: callbackCookieName(isSecure),
      purpose: t("cookies.signIn"),
      howLong: t("cookies.untilClosed"),
    },
    {
      name: browserCookieName,
      purpose: t("cookies.browser"),
      howLong: durationText(knownBrowserLifetimeMs),
    },
    { name: ticketCookieName, purpose: t("cookies.logIn"), howLong: durationText(ticketMs) },
    { name: resetCookieName, purpose: t("cookies.reset"), howLong: durationText(resetCookieMs) },
    { name: shownCookieName, purpose: t("cookies.shown"), howLong: durationText(noticeValidMs) },
    { name: starsCookieName(isSecure), purpose: t("cookies.stars"), howLong: durationText(starsCookieMs) },
    { name: localeCookie, purpose: t("cookies.language"), howLong: choice },
    { name: themeCookie, purpose: t("cookies.theme"), howLong: choice },
  ];
}
