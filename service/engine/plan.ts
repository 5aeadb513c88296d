/** Which policies a request is checked against, under the configuration of the moment. */
import type { PolicyCheck, RequestPlan } from "../../lib/limiter/index.ts";
import type { Policy } from "../../lib/limits/policy-schema.ts";
import { errorMessage } from "../../lib/logging/error-message.ts";
import type { Request } from "../messages.ts";
import { type Fields, type Rule, stateKeys } from "../rules/index.ts";

/** The configuration file, checked and compiled. */
export interface EngineConfiguration {
  policies: ReadonlyMap<string, Policy>;
  /** The policy of requests that name neither policy nor fields. */
  default: string;
  rules: readonly Rule[];
}

/** A policy to check, for a rule or because the request names it. */
export interface RuleCheck extends PolicyCheck<Policy> {
  rule: Rule | undefined;
}

/** `checks` are of policies that are on, in the order of the rules. */
export interface Plan extends RequestPlan<RuleCheck> {
  /** The fixed answer that ends the rules. */
  fixed?: { rule: Rule; answer: "allow" | "deny" };
  /** The policy that was named; undefined when the rules decide. */
  named?: string;
  /** What is wrong with the request. */
  fault?: string;
}

export interface Planner {
  plan(request: Request): Plan;
  /** All rules that match, also those below a fixed answer. Text is a fault of the request. */
  matching(request: Request): { rule: Rule; check: RuleCheck | undefined }[] | string;
}

export function planner(configuration: EngineConfiguration): Planner {
  const { policies, rules } = configuration;
  const named = new Map(
    [...policies].map(([name, policy]) => [name, { policy, stateKeyOf: stateKeys(policy, "key") }]),
  );

  function planOfPolicy(name: string, key: string): Plan {
    const found = named.get(name);
    if (!found) {
      const fault = `there is no policy ${JSON.stringify(name)}; there are ${[...named.keys()].join(", ")}`;
      return { checks: [], isDenied: false, fault };
    }
    const { policy, stateKeyOf } = found;
    const checks =
      policy.mode === "off" ? [] : [{ policy, key: stateKeyOf(key), rule: undefined, counts: key }];
    return { checks, isDenied: false, named: name };
  }

  return {
    plan(request) {
      const { policy = configuration.default, key = "", fields, cost = 1 } = request;
      const fault = requestFault(request);
      if (fault !== undefined) return { checks: [], isDenied: false, fault };
      const plan = fields ? planOfRules(rules, fields) : planOfPolicy(policy, key);
      return cost === 1 ? plan : planForCost(plan, cost);
    },
    matching({ policy, key, fields = {}, cost = 1 }) {
      if (policy !== undefined || key !== undefined)
        return "the verb rules takes fields: leave policy and key out";
      const matching = rules
        .filter((rule) => rule.matches(fields))
        .map((rule) => ({ rule, check: ruleCheck(rule, fields) }));
      return matching.map(({ check }) => check && costFault(check, cost)).find(Boolean) ?? matching;
    },
  };
}

function requestFault({ verb, policy, key, fields, maxWaitMs }: Request): string | undefined {
  if (policy !== undefined && fields) return "give either policy, or fields for the rules: not both";
  if (key !== undefined && fields) return "key is for a policy: with fields, the rules make the keys";
  if (verb === "wait" && maxWaitMs === undefined)
    return "wait needs maxWaitMs: how long it may take, in milliseconds";
  if (verb !== "wait" && maxWaitMs !== undefined) return "maxWaitMs is for the verb wait";
  return undefined;
}

function planOfRules(rules: readonly Rule[], fields: Fields): Plan {
  const checks: RuleCheck[] = [];
  for (const rule of rules) {
    if (!rule.matches(fields)) continue;
    if ("answer" in rule.leadsTo) {
      const { answer } = rule.leadsTo;
      return { checks, isDenied: answer === "deny", fixed: { rule, answer } };
    }
    const check = ruleCheck(rule, fields);
    if (check && check.policy.mode !== "off") checks.push(check);
  }
  return { checks, isDenied: false };
}

function ruleCheck(rule: Rule, fields: Fields): RuleCheck | undefined {
  if ("answer" in rule.leadsTo) return undefined;
  const { policy, keyOf, stateKeyOf } = rule.leadsTo;
  const counts = keyOf(fields);
  return { policy, key: stateKeyOf(counts), rule, counts };
}

/** A policy in shadow that cannot count the cost refuses no request for it; any other does. */
function planForCost(plan: Plan, cost: number): Plan {
  const checks = plan.checks.filter((check) => isEnforced(check) || costFault(check, cost) === undefined);
  const fault = checks.map((check) => costFault(check, cost)).find(Boolean);
  return fault === undefined ? { ...plan, checks } : { checks: [], isDenied: false, fault };
}

/** For a cost that a policy cannot count, such as half a request in a log: attempted, it would look like an outage. */
function costFault({ policy }: RuleCheck, cost: number): string | undefined {
  try {
    policy.algorithm.step(undefined, 0, cost);
    return undefined;
  } catch (error) {
    return `the policy ${JSON.stringify(policy.name)} cannot count this: ${errorMessage(error)}`;
  }
}

export function isEnforced({ policy }: RuleCheck): boolean {
  return policy.mode === "enforce";
}
