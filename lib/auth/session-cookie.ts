/**
 * Reads the session's token from next-auth's cookie.
 *
 * next-auth's own `auth()` decrypts the cookie for each page, and encrypts a new one that a page cannot set. Here each
 * cookie is decrypted once; whether its session has ended is in the database, and checked every time.
 */
import { LRUCache } from "lru-cache";
import { decode } from "next-auth/jwt";
import { z } from "zod";

const payloadSchema = z.object({ sessionToken: z.string(), exp: z.number() });

/** Payloads by cookie. A cookie has some 300 bytes. */
const known = new LRUCache<string, { sessionToken: string; exp: number }>({ max: 2_000 });

/** The cookie's name, which also is a part of its encryption. */
export function sessionCookieName(isSecure: boolean): string {
  return `${isSecure ? "__Secure-" : ""}authjs.session-token`;
}

/** The cookie in which next-auth keeps where a log-in returns to. */
export function callbackCookieName(isSecure: boolean): string {
  return `${isSecure ? "__Secure-" : ""}authjs.callback-url`;
}

/**
 * The token in a cookie.
 * Undefined for one that is forged, expired or of another secret.
 * `now` in milliseconds.
 */
export async function sessionTokenIn(
  cookie: string,
  { name, secret, now }: { name: string; secret: string; now: number },
): Promise<string | undefined> {
  const key = `${name}=${cookie}`;
  const payload = known.get(key) ?? (await payloadIn(cookie, name, secret));
  if (!payload || payload.exp * 1_000 <= now) return undefined;
  known.set(key, payload);
  return payload.sessionToken;
}

async function payloadIn(token: string, salt: string, secret: string) {
  // Rejected by decryption: not a cookie that this installation made.
  const payload = await decode({ token, salt, secret }).catch(() => null);
  return payloadSchema.safeParse(payload).data;
}
