/** Decides what the service is asked, under the policies and rules of its configuration. */

import { machineSleep, type Sleep, type Store } from "../lib/limiter/index.ts";
import { errorMessage } from "../lib/logging/error-message.ts";
import type { Answer } from "./answers.ts";
import { fixedAnswer, type Told, unlimitedAnswer } from "./engine/answers.ts";
import { type CountedEvent, type DecisionEvent, deciding } from "./engine/deciding.ts";
import { type EngineConfiguration, type Plan, planner, type Step } from "./engine/plan.ts";
import { waiting } from "./engine/waiting.ts";
import type { Engine, Request } from "./messages.ts";
import { countTold } from "./peers/count.ts";
import type { ToldEvent } from "./peers/message.ts";

export type { CountedEvent, DecisionEvent } from "./engine/deciding.ts";
export type { EngineConfiguration } from "./engine/plan.ts";

export interface EngineSettings {
  configuration: EngineConfiguration;
  store: Store;
  /** Told of each failure: of the policy whose state could not be had, or of a request that could not be answered. */
  report?: (error: unknown, policy?: string) => void;
  onDecision?: (event: DecisionEvent) => void;
  onCounted?: (event: CountedEvent) => void;
  /** How a wait passes the time. */
  sleep?: Sleep;
  /** Milliseconds that only go forward, for how long a wait has taken. */
  clock?: () => number;
}

export interface ServiceEngine extends Engine {
  /** From now on this is the configuration, all of it at once. Who waits is decided by it, too. */
  use(configuration: EngineConfiguration): void;
  /** Counts what another service has counted, whether it fits or not, and tells nobody. Never rejects. */
  count(event: ToldEvent): Promise<void>;
  /** How many wait. */
  waiting(): number;
}

/** What `ask` answers without the id. */
type Body = Told | { refunded: boolean } | { reset: true } | { rules: Told[] } | { error: string };

export function createEngine({
  configuration,
  store,
  report = () => {},
  onDecision,
  onCounted,
  sleep = machineSleep,
  clock = () => performance.now(),
}: EngineSettings): ServiceEngine {
  let current = configuration;
  let plans = planner(configuration);
  const decisions = deciding({ store, report, onDecision, onCounted });
  const { policies } = decisions;
  const { wait, wake, wakeAll, waitingNow } = waiting({ deciding: decisions, sleep, clock });

  function answerTo(request: Request, signal: AbortSignal | undefined): Promise<Body> {
    const { verb, cost = 1, maxWaitMs } = request;
    if (verb === "consume" && maxWaitMs === undefined) {
      const step = plans.single(request);
      if (step && cost === 1) return decisions.single(step, cost);
    }
    if (verb === "rules") return rules(request, cost);
    const plan = planned(request, cost);
    if (typeof plan === "string") return Promise.resolve({ error: plan });
    switch (verb) {
      case "consume":
        return consume(plan, cost);
      case "peek":
        return decisions.peek(plan, cost);
      case "wait":
        return waitFor(request, cost, signal);
      case "refund":
        return refund(plan, cost);
      case "reset":
        return reset(plan);
    }
  }

  function planned(request: Request, cost: number): Plan | string {
    const plan = plans.plan(request);
    if (typeof plan === "string" || cost === 1) return plan;
    // A policy in shadow that cannot count this refuses nobody for it.
    const shadows = plan.shadows.filter((step) => costFault([step], cost) === undefined);
    return costFault(plan.enforced, cost) ?? { ...plan, shadows };
  }

  function consume(plan: Plan, cost: number): Promise<Body> {
    const [step] = plan.enforced;
    const isAlone = plan.enforced.length === 1 && plan.shadows.length === 0 && !plan.fixed;
    if (step && isAlone) return decisions.single(step, cost);
    return decisions.decide(plan, cost);
  }

  async function waitFor(request: Request, cost: number, signal: AbortSignal | undefined): Promise<Body> {
    const { maxWaitMs = 0 } = request;
    const told = await wait({ plan: () => planned(request, cost), cost, maxWaitMs, signal });
    return typeof told === "string" ? { error: told } : told;
  }

  /** What was counted, in all that would count it. One that cannot give back is said before anything is done. */
  async function refund({ enforced, shadows, fixed }: Plan, cost: number): Promise<Body> {
    if (fixed?.answer === "deny") return { refunded: false };
    const stuck = enforced.find(({ policy }) => !policy.algorithm.refund);
    if (stuck)
      return {
        error: `the policy ${JSON.stringify(stuck.policy.name)} cannot give back: an ema does not unlearn`,
      };
    const given = async (steps: typeof enforced) => {
      const backs = steps.map(async (step) => {
        const isBack = await policies.refund(step, cost);
        if (isBack) {
          decisions.nowCounted("refund", step, cost);
          wake(step.key);
        }
        return isBack;
      });
      const given = await Promise.allSettled(backs);
      const failed = given.find((each) => each.status === "rejected");
      const isAny = given.some((each) => each.status === "fulfilled" && each.value);
      // Where some have given back, asking again would have them do so twice: what could not be reached stays counted.
      if (failed && !isAny) throw failed.reason;
      return isAny;
    };
    const [refunded] = await Promise.all([given(enforced), given(shadows)]);
    return { refunded };
  }

  async function reset({ enforced, shadows }: Plan): Promise<Body> {
    const resets = [...enforced, ...shadows].map(async (step) => {
      await policies.reset(step);
      decisions.nowCounted("reset", step, 1);
      wake(step.key);
    });
    await Promise.all(resets);
    return { reset: true };
  }

  async function rules(request: Request, cost: number): Promise<Body> {
    const matching = plans.matching(request);
    if (typeof matching === "string") return { error: matching };
    const fault = costFault(
      matching.flatMap(({ step }) => step ?? []),
      cost,
    );
    if (fault !== undefined) return { error: fault };
    const told = matching.map(async ({ rule, step }): Promise<Told> => {
      if ("answer" in rule.leadsTo) return fixedAnswer(rule, rule.leadsTo.answer);
      if (!step || step.policy.mode === "off") return unlimitedAnswer(rule.leadsTo.policy.name, rule);
      const answer = await decisions.peekStep(step, cost);
      return step.policy.mode === "shadow" ? { ...answer, shadow: true } : answer;
    });
    return { rules: await Promise.all(told) };
  }

  return {
    async ask(request, signal) {
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

    waiting: waitingNow,

    use(next) {
      current = next;
      plans = planner(next);
      wakeAll();
    },

    async count(event) {
      const policy = current.policies.get(event.policy);
      if (!policy || policy.mode === "off") return;
      try {
        await countTold(store, policy.algorithm, event);
        if (event.kind !== "consume") wake(event.key);
      } catch (error) {
        report(error, event.policy);
      }
    },
  };
}

/** A cost that a policy cannot count, such as half a request in a log: to ask it would look as if its state were away. */
function costFault(steps: readonly Step[], cost: number): string | undefined {
  if (cost === 1) return undefined;
  for (const { policy } of steps) {
    try {
      policy.algorithm.step(undefined, 0, cost);
    } catch (error) {
      return `the policy ${JSON.stringify(policy.name)} cannot count this: ${errorMessage(error)}`;
    }
  }
  return undefined;
}
