/**
 * The browser's session.
 * next-auth keeps a JWT in a cookie with the session's token, which is looked up in the database at each read
 * (`lib/sessions`), so that a session ends at once.
 *
 * `lib/users` checks passwords; next-auth only receives checked users, by a one-time ticket that never leaves this
 * process. Its own routes are not served.
 */
import { createHash } from "node:crypto";
import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import NextAuth from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { cache } from "react";
import { app } from "../app.ts";
import { log } from "../logging/log.ts";
import { logInPath } from "../paths.ts";
import { declareNoScripts, isFromScript, isPost, unsentResponse } from "../request/current-request.ts";
import { ticketMs } from "../second-factor/ticket.ts";
import { describeDevice } from "../sessions/device.ts";
import { endSessionOf, type Session, sessionOf } from "../sessions/index.ts";
import { currentTime } from "../time/current-time.ts";
import type { User } from "../users/index.ts";
import { knownBrowserLifetimeMs, rememberBrowser } from "../users/known-browsers.ts";
import {
  browserCookieName,
  resetCookieMs,
  resetCookieName,
  shownCookieName,
  ticketCookieName,
} from "./cookie-names.ts";
import { type NoticeContext, noticeValidMs, readNotice } from "./notice.ts";
import { authSecret } from "./secret.ts";
import { sessionCookieName, sessionTokenIn } from "./session-cookie.ts";

/** How many notices a browser keeps: of several tabs. */
const shownMaximum = 8;

/** Tokens of sessions that are being started, by ticket. */
const tickets = new Map<string, string>();

const { signIn, signOut } = NextAuth(() => ({
  secret: authSecret(),
  trustHost: true,
  session: { strategy: "jwt", maxAge: Math.max(1, Math.floor(app().sessionLifetimes.maximumMs / 1_000)) },
  logger: {
    // An unreadable cookie is not a server error: it has another secret or is forged.
    error: (error) =>
      log["type" in error && error.type === "JWTSessionError" ? "debug" : "error"]({ err: error }),
    warn: (code) => log.warn({ code }, "next-auth warns"),
    debug: () => {},
  },
  pages: { signIn: "/login" },
  providers: [
    Credentials({
      credentials: { ticket: {} },
      authorize({ ticket }) {
        const sessionToken = typeof ticket === "string" ? tickets.get(ticket) : undefined;
        return sessionToken === undefined ? null : { id: String(ticket), sessionToken };
      },
    }),
  ],
  callbacks: {
    jwt({ token, user }) {
      return user && "sessionToken" in user ? { sessionToken: user.sessionToken } : token;
    },
  },
}));

/** The cookie by which this browser is recognised; for `logIn`. */
export async function browserCookie(): Promise<string | undefined> {
  return (await cookies()).get(browserCookieName)?.value;
}

/** This browser as the reader of notices while no user is logged in. */
export async function loggedOutReader(): Promise<{ browser: string } | null> {
  const browser = await browserCookie();
  return browser === undefined ? null : { browser };
}

/**
 * The notice in a value from an address, once for this browser.
 * The page removes it from the address too.
 */
export async function noticeOnce(value: unknown, context: NoticeContext): Promise<string | undefined> {
  const notice = readNotice(value, context);
  return notice !== undefined && (await isFirstShown(String(value))) ? notice : undefined;
}

/**
 * Whether this browser shows the notice for the first time.
 * The page's response keeps the last ones. That of a script does not reach the browser, and shows it only once.
 */
export async function isFirstShown(notice: string): Promise<boolean> {
  if (isFromScript()) return true;
  const mark = createHash("sha256").update(notice).digest("base64url").slice(0, 16);
  const shown: string[] = (await cookies()).get(shownCookieName)?.value.match(/[\w-]{16}/g) ?? [];
  if (shown.includes(mark)) return false;
  const marks = [...shown, mark].slice(-shownMaximum).join(".");
  const { secure } = await cookieOptions();
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${noticeValidMs / 1_000}${secure ? "; Secure" : ""}`;
  unsentResponse()?.appendHeader("Set-Cookie", `${shownCookieName}=${marks}; ${attributes}`);
  return true;
}

/** Keeps a ticket in this browser, until the log-in continues. */
export async function keepTicket(ticket: string): Promise<void> {
  (await cookies()).set(ticketCookieName, ticket, { ...(await cookieOptions()), maxAge: ticketMs / 1_000 });
}

/** The ticket that this browser keeps; empty when there is none. */
export async function sentTicket(): Promise<string> {
  return (await cookies()).get(ticketCookieName)?.value ?? "";
}

/** The value in place of a link's token once the password is set. */
export const resetDone = "done";

/** Keeps the token of a link to a new password in this browser, for an hour. */
export async function keepResetToken(token: string): Promise<void> {
  (await cookies()).set(resetCookieName, token, {
    ...(await cookieOptions()),
    path: "/login",
    maxAge: resetCookieMs / 1_000,
  });
}

/** The token of the link that this browser has opened; empty when there is none. */
export async function sentResetToken(): Promise<string> {
  return (await cookies()).get(resetCookieName)?.value ?? "";
}

/**
 * Keeps a started session in this browser, and remembers the browser.
 * The response sets both cookies.
 */
export async function keepSession({
  sessionToken,
  user,
}: {
  sessionToken: string;
  user: Pick<User, "id">;
}): Promise<void> {
  const row = await app().database.users.byId(user.id);
  if (row) {
    const cookie = rememberBrowser(await browserCookie(), row, app().browserSecret());
    const maxAge = knownBrowserLifetimeMs / 1_000;
    (await cookies()).set(browserCookieName, cookie, { ...(await cookieOptions()), maxAge });
  }
  if ((await sentTicket()) !== "") (await cookies()).delete(ticketCookieName);
  const ticket = crypto.randomUUID();
  tickets.set(ticket, sessionToken);
  try {
    // `redirectTo` is unused, but without it next-auth parses the Referer, and a malformed one throws.
    await signIn("credentials", { ticket, redirect: false, redirectTo: "/" });
  } finally {
    tickets.delete(ticket);
  }
}

/** Ends this browser's session: on the server, and the response removes its cookie. */
export async function endSession(): Promise<void> {
  const token = await sessionToken();
  if (token !== undefined) await endSessionOf(app(), token);
  await signOut({ redirect: false, redirectTo: "/" });
}

/** The current session, or null; cached per request. */
export const getSession = cache(async (): Promise<Session | null> => {
  const token = await sessionToken();
  return token === undefined ? null : sessionOf(app(), token, currentTime());
});

/** For pages that have nothing to hydrate for visitors, and forms for users. */
export async function omitScriptsForVisitors(): Promise<void> {
  if (!(await getSession())) declareNoScripts();
}

/** The current user, or null. */
export async function getUser(): Promise<User | null> {
  return (await getSession())?.user ?? null;
}

/**
 * The current session.
 * Without one, redirects to the log-in page, which returns to `path`.
 */
export async function requireSession(path: string): Promise<Session> {
  const session = await getSession();
  if (!session) redirect(logInPath(path));
  return session;
}

/** The current user; otherwise redirects as `requireSession` does. */
export async function requireUser(path: string): Promise<User> {
  return (await requireSession(path)).user;
}

/**
 * The user of a page with forms; otherwise redirects as `requireSession` does.
 * Null for a form that was sent without JavaScript: the browser would send it to the log-in page too, and lose its
 * text.
 */
export function pageUser(path: string): Promise<User | null> {
  return isPost() && !isFromScript() ? getUser() : requireUser(path);
}

/** The client's browser or program and its system, for a new session. */
export async function clientDevice(): Promise<string> {
  return describeDevice((await headers()).get("user-agent"));
}

/** The token in this browser's cookie, of a session that may have ended. */
async function sessionToken(): Promise<string | undefined> {
  const { secure } = await cookieOptions();
  const name = sessionCookieName(secure);
  const cookie = (await cookies()).get(name)?.value;
  return cookie && sessionTokenIn(cookie, { name, secret: authSecret(), now: currentTime() });
}

/** The attributes of the site's own cookies. */
export async function cookieOptions() {
  const secure = (await headers()).get("x-forwarded-proto") === "https";
  return { httpOnly: true, sameSite: "lax", secure } as const;
}
