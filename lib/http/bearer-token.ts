/** Bearer tokens (RFC 6750). */
import { hash, timingSafeEqual } from "node:crypto";

/**
 * The token of an `Authorization` header.
 * Undefined for other schemes: they belong to a proxy, of a site that is not public yet, say.
 */
export function bearerToken(authorization: string | null | undefined): string | undefined {
  return /^bearer(?=\s|$)\s*(.*)$/i.exec(authorization ?? "")?.[1];
}

/** Makes the check of a token. It takes the same time wherever two tokens differ. */
export function tokenCheck(expected: string): (given: string) => boolean {
  const expectedDigest = digestOf(expected);
  return (given) => timingSafeEqual(digestOf(given), expectedDigest);
}

/** Of one length, as the comparison requires. */
function digestOf(token: string): Buffer {
  return hash("sha256", token, "buffer");
}
