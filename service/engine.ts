/** The service's adapter of the limiter: decides by policies and rules. */
import {
  CostError,
  createPolicyLimiter,
  isEnforced,
  type RequestDecision,
  type Store,
  type WaitingSettings,
} from "../lib/limiter/index.ts";
import type { Answer, DecisionAnswer, Engine, MaybePromise } from "./answers.ts";
import { outcomeAnswer } from "./engine/answers.ts";
import { type CheckPlan, type EngineConfiguration, planner, type RuleCheck } from "./engine/plan.ts";
import type { Request } from "./messages.ts";
import { countPeerEvent } from "./peers/count.ts";
import type { PeerEvent } from "./peers/message.ts";

/**
 * A decision, for metrics.
 * It is the decision that the answer names or, with `shadow`, that of a policy in shadow.
 */
export type DecisionEvent = Pick<DecisionAnswer, "rule" | "policy" | "allowed"> & { shadow: boolean };

export interface EngineSettings extends Pick<WaitingSettings, "sleep" | "clock"> {
  configuration: EngineConfiguration;
  store: Store;
  /**
   * Called for each failure.
   * `policy` is set when the state of that policy is unavailable; without it, a request could not be answered.
   */
  report?: (error: unknown, policy?: string) => void;
  onDecision?: (event: DecisionEvent) => void;
  onCounted?: (event: PeerEvent) => void;
}

interface ServiceEngine extends Engine {
  /** Replaces the configuration, all of it at once, for waiting requests too. */
  use(configuration: EngineConfiguration): void;
  /** Counts an event of another service, without publishing it. Never rejects. */
  count(event: PeerEvent): Promise<void>;
  /** How many requests wait. */
  waiting(): number;
}

export function createEngine({
  configuration,
  store,
  report = () => {},
  onDecision,
  onCounted,
  ...waiting
}: EngineSettings): ServiceEngine {
  let plans = planner(configuration);
  const limiter = createPolicyLimiter<RuleCheck>({
    store,
    report(error, { name }) {
      // The cost is the client's, and the policy, in shadow, has refused nothing.
      if (!(error instanceof CostError)) report(error, name);
    },
    onCounted:
      onCounted &&
      (({ check: { policy, key }, ...change }) => onCounted({ ...change, policy: policy.name, key })),
    ...waiting,
  });

  /** Without the id. */
  function answerTo(request: Request, signal: AbortSignal | undefined): MaybePromise<Answer> {
    const { verb, cost = 1, maxWaitMs = 0 } = request;
    const plan = plans.plan(request);
    if (plan.fault !== undefined) return { error: plan.fault };
    switch (verb) {
      case "consume": {
        const decided = plan.isDenied ? undefined : limiter.consumeSync(plan.checks, cost);
        if (decided) return conclude(plan, decided);
        return limiter[plan.isDenied ? "peek" : "consume"](plan.checks, cost).then((outcome) =>
          conclude(plan, outcome),
        );
      }
      case "peek":
        return limiter.peek(plan.checks, cost).then((outcome) => outcomeAnswer(plan, outcome));
      case "wait":
        return limiter.wait({ plan: () => plans.plan(request), execute: conclude, cost, maxWaitMs, signal });
      case "refund":
        return refund(plan, cost);
      case "reset":
        return limiter.reset(plan.checks).then(() => ({ reset: true }));
      case "rules":
        return rules(request, cost);
    }
  }

  function conclude(plan: CheckPlan, outcome: RequestDecision<RuleCheck>): Answer {
    if (plan.fault !== undefined) return { error: plan.fault };
    const answer = outcomeAnswer(plan, outcome);
    if (!plan.isDenied)
      for (const { rule, policy, decision } of outcome.shadows) {
        const { allowed } = decision;
        onDecision?.({ rule: rule?.name ?? null, policy: policy.name, allowed, shadow: true });
      }
    const { rule, policy, allowed } = answer;
    onDecision?.({ rule, policy, allowed, shadow: false });
    return answer;
  }

  /**
   * Refunds the request from all policies that would count it, at once.
   * A policy that cannot refund is an error, and nothing is refunded.
   */
  async function refund(plan: CheckPlan, cost: number): Promise<Answer> {
    if (plan.isDenied) return { refunded: false };
    const fixed = plan.checks.filter(isEnforced).find(({ policy }) => !policy.algorithm.refund)?.policy;
    if (fixed)
      return {
        error: `the policy ${JSON.stringify(fixed.name)} cannot refund: its algorithm is ${fixed.algorithm.name}`,
      };
    const refunded = await limiter.refund(plan.checks, cost);
    return { refunded: refunded.some(isEnforced) };
  }

  async function rules(request: Request, cost: number): Promise<Answer> {
    const answers = plans
      .ofEachRule(request)
      .map(async (plan) => outcomeAnswer(plan, await limiter.peek(plan.checks, cost)));
    return { rules: await Promise.all(answers) };
  }

  function answerToFailure(error: unknown): Answer {
    if (error instanceof CostError) return { error: error.message };
    report(error);
    return { error: "the limiter could not do this: the states cannot be reached", unavailable: true };
  }

  return {
    execute(request, signal) {
      let answer: MaybePromise<Answer>;
      try {
        answer = answerTo(request, signal);
      } catch (error) {
        answer = answerToFailure(error);
      }
      if (!(answer instanceof Promise)) return withId(answer, request.id);
      return answer.catch(answerToFailure).then((later) => withId(later, request.id));
    },
    waiting: limiter.waiting,
    use(next) {
      plans = planner(next);
      limiter.wake();
    },
    async count(event) {
      const policy = plans.policies.get(event.policy);
      if (!policy || policy.mode === "off") return;
      try {
        await countPeerEvent(store, policy.algorithm, event);
        if (event.kind !== "consume") limiter.wake(event.key);
      } catch (error) {
        report(error, event.policy);
      }
    },
  };
}

function withId(answer: Answer, id: Request["id"]): Answer {
  if (id !== undefined) answer.id = id;
  return answer;
}
