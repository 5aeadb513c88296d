/** The service's answers, from the outcomes of decisions. */
import type { Decision, Outcome } from "../../lib/limiter/index.ts";
import type { DecisionAnswer } from "../answers.ts";
import type { Rule } from "../rules/index.ts";
import { isEnforced, type Plan, type RuleCheck } from "./plan.ts";

/**
 * The answer is that of the policy that refuses, of several the one with the longest wait; then the fixed answer, then the
 * policy that has least remaining.
 */
export function outcomeAnswer({ checks, fixed, named }: Plan, outcome: Outcome<RuleCheck>): DecisionAnswer {
  const { refusal, unavailable, decisions } = outcome;
  if (refusal) return answerOf(refusal, refusal.decision);
  if (unavailable) return answerOf(unavailable, { allowed: false, reason: { unavailable: true } });
  if (fixed) return fixedAnswer(fixed.rule, fixed.answer);
  let [closest] = decisions;
  for (const each of decisions) if (closest && remainingOf(each) < remainingOf(closest)) closest = each;
  if (closest) return answerOf(closest, closest.decision);
  const first = checks.find(isEnforced);
  return first
    ? answerOf(first, { allowed: true, reason: { unavailable: true } })
    : unlimitedAnswer(named ?? null);
}

export function fixedAnswer(rule: Rule, fixed: "allow" | "deny"): DecisionAnswer {
  const answer = answerOf({ rule }, { allowed: fixed === "allow", reason: { fixed } });
  return rule.tell === undefined ? answer : { ...answer, message: rule.tell };
}

/** Nothing limits this: no rule matches, or none that counts; or the policy that was named refuses nothing. */
export function unlimitedAnswer(policy: string | null, rule?: Rule): DecisionAnswer {
  return { ...answerOf({ rule }, { allowed: true, reason: { unlimited: true } }), policy };
}

function answerOf(
  { rule, policy }: { rule: Rule | undefined; policy?: RuleCheck["policy"] },
  { allowed, limit = null, remaining = null, retryAfterMs = 0, resetAfterMs = 0, reason }: Decided,
): DecisionAnswer {
  const answer: DecisionAnswer = {
    ...{ allowed, limit, remaining, retryAfterMs, resetAfterMs, reason },
    rule: rule?.name ?? null,
    policy: policy?.name ?? null,
  };
  if (!allowed && rule?.tell !== undefined) answer.message = rule.tell;
  return answer;
}

/** A decision; without numbers where nothing was counted. */
type Decided = Pick<DecisionAnswer, "allowed" | "reason"> & Partial<Omit<Decision, "allowed" | "reason">>;

function remainingOf({ decision }: { decision: Decision }): number {
  return decision.remaining ?? Number.MAX_VALUE;
}
