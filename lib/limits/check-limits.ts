import type { Client } from "./access-rules.ts";
import type { Guard, LimiterDecision, PolicyDecision, Refused, SubjectCheck } from "./types.ts";

/** A request that its limits allow. */
interface Allowed {
  kind: "allowed";
  /** The limiter that counted it, for a refund. */
  decision: LimiterDecision;
  /** A policy in mode hold that is over its limit. */
  heldBy: PolicyDecision | undefined;
}

/**
 * Counts a request whose work follows outside of the decision's transaction.
 * For work that is spent in any case, such as hashing a password. `now` in milliseconds.
 */
export function checkLimits(
  guard: Guard,
  { client, checks, now }: { client: Client; checks: readonly SubjectCheck[]; now: number },
): Promise<Allowed | Refused> {
  return guard.run<Allowed | Refused>({
    client,
    now,
    plan: async () => ({
      checks,
      execute: async ({ refused, decision, heldBy }) => refused ?? { kind: "allowed", decision, heldBy },
    }),
  });
}
