/** Bearer tokens (RFC 6750). */
import { hash, timingSafeEqual } from "node:crypto";

/**
 * The token of an `Authorization` header.
 * Undefined for other schemes, such as Basic, which may belong to a proxy in front of the site.
 */
export function bearerToken(authorization: string | null | undefined): string | undefined {
  return /^bearer(?=\s|$)\s*(.*)$/i.exec(authorization ?? "")?.[1];
}

/** Creates a constant-time comparison with `expected`. */
export function tokenCheck(expected: string): (given: string) => boolean {
  const expectedDigest = digestOf(expected);
  return (given) => timingSafeEqual(digestOf(given), expectedDigest);
}

/** A digest: all digests have the same length, as the comparison requires. */
function digestOf(token: string): Buffer {
  return hash("sha256", token, "buffer");
}
