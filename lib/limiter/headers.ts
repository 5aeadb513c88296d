import type { Decision } from "./types.ts";

/**
 * The response fields that tell a client about a limit: `Retry-After` (RFC 9110), `RateLimit-Policy` and `RateLimit`
 * (draft-ietf-httpapi-ratelimit-headers-11), whose values are structured fields (RFC 9651).
 *
 *   - `q` requests per `w` seconds is the policy; `r` requests remain now, and in `t` seconds there will be more.
 *   - A bucket is announced as its capacity per the time that a full one takes to drain, which is its lasting rate.
 *   - A window is announced as it is, and what remains as of now: more comes when it ends. A sliding log likewise, with
 *     `t` the time until nothing is logged. Of a tiered limit the tier that decided is announced.
 *   - A gap detector has no quota. The pace that it lets through again and again right now is announced instead, as so many
 *     requests per second or one per so many seconds; `r` is 1 when it allows and 0 when it refuses. While it learns it
 *     limits nothing and announces nothing.
 *   - `Retry-After` is there when waiting helps: in whole seconds, at least 1, never early. `t` then names the same instant.
 *
 * @param policyName the limit's name, for people and logs; printable ASCII survives, all else becomes `?`
 */
export function rateLimitHeaders(policyName: string, decision: Decision): Record<string, string> {
  const headers: Record<string, string> = {};
  const retryAfterSeconds = wholeSeconds(decision.retryAfterMs);
  if (decision.retryAfterMs > 0) headers["Retry-After"] = String(retryAfterSeconds);
  const quota = quotaOf(decision);
  if (quota === undefined) return headers;
  const name = structuredString(policyName);
  const { requests, windowSeconds, remaining, moreAfterMs } = quota;
  const moreAfterSeconds = decision.retryAfterMs > 0 ? retryAfterSeconds : wholeSeconds(moreAfterMs);
  headers["RateLimit-Policy"] = `${name};q=${requests};w=${windowSeconds}`;
  headers.RateLimit = `${name};r=${remaining};t=${moreAfterSeconds}`;
  return headers;
}

type Quota = { requests: number; windowSeconds: number; remaining: number; moreAfterMs: number };

function quotaOf(decision: Decision): Quota | undefined {
  const { reason, resetAfterMs } = decision;
  const remaining = decision.remaining ?? (decision.allowed ? 1 : 0);
  if (reason.neverFits) {
    return { ...quotaPer(reason.limit, reason.windowMs), remaining, moreAfterMs: resetAfterMs };
  }
  switch (reason.algorithm) {
    case "leaky-bucket":
      return quotaOfBucket(reason.capacity, reason.leakPerSecond, remaining, resetAfterMs);
    case "token-bucket":
      return quotaOfBucket(reason.capacity, reason.refillPerSecond, remaining, resetAfterMs);
    case "fixed-window":
    case "sliding-log":
      return { ...quotaPer(reason.limit, reason.windowMs), remaining, moreAfterMs: resetAfterMs };
    case "tiered":
      return reason.beyond === null || reason.beyond.reason.neverFits
        ? { ...quotaPer(reason.freePerDay, reason.dayMs), remaining, moreAfterMs: resetAfterMs }
        : quotaOf(reason.beyond);
    case "ema":
      return quotaOfPace(reason.leastGapMs, remaining);
  }
}

function quotaOfBucket(capacity: number, perSecond: number, remaining: number, resetAfterMs: number): Quota {
  // What is left of the drain once one request more than now would fit.
  const drainBeyondNextMs = (Math.max(0, capacity - remaining - 1) / perSecond) * 1000;
  return {
    ...quotaPer(capacity, (capacity / perSecond) * 1000),
    remaining,
    moreAfterMs: resetAfterMs - drainBeyondNextMs,
  };
}

function quotaOfPace(leastGapMs: number, remaining: number): Quota | undefined {
  if (leastGapMs === 0) return undefined;
  const pace = leastGapMs > 1000 ? quotaPer(1, leastGapMs) : quotaPer(1000 / leastGapMs, 1000);
  return { ...pace, remaining, moreAfterMs: leastGapMs };
}

function quotaPer(requests: number, windowMs: number) {
  return { requests: Math.floor(requests), windowSeconds: wholeSeconds(windowMs) };
}

function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}

function structuredString(text: string): string {
  // Nearly always: a look costs less than two replacements.
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`;
  return `"${text.replace(/[^\x20-\x7e]/g, "?").replace(/["\\]/g, "\\$&")}"`;
}
