/** Tokens that are secrets, such as those of the API and of invitations. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** 256 random bits, in base64url. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** SHA-256 in hexadecimal: the stored form of a token. */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** A key of 32 bytes for one purpose, derived from the secret that signs sessions. */
export function derivedKey(authSecret: string, purpose: string): Buffer {
  return createHmac("sha256", authSecret).update(purpose).digest();
}

/** The signature of values under a key: HMAC-SHA-256, in base64url. */
export function signatureOf(key: Buffer, ...values: unknown[]): string {
  return createHmac("sha256", key).update(JSON.stringify(values)).digest("base64url");
}

/** Whether two secrets are the same, in a time that depends on their lengths alone. */
export function isSameSecret(sent: string, expected: string): boolean {
  const [one, other] = [Buffer.from(sent), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
