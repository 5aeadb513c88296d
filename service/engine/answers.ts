/** What callers are answered, made of what was decided. */
import type { Decision } from "../../lib/limiter/index.ts";
import type { DecisionAnswer } from "../answers.ts";
import type { Rule } from "../rules/index.ts";
import type { Step } from "./plan.ts";

/** A decision without the id. */
export type Told = DecisionAnswer;

/** What one step's policy has decided. */
export function decisionAnswer({ rule, policy }: Step, decision: Decision): Told {
  const { allowed, limit, remaining, retryAfterMs, resetAfterMs, reason } = decision;
  const answer: Told = {
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

/** What a policy says whose state cannot be had: `closed` refuses, `open` lets through. */
export function unavailableAnswer({ rule, policy }: Step, allowed: boolean): Told {
  const answer = uncounted(allowed, { unavailable: true }, rule, policy.name);
  if (!allowed && rule?.tell !== undefined) answer.message = rule.tell;
  return answer;
}

export function fixedAnswer(rule: Rule, fixed: "allow" | "deny"): Told {
  const answer = uncounted(fixed === "allow", { fixed }, rule, null);
  if (rule.tell !== undefined) answer.message = rule.tell;
  return answer;
}

/** Nobody limits this: no rule matches, or none that counts; or the policy that was asked refuses nobody. */
export function unlimitedAnswer(policy: string | null, rule?: Rule): Told {
  return uncounted(true, { unlimited: true }, rule, policy);
}

function uncounted(
  allowed: boolean,
  reason: DecisionAnswer["reason"],
  rule: Rule | undefined,
  policy: string | null,
): Told {
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
