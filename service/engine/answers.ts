/** The service's answers, from the outcomes of decisions. */
import { type Decision, isEnforced, type RequestDecision } from "../../lib/limiter/index.ts";
import type { DecisionAnswer } from "../answers.ts";
import type { CheckPlan, RuleCheck } from "./plan.ts";

/**
 * The answer of the check that decides.
 * That is the policy that refuses, of several the one with the longest wait; else the fixed answer, else the policy that
 * has least remaining.
 */
export function outcomeAnswer(plan: CheckPlan, outcome: RequestDecision<RuleCheck>): DecisionAnswer {
  const answer = answerOf(plan, outcome);
  return plan.isShadow ? { ...answer, shadow: true } : answer;
}

function answerOf(
  { checks, fixed, named, rule }: CheckPlan,
  outcome: RequestDecision<RuleCheck>,
): DecisionAnswer {
  const { refusal, unavailable, decisions } = outcome;
  if (refusal) return answerBy(refusal, refusal.decision);
  if (unavailable) return answerBy(unavailable, { allowed: false, reason: { unavailable: true } });
  if (fixed && "answer" in fixed.leadsTo) {
    const { answer } = fixed.leadsTo;
    const message = fixed.tell === undefined ? {} : { message: fixed.tell };
    return {
      ...answerBy({ rule: fixed }, { allowed: answer === "allow", reason: { fixed: answer } }),
      ...message,
    };
  }
  let [closest] = decisions;
  for (const each of decisions) if (closest && remainingOf(each) < remainingOf(closest)) closest = each;
  if (closest) return answerBy(closest, closest.decision);
  const first = checks.find(isEnforced);
  if (first) return answerBy(first, { allowed: true, reason: { unavailable: true } });
  // No rule matches, or none that counts; or the policy that was named refuses nothing.
  return { ...answerBy({ rule }, { allowed: true, reason: { unlimited: true } }), policy: named ?? null };
}

function answerBy(
  { rule, policy }: Partial<Pick<RuleCheck, "rule" | "policy">>,
  { allowed, limit = null, remaining = null, retryAfterMs = 0, resetAfterMs = 0, reason }: Decided,
): DecisionAnswer {
  const answer: DecisionAnswer = {
    allowed,
    limit,
    remaining,
    retryAfterMs,
    resetAfterMs,
    reason,
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
