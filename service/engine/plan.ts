/** What is to be asked for a request, under the configuration of the moment. */
import type { Asked } from "../../lib/policies-on-store.ts";
import type { Policy } from "../../lib/policy.ts";
import type { Request } from "../messages.ts";
import { type Fields, type Rule, type RulePolicy, stateKeys } from "../rules/index.ts";

/** The configuration file, checked and compiled. */
export interface EngineConfiguration {
  policies: ReadonlyMap<string, Policy>;
  /** The policy of those who name neither policy nor fields: one of them. */
  default: string;
  rules: readonly Rule[];
}

/** A policy to ask, for a rule or because the request names it. */
export interface Step extends Asked {
  rule: Rule | undefined;
  /** What its counts are kept by: steps for which this is the same count the same. */
  counts: string;
}

export interface Plan {
  /** Those that may refuse, in order. */
  enforced: readonly Step[];
  shadows: readonly Step[];
  /** The fixed answer that ends the rules; undefined when there is none. */
  fixed: { rule: Rule; answer: "allow" | "deny" } | undefined;
  /** The policy that was named; undefined when rules are asked. */
  named: string | undefined;
}

interface MutablePlan extends Plan {
  enforced: Step[];
  shadows: Step[];
}

/** Where a policy keeps the keys that callers choose. */
interface NamedPolicy {
  policy: Policy;
  stateKeyOf: (key: string) => string;
}

export interface Planner {
  /** The step of the policy that is asked alone, if it is enforced: most requests are so, and it costs next to nothing. */
  single(request: Request): Step | undefined;
  /** Text is a fault of the request. */
  plan(request: Request): Plan | string;
  /** The rules that match, all of them, those below a fixed answer too. Text is a fault of the request. */
  matching(request: Request): { rule: Rule; step: Step | undefined }[] | string;
}

export function planner(configuration: EngineConfiguration): Planner {
  const { policies, rules } = configuration;
  const named = new Map<string, NamedPolicy>(
    [...policies].map(([name, policy]) => [name, { policy, stateKeyOf: stateKeys(policy, "key") }]),
  );

  function single({ policy = configuration.default, key = "", fields }: Request): Step | undefined {
    const found = fields === undefined ? named.get(policy) : undefined;
    return found?.policy.mode === "enforce" ? stepOf(found, key) : undefined;
  }

  function plan(request: Request): Plan | string {
    const fault = faultOf(request);
    if (fault !== undefined) return fault;
    const { policy = configuration.default, key = "", fields } = request;
    if (fields) return planOfRules(rules, fields);
    const found = named.get(policy);
    if (!found)
      return `there is no policy ${JSON.stringify(policy)}; there are ${[...named.keys()].join(", ")}`;
    const plan: MutablePlan = { enforced: [], shadows: [], fixed: undefined, named: policy };
    addStep(plan, stepOf(found, key));
    return plan;
  }

  return {
    single,
    plan,
    matching(request) {
      if (request.policy !== undefined || request.key !== undefined)
        return "rules are asked with fields: leave policy and key out";
      const { fields = {} } = request;
      return rules
        .filter((rule) => rule.matches(fields))
        .map((rule) => ({
          rule,
          step: "answer" in rule.leadsTo ? undefined : ruleStep(rule, rule.leadsTo, fields),
        }));
    },
  };
}

function faultOf({ verb, policy, key, fields, maxWaitMs }: Request): string | undefined {
  if (policy !== undefined && fields) return "give either policy, or fields for the rules: not both";
  if (key !== undefined && fields) return "key is for a policy: with fields, the rules make the keys";
  if (verb === "wait" && maxWaitMs === undefined)
    return "wait needs maxWaitMs: how long it may take, in milliseconds";
  if (verb !== "wait" && maxWaitMs !== undefined) return "maxWaitMs is for the verb wait";
  return undefined;
}

function stepOf({ policy, stateKeyOf }: NamedPolicy, key: string): Step {
  return { policy, key: stateKeyOf(key), rule: undefined, counts: key };
}

function ruleStep(rule: Rule, { policy, keyOf, stateKeyOf }: RulePolicy, fields: Fields): Step {
  const counts = keyOf(fields);
  return { policy, key: stateKeyOf(counts), rule, counts };
}

function planOfRules(rules: readonly Rule[], fields: Fields): Plan {
  const plan: MutablePlan = { enforced: [], shadows: [], fixed: undefined, named: undefined };
  for (const rule of rules) {
    if (!rule.matches(fields)) continue;
    const { leadsTo } = rule;
    if ("answer" in leadsTo) {
      plan.fixed = { rule, answer: leadsTo.answer };
      break;
    }
    addStep(plan, ruleStep(rule, leadsTo, fields));
  }
  return plan;
}

/** A policy that is off is not asked. */
function addStep({ enforced, shadows }: MutablePlan, step: Step): void {
  if (step.policy.mode === "enforce") enforced.push(step);
  if (step.policy.mode === "shadow") shadows.push(step);
}
