/**
 * Decisions whose states are in the database: made inside the transaction of what they guard, so that both are saved
 * together or not at all.
 */
import type { Database } from "../../db/index.ts";
import { decideBehind } from "../limiter/index.ts";
import { isWorthWaiting } from "../policies-on-store.ts";
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
} from "./types.ts";

type States = Database["limiterStates"];

export function triesInTransaction({
  transaction,
  limiterStates: states,
}: Pick<Database, "transaction" | "limiterStates">): Tries {
  return {
    attempt: async <T>(
      { plan, lane }: Pick<GuardedRequest<T>, "plan" | "lane">,
      nowAt: () => number,
      how: { leftMs: number } | { refusedBy: Refuser },
    ) =>
      transaction(
        async (): Promise<Tried<T>> => {
          const planned = await plan();
          if ("outcome" in planned) return { done: planned.outcome };
          const refusedBy = "refusedBy" in how ? how.refusedBy : undefined;
          const { verdict, refuser, changed, now } = await decide(states, planned.checks, nowAt, refusedBy);
          if (refuser && "leftMs" in how && isWorthWaiting(refuser, how.leftMs)) return { refuser };
          if (changed.length > 0) await states.save(changed, now);
          return { done: await planned.carryOut(verdict, now) };
        },
        { lockKey: lane },
      ),
    behind: async ({ policy, key }, nowAt, costsAhead) => {
      const now = nowAt();
      const [state] = await states.load([key], now);
      return decideBehind(policy.algorithm, state, now, costsAhead, 1);
    },
    forget: async (keys) => {
      if (keys.length === 0) return;
      await transaction(() => states.remove(keys.map(({ key }) => key)));
    },
  };
}

/**
 * Decides at `now`, the time when the states are there; `changed` are those that follow. What is refused already asks only
 * the shadows.
 */
async function decide(
  states: States,
  checks: readonly Check[],
  nowAt: () => number,
  refusedBy: Refuser | undefined,
) {
  const asking = asked(checks).filter(({ policy }) => policy.mode === "shadow" || !refusedBy);
  const keys = asking.map(({ key }) => key);
  const loaded = keys.length > 0 ? await states.load(keys, nowAt()) : [];
  // Not sooner: where the states had to be waited for, those before have saved what is later than the wait began.
  const now = nowAt();
  const steps = asking.map(({ policy, key }, index) => ({
    policy,
    key,
    step: policy.algorithm.step(loaded[index], now, 1),
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
  const changed = [...(worst ? refusing : enforced), ...holding, ...shadows].flatMap(({ key, step }) =>
    step.next === undefined ? [] : [{ key, state: step.next, expiresAt: step.expiresAt }],
  );
  return { verdict, refuser: worst, changed, now };
}
