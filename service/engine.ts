/** Decides the requests of the service, under the policies and rules of its configuration: the limiter's adapter. */

import {
  createPolicyLimiter,
  createWaiting,
  isWaitable,
  type Outcome,
  type Sleep,
  type Store,
} from "../lib/limiter/index.ts";
import { errorMessage } from "../lib/logging/error-message.ts";
import type { Answer, DecisionAnswer, Engine } from "./answers.ts";
import {
  decisionAnswer,
  fixedAnswer,
  outcomeAnswer,
  unavailableAnswer,
  unlimitedAnswer,
} from "./engine/answers.ts";
import { type EngineConfiguration, type Plan, planner, type RuleCheck } from "./engine/plan.ts";
import type { Request } from "./messages.ts";
import { countPeerEvent } from "./peers/count.ts";
import type { CountedEvent, PeerEvent } from "./peers/message.ts";

export type { EngineConfiguration } from "./engine/plan.ts";

/** A decision that was given, for metrics: the one that the answer names, and those of policies in shadow. */
export interface DecisionEvent {
  rule: string | null;
  policy: string | null;
  allowed: boolean;
  /** It would be so, but the policy refuses nothing. */
  shadow: boolean;
}

export interface EngineSettings {
  configuration: EngineConfiguration;
  store: Store;
  /** Called for each failure: of the policy whose state is unavailable, or of a request that could not be answered. */
  report?: (error: unknown, policy?: string) => void;
  onDecision?: (event: DecisionEvent) => void;
  onCounted?: (event: CountedEvent) => void;
  /** How a wait passes the time. */
  sleep?: Sleep;
  /** Milliseconds that only go forward, for how long a wait has taken. */
  clock?: () => number;
}

export interface ServiceEngine extends Engine {
  /** From now on this is the configuration, all of it at once, for waiting requests too. */
  use(configuration: EngineConfiguration): void;
  /** Counts what another service has counted, whether it fits or not, and publishes nothing. Never rejects. */
  count(event: PeerEvent): Promise<void>;
  /** How many requests wait. */
  waiting(): number;
}

/** An answer without the id. */
type Body =
  | DecisionAnswer
  | { refunded: boolean }
  | { reset: true }
  | { rules: DecisionAnswer[] }
  | { error: string };

export function createEngine({
  configuration,
  store,
  report = () => {},
  onDecision,
  onCounted,
  sleep,
  clock,
}: EngineSettings): ServiceEngine {
  let current = configuration;
  let plans = planner(configuration);
  const limiter = createPolicyLimiter<RuleCheck>({
    store,
    report: (error, policy) => report(error, policy.name),
  });
  const waiting = createWaiting<RuleCheck>({ ...(sleep && { sleep }), ...(clock && { clock }) });

  function answerTo(request: Request, signal: AbortSignal | undefined): Promise<Body> {
    const { verb, cost = 1, maxWaitMs } = request;
    if (verb === "consume" && cost === 1 && maxWaitMs === undefined) {
      const check = plans.single(request);
      if (check) return consumeOne(check, cost);
    }
    if (verb === "rules") return rules(request, cost);
    const plan = planned(request, cost);
    if (typeof plan === "string") return Promise.resolve({ error: plan });
    switch (verb) {
      case "consume":
        return consume(plan, cost);
      case "peek":
        return peek(plan, cost);
      case "wait":
        return wait(request, cost, signal);
      case "refund":
        return refund(plan, cost);
      case "reset":
        return reset(plan);
    }
  }

  function planned(request: Request, cost: number): Plan | string {
    const plan = plans.plan(request);
    if (typeof plan === "string" || cost === 1) return plan;
    const fault = costFault(plan.checks.filter(isEnforced), cost);
    if (fault !== undefined) return fault;
    // A policy in shadow that cannot count this refuses nothing for it.
    return { ...plan, checks: plan.checks.filter((check) => costFault([check], cost) === undefined) };
  }

  async function consumeOne(check: RuleCheck, cost: number): Promise<DecisionAnswer> {
    const decision = await limiter.consumeOne(check, cost);
    if (decision?.allowed) onCounted?.({ kind: "consume", policy: check.policy.name, key: check.key, cost });
    return decided(
      decision ? decisionAnswer(check, decision) : unavailableAnswer(check, check.policy.outage === "open"),
    );
  }

  async function consume(plan: Plan, cost: number): Promise<DecisionAnswer> {
    if (isDenied(plan)) return decided(await peek(plan, cost));
    return conclude(plan, await limiter.consume(plan.checks, cost), cost);
  }

  async function peek(plan: Plan, cost: number): Promise<DecisionAnswer> {
    return outcomeAnswer(plan, await limiter.peek(plan.checks.filter(isEnforced), cost));
  }

  function conclude(plan: Plan, outcome: Outcome<RuleCheck>, cost: number): DecisionAnswer {
    for (const { rule, policy, decision } of outcome.shadows)
      onDecision?.({
        rule: rule?.name ?? null,
        policy: policy.name,
        allowed: decision.allowed,
        shadow: true,
      });
    counted("consume", outcome.counted, cost);
    return decided(outcomeAnswer(plan, outcome));
  }

  function decided(answer: DecisionAnswer): DecisionAnswer {
    onDecision?.({ rule: answer.rule, policy: answer.policy, allowed: answer.allowed, shadow: false });
    return answer;
  }

  function counted(kind: CountedEvent["kind"], checks: readonly RuleCheck[], cost: number): void {
    for (const { policy, key } of checks) onCounted?.({ kind, policy: policy.name, key, cost });
  }

  /** Decided by the configuration of the moment, each time. */
  function wait(request: Request, cost: number, signal: AbortSignal | undefined): Promise<Body> {
    const plan = () => planned(request, cost);
    return waiting.wait<Body>({
      cost,
      maxWaitMs: request.maxWaitMs ?? 0,
      signal,
      checks() {
        const now = plan();
        return typeof now === "string" || isDenied(now) ? [] : now.checks.filter(isEnforced);
      },
      async attempt(waitableMs) {
        const now = plan();
        if (typeof now === "string") return { done: { error: now }, allowed: false };
        if (isDenied(now)) return { done: await consume(now, cost), allowed: false };
        const outcome = await limiter.consume(now.checks, cost, { waitableMs });
        const { refusal } = outcome;
        if (refusal && isWaitable(refusal.decision, waitableMs)) return { refusal };
        const answer = conclude(now, outcome, cost);
        return { done: answer, allowed: answer.allowed };
      },
      async refuse(refusal) {
        const now = plan();
        if (typeof now === "string") return { error: now };
        return conclude(now, await limiter.consume(now.checks, cost, { refusal }), cost);
      },
      forecast: (check, queuedCosts) => limiter.forecast(check, queuedCosts, cost),
    });
  }

  /** Refunds all that would count the request, at once. A policy that cannot is an error, and nothing is refunded. */
  async function refund({ checks, fixed }: Plan, cost: number): Promise<Body> {
    if (fixed?.answer === "deny") return { refunded: false };
    const stuck = checks.filter(isEnforced).find(({ policy }) => !policy.algorithm.refund);
    if (stuck)
      return {
        error: `the policy ${JSON.stringify(stuck.policy.name)} cannot give back: an ema does not unlearn`,
      };
    const refunded = await limiter.refund(checks, cost);
    counted("refund", refunded, cost);
    for (const { key } of refunded) waiting.wake(key);
    return { refunded: refunded.some(isEnforced) };
  }

  async function reset({ checks }: Plan): Promise<Body> {
    await limiter.reset(checks);
    counted("reset", checks, 1);
    for (const { key } of checks) waiting.wake(key);
    return { reset: true };
  }

  async function rules(request: Request, cost: number): Promise<Body> {
    const matching = plans.matching(request);
    if (typeof matching === "string") return { error: matching };
    const fault = costFault(
      matching.flatMap(({ check }) => check ?? []),
      cost,
    );
    if (fault !== undefined) return { error: fault };
    const answers = matching.map(async ({ rule, check }): Promise<DecisionAnswer> => {
      if ("answer" in rule.leadsTo) return fixedAnswer(rule, rule.leadsTo.answer);
      if (!check || check.policy.mode === "off") return unlimitedAnswer(rule.leadsTo.policy.name, rule);
      const alone: RuleCheck = { ...check, policy: { ...check.policy, mode: "enforce" } };
      const answer = await peek({ checks: [alone], fixed: undefined, named: undefined }, cost);
      return check.policy.mode === "shadow" ? { ...answer, shadow: true } : answer;
    });
    return { rules: await Promise.all(answers) };
  }

  return {
    async execute(request, signal) {
      const { id } = request;
      let answer: Answer;
      try {
        answer = await answerTo(request, signal);
      } catch (error) {
        report(error);
        answer = { error: "the limiter could not do this: the states cannot be reached", unavailable: true };
      }
      if (id !== undefined) answer.id = id;
      return answer;
    },

    waiting: waiting.count,

    use(next) {
      current = next;
      plans = planner(next);
      waiting.wakeAll();
    },

    async count(event) {
      const policy = current.policies.get(event.policy);
      if (!policy || policy.mode === "off") return;
      try {
        await countPeerEvent(store, policy.algorithm, event);
        if (event.kind !== "consume") waiting.wake(event.key);
      } catch (error) {
        report(error, event.policy);
      }
    },
  };
}

/** Refused in any case: there is nothing to count, and nothing to wait for. */
function isDenied({ fixed }: Plan): boolean {
  return fixed?.answer === "deny";
}

function isEnforced({ policy }: RuleCheck): boolean {
  return policy.mode === "enforce";
}

/** A cost that a policy cannot count, such as half a request in a log: to try it would look as if its state were unavailable. */
function costFault(checks: readonly RuleCheck[], cost: number): string | undefined {
  if (cost === 1) return undefined;
  for (const { policy } of checks) {
    try {
      policy.algorithm.step(undefined, 0, cost);
    } catch (error) {
      return `the policy ${JSON.stringify(policy.name)} cannot count this: ${errorMessage(error)}`;
    }
  }
  return undefined;
}
