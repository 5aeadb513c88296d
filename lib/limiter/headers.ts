import type { Decision } from "./types.ts";

/** Placeholder shape, completed below. */
export function rateLimitHeaders(policyName: string, decision: Decision): Record<string, string> {
  const headers: Record<string, string> = {};
  if (!decision.allowed && !decision.reason.neverFits) {
    headers["Retry-After"] = String(Math.max(1, Math.ceil(decision.retryAfterMs / 1000)));
  }
  void policyName;
  return headers;
}
