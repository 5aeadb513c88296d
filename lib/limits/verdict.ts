/** The guard's verdict on a request, from the limiter's decision. */
import type { Checked, PolicyCheck } from "../limiter/index.ts";
import type { AccessRules } from "./access-rules.ts";
import type { Limit } from "./index.ts";
import type { LimiterDecision, PolicyDecision, Verdict } from "./types.ts";

/**
 * The verdict of an access rule, of the plan's known refusal, or of the limiter.
 * The first of these that there is; with the rule or the known refusal no policy was checked.
 */
export function verdictOf(
  rule: ReturnType<AccessRules>,
  known: PolicyDecision | undefined,
  decision: LimiterDecision,
): Verdict {
  const { refusal, unavailable, outage, decisions, heldBy, shadows } = decision;
  const limitedBy = known ?? (refusal && policyDecision(refusal));
  const limited = limitedBy && ({ kind: "limited", refusal: limitedBy } as const);
  const denied = rule === "deny" ? ({ kind: "denied" } as const) : undefined;
  return {
    refused: rule ? denied : (limited ?? (unavailable && { kind: "unavailable" })),
    byRule: rule !== undefined,
    isKnown: rule === undefined && known !== undefined,
    outage,
    decisions: decisions.map(policyDecision),
    heldBy: heldBy && policyDecision(heldBy),
    shadows: shadows.map(policyDecision),
    decision,
  };
}

function policyDecision({ policy: { name, counts }, decision }: Checked<PolicyCheck<Limit>>): PolicyDecision {
  return { policy: name, counts, decision };
}
