/** The names of the site's own cookies, and how long browsers keep them. */
import { dayMs, hourMs } from "../time/units.ts";

/** Recognises a browser that was logged in before (lib/users/known-browsers.ts). */
export const browserCookieName = "weir-browser";
/** Holds a ticket between the two steps of a log-in. */
export const ticketCookieName = "weir-log-in";
/** Holds the token of a link to a new password. */
export const resetCookieName = "weir-reset";
export const resetCookieMs = hourMs;
/** Remembers which notices were shown. */
export const shownCookieName = "weir-shown";

/**
 * The cookie of a visitor's chosen stars.
 * The prefix of its name keeps other hosts of the domain, and plain http, from setting it: browsers refuse that.
 */
export function starsCookieName(isSecure: boolean): string {
  return isSecure ? "__Host-weir-stars" : "weir-stars";
}
export const starsCookieMs = hourMs;

/** How long the choices of a language and of colours are kept. */
export const choiceCookieMs = 365 * dayMs;
