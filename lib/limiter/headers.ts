import { quotaOf } from "./algorithms/registry.ts";
import type { Decision } from "./types.ts";

/**
 * The `Retry-After` and RateLimit response headers of a decision.
 *
 * `Retry-After` (RFC 9110) is present when waiting helps: in whole seconds, at least 1, never early. `RateLimit-Policy`
 * and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11) are structured fields (RFC 9651): `q` requests per `w`
 * seconds is the policy, `r` requests remain now, and in `t` seconds there will be more. Each algorithm's `quota`
 * defines these numbers: a bucket announces its capacity per the time that a full one takes to drain, a window itself,
 * a gap detector the pace that passes again and again now. Without a quota, as while a gap detector learns, they are
 * left out.
 *
 * @param policyName the limit's name, for people and logs; characters that are not printable ASCII become `?`
 */
export function rateLimitHeaders(policyName: string, decision: Decision): Record<string, string> {
  const headers: Record<string, string> = {};
  const retryAfterSeconds = wholeSeconds(decision.retryAfterMs);
  if (decision.retryAfterMs > 0) headers["Retry-After"] = String(retryAfterSeconds);
  const quota = quotaOf(decision);
  if (quota === undefined) return headers;
  const name = structuredString(policyName);
  const requests = Math.floor(quota.requests);
  const moreAfterSeconds = decision.retryAfterMs > 0 ? retryAfterSeconds : wholeSeconds(quota.moreAfterMs);
  headers["RateLimit-Policy"] = `${name};q=${requests};w=${wholeSeconds(quota.windowMs)}`;
  headers.RateLimit = `${name};r=${quota.remaining};t=${moreAfterSeconds}`;
  return headers;
}

function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}

function structuredString(text: string): string {
  // Nearly always: a look costs less than two replacements.
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`;
  return `"${text.replace(/[^\x20-\x7e]/g, "?").replace(/["\\]/g, "\\$&")}"`;
}
