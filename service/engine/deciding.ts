/** Decides what is planned: upon the policies, all or nothing, and upon what follows from their answers. */
import type { Store } from "../../lib/limiter/index.ts";
import {
  Counted,
  type Decided,
  isWorthWaiting,
  type Outcome,
  policiesOnStore,
  refusedBy,
} from "../../lib/policies-on-store.ts";
import { decisionAnswer, fixedAnswer, type Told, unavailableAnswer, unlimitedAnswer } from "./answers.ts";
import type { Plan, Step } from "./plan.ts";

/** A decision that was given, for metrics: the one that the answer names, and those of policies in shadow. */
export interface DecisionEvent {
  rule: string | null;
  policy: string | null;
  allowed: boolean;
  /** It would be so, but the policy refuses nobody. */
  shadow: boolean;
}

/** What is counted now, for good as far as the request goes. */
export interface CountedEvent {
  kind: "consume" | "refund" | "reset";
  policy: string;
  /** The state's key. */
  key: string;
  cost: number;
}

export interface DecidingSettings {
  store: Store;
  /** Told of each policy whose state could not be had. */
  report: (error: unknown, policy: string) => void;
  onDecision: ((event: DecisionEvent) => void) | undefined;
  onCounted: ((event: CountedEvent) => void) | undefined;
}

/** Decided, or refused by somebody who would let it pass soon enough. */
export type Tried = { done: Told } | { refuser: Decided<Step> };

export type Deciding = ReturnType<typeof deciding>;

export function deciding({ store, report, onDecision, onCounted }: DecidingSettings) {
  const policies = policiesOnStore<Step>(store, (policy, error) => report(error, policy.name));

  function decidedBy(answer: Told): Told {
    onDecision?.({ rule: answer.rule, policy: answer.policy, allowed: answer.allowed, shadow: false });
    return answer;
  }

  function nowCounted(kind: CountedEvent["kind"], { policy, key }: Step, cost: number): void {
    onCounted?.({ kind, policy: policy.name, key, cost });
  }

  /** The answer that follows, with what the shadows see of it. */
  async function conclude(plan: Plan, outcome: Outcome<Step>, cost: number): Promise<Told> {
    const { stoppedBy, decided } = outcome;
    // A policy in shadow stands in for those that count the same: it sees what all others let through.
    const seeing = stoppedBy
      ? plan.shadows.filter(({ counts }) => counts === stoppedBy.counts)
      : plan.shadows;
    const shadows = seeing.length > 0 ? await policies.askShadows(seeing, cost) : [];
    for (const { rule, policy, decision } of shadows)
      onDecision?.({
        rule: rule?.name ?? null,
        policy: policy.name,
        allowed: decision.allowed,
        shadow: true,
      });
    for (const each of stoppedBy ? shadows : [...decided, ...shadows])
      if (each.decision.allowed) nowCounted("consume", each, cost);
    return decidedBy(answerTo(plan, outcome));
  }

  async function peek(plan: Plan, cost: number): Promise<Told> {
    return answerTo(plan, await policies.decide(plan.enforced, cost));
  }

  async function decide(plan: Plan, cost: number): Promise<Told> {
    if (isDenied(plan)) return decidedBy(await peek(plan, cost));
    return conclude(plan, await policies.decide(plan.enforced, cost, new Counted()), cost);
  }

  return {
    policies,
    nowCounted,

    /** One policy that is enforced, and nothing else. */
    async single(step: Step, cost: number): Promise<Told> {
      const { decision, unavailable = false } = await policies.ask(step, cost);
      if (decision?.allowed) nowCounted("consume", step, cost);
      return decidedBy(decision ? decisionAnswer(step, decision) : unavailableAnswer(step, !unavailable));
    },

    decide,
    peek,

    /** A refusal that would pass within `leftMs` is not concluded: who refuses is the answer. */
    async attempt(plan: Plan, cost: number, leftMs: number): Promise<Tried> {
      if (isDenied(plan)) return { done: await decide(plan, cost) };
      const outcome = await policies.decide(plan.enforced, cost, new Counted());
      const { refuser } = outcome;
      if (refuser && isWorthWaiting(refuser, leftMs)) return { refuser };
      return { done: await conclude(plan, outcome, cost) };
    },

    /** Refused by one who was asked already. */
    refuse: (plan: Plan, refuser: Decided<Step>, cost: number) => conclude(plan, refusedBy(refuser), cost),

    /** What one step alone would say. */
    async peekStep(step: Step, cost: number): Promise<Told> {
      const { decision, unavailable = false } = await policies.ask(step, cost, "peek");
      return decision ? decisionAnswer(step, decision) : unavailableAnswer(step, !unavailable);
    },
  };
}

/** Refused in any case: there is nothing to count, and nothing to wait for. */
function isDenied({ fixed }: Plan): boolean {
  return fixed?.answer === "deny";
}

/** The first that refuses, then the fixed answer, then the policy that has least remaining. */
function answerTo({ enforced, fixed, named }: Plan, { decided, stoppedBy, refuser }: Outcome<Step>): Told {
  if (refuser) return decisionAnswer(refuser, refuser.decision);
  if (stoppedBy) return unavailableAnswer(stoppedBy, false);
  if (fixed) return fixedAnswer(fixed.rule, fixed.answer);
  const [first] = enforced;
  if (!first) return unlimitedAnswer(named ?? null);
  const [closest] = decided.toSorted((a, b) => remainingOf(a) - remainingOf(b));
  return closest ? decisionAnswer(closest, closest.decision) : unavailableAnswer(first, true);
}

function remainingOf({ decision }: Decided<Step>): number {
  return decision.remaining ?? Number.MAX_VALUE;
}
