/**
 * Decisions whose states are in the database: made inside the transaction of what they guard, so that both are saved
 * together or not at all.
 */
import type { Database } from "../../db/index.ts";
import { decideBehind } from "../limiter/index.ts";
import {
  asked,
  type Check,
  type GuardedRequest,
  policyDecision,
  type Refuser,
  shadowSees,
  type Tried,
  type Tries,
  type Verdict,
  worthWaiting,
} from "./types.ts";

type States = Database["limiterStates"];

export function triesInTransaction({
  transaction,
  limiterStates: states,
}: Pick<Database, "transaction" | "limiterStates">): Tries {
  return {
    attempt: async <T>(
      { plan }: Pick<GuardedRequest<T>, "plan">,
      nowAt: () => number,
      how: { leftMs: number } | { refusedBy: Refuser },
    ) =>
      transaction((): Tried<T> => {
        const now = nowAt();
        const planned = plan(now);
        if ("outcome" in planned) return { done: planned.outcome };
        const refusedBy = "refusedBy" in how ? how.refusedBy : undefined;
        const { verdict, refuser, save } = decide(states, planned.checks, now, refusedBy);
        if (refuser && "leftMs" in how && worthWaiting(refuser, how.leftMs)) return { refuser };
        save();
        return { done: planned.carryOut(verdict) };
      }),
    behind: async ({ policy, key }, nowAt, costsAhead) => {
      const now = nowAt();
      return decideBehind(policy.algorithm, states.load(key, now), now, costsAhead, 1);
    },
    forget: async (keys) => {
      if (keys.length === 0) return;
      transaction(() => {
        for (const { key } of keys) states.remove(key);
      });
    },
  };
}

/** Decides at `now` (milliseconds); `save` saves the states that follow. What is refused already asks only the shadows. */
function decide(states: States, checks: readonly Check[], now: number, refusedBy: Refuser | undefined) {
  const steps = asked(checks)
    .filter(({ policy }) => policy.mode === "shadow" || !refusedBy)
    .map(({ policy, key }) => ({
      policy,
      key,
      step: policy.algorithm.step(states.load(key, now), now, 1),
    }));
  const enforced = steps.filter(({ policy }) => policy.mode === "enforce");
  const refusing = enforced.filter(({ step }) => !step.decision.allowed);
  // The refusal to tell of is the one with the longest wait.
  const [worst = refusedBy] = refusing
    .map(({ policy, key, step }): Refuser => ({ policy, key, decision: step.decision }))
    .toSorted((a, b) => b.decision.retryAfterMs - a.decision.retryAfterMs);
  const refusers = refusedBy ? [refusedBy.policy] : refusing.map(({ policy }) => policy);
  const holding = worst ? [] : steps.filter(({ policy }) => policy.mode === "hold");
  const shadows = steps.filter(({ policy }) => policy.mode === "shadow" && shadowSees(policy, refusers));
  const decisionOf = ({ policy, step }: (typeof steps)[number]) => policyDecision(policy, step.decision);
  const verdict: Verdict = {
    refused: worst && { kind: "limited", refusal: policyDecision(worst.policy, worst.decision) },
    byRule: false,
    outage: false,
    decisions: refusedBy
      ? [policyDecision(refusedBy.policy, refusedBy.decision)]
      : [...enforced, ...holding].map(decisionOf),
    heldBy: holding.filter(({ step }) => !step.decision.allowed).map(decisionOf)[0],
    shadows: shadows.map(decisionOf),
  };
  const save = () => {
    for (const { key, step } of [...(worst ? refusing : enforced), ...holding, ...shadows])
      if (step.next !== undefined) states.save(key, step.next, step.expiresAt, now);
  };
  return { verdict, refuser: worst, save };
}
