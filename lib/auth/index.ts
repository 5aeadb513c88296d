/**
 * Sessions. next-auth keeps a JWT in a cookie with the user's id and session version; both are checked against the
 * database at each read, so that a session ends at once.
 *
 * `lib/users` checks passwords; next-auth only receives checked users, by a one-time ticket that never leaves this
 * process. Its own routes are not served.
 */
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import NextAuth from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { cache } from "react";
import { z } from "zod";
import { database } from "../database.ts";
import { log } from "../logging/log.ts";
import { type SessionClaim, type User, userOfSession } from "../users/index.ts";
import { authSecret } from "./secret.ts";

const claimSchema = z.object({ userId: z.int().positive(), sessionVersion: z.int().positive() });
const tickets = new Map<string, SessionClaim>();

const { auth, signIn, signOut } = NextAuth(() => ({
  secret: authSecret(),
  trustHost: true,
  session: { strategy: "jwt" },
  logger: {
    // An unreadable cookie is no server error: it has another secret or is forged.
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
        const claim = typeof ticket === "string" ? tickets.get(ticket) : undefined;
        return claim ? { id: String(claim.userId), claim } : null;
      },
    }),
  ],
  callbacks: {
    jwt({ token, user }) {
      return user && "claim" in user ? { claim: user.claim } : token;
    },
    session({ session, token }) {
      return { expires: session.expires, claim: token.claim };
    },
  },
}));

/** Starts a session for an authenticated user; the response sets its cookie. */
export async function startSession(claim: SessionClaim): Promise<void> {
  const ticket = crypto.randomUUID();
  tickets.set(ticket, claim);
  try {
    // `redirectTo` is unused, but without it next-auth parses the Referer, and a malformed one throws.
    await signIn("credentials", { ticket, redirect: false, redirectTo: "/" });
  } finally {
    tickets.delete(ticket);
  }
}

/** Ends this browser's session: the response removes its cookie. */
export async function endSession(): Promise<void> {
  await signOut({ redirect: false, redirectTo: "/" });
}

/** The current user, or null; cached per request. */
export const getUser = cache(async (): Promise<User | null> => {
  const hasSession = (await cookies()).getAll().some(({ name }) => name.includes("authjs.session-token"));
  if (!hasSession) return null;
  const session: unknown = await auth();
  const claim = z.object({ claim: claimSchema }).safeParse(session);
  return claim.success ? userOfSession({ database: database() }, claim.data.claim) : null;
});

/** The current user; otherwise redirects to the log-in page, which returns to `path`. */
export async function requireUser(path: string): Promise<User> {
  const user = await getUser();
  if (!user) redirect(`/login?next=${encodeURIComponent(path)}`);
  return user;
}
