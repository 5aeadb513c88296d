/** The service's answers, from what was decided. */
import type { Decision, Outcome } from "../../lib/limiter/index.ts";
import type { DecisionAnswer } from "../answers.ts";
import type { Rule } from "../rules/index.ts";
import type { Plan, RuleCheck } from "./plan.ts";

/**
 * The policy that refuses answers, of several the one with the longest wait; then the fixed answer, then the policy that
 * has least remaining.
 */
export function outcomeAnswer({ checks, fixed, named }: Plan, outcome: Outcome<RuleCheck>): DecisionAnswer {
  const { refusal, unavailable, decisions } = outcome;
  if (refusal) return decisionAnswer(refusal, refusal.decision);
  if (unavailable) return unavailableAnswer(unavailable, false);
  if (fixed) return fixedAnswer(fixed.rule, fixed.answer);
  const first = checks.find(({ policy }) => policy.mode === "enforce");
  if (!first) return unlimitedAnswer(named ?? null);
  let [closest] = decisions;
  for (const each of decisions) if (closest && remainingOf(each) < remainingOf(closest)) closest = each;
  return closest ? decisionAnswer(closest, closest.decision) : unavailableAnswer(first, true);
}

function remainingOf({ decision }: { decision: Decision }): number {
  return decision.remaining ?? Number.MAX_VALUE;
}

/** The decision of one policy. */
export function decisionAnswer({ rule, policy }: RuleCheck, decision: Decision): DecisionAnswer {
  const { allowed, limit, remaining, retryAfterMs, resetAfterMs, reason } = decision;
  const answer: DecisionAnswer = {
    allowed,
    limit,
    remaining,
    retryAfterMs,
    resetAfterMs,
    reason,
    rule: rule?.name ?? null,
    policy: policy.name,
  };
  if (!allowed && rule?.tell !== undefined) answer.message = rule.tell;
  return answer;
}

/** The answer of a policy whose state is unavailable: `closed` refuses, `open` allows. */
export function unavailableAnswer({ rule, policy }: RuleCheck, allowed: boolean): DecisionAnswer {
  const answer = uncounted(allowed, { unavailable: true }, rule, policy.name);
  if (!allowed && rule?.tell !== undefined) answer.message = rule.tell;
  return answer;
}

export function fixedAnswer(rule: Rule, fixed: "allow" | "deny"): DecisionAnswer {
  const answer = uncounted(fixed === "allow", { fixed }, rule, null);
  if (rule.tell !== undefined) answer.message = rule.tell;
  return answer;
}

/** Nothing limits this: no rule matches, or none that counts; or the policy that was named refuses nothing. */
export function unlimitedAnswer(policy: string | null, rule?: Rule): DecisionAnswer {
  return uncounted(true, { unlimited: true }, rule, policy);
}

function uncounted(
  allowed: boolean,
  reason: DecisionAnswer["reason"],
  rule: Rule | undefined,
  policy: string | null,
): DecisionAnswer {
  return {
    allowed,
    limit: null,
    remaining: null,
    retryAfterMs: 0,
    resetAfterMs: 0,
    reason,
    rule: rule?.name ?? null,
    policy,
  };
}
