/** The checks of a request, under the configuration of the moment. */
import type { PolicyCheck } from "../../lib/limiter/index.ts";
import type { Policy } from "../../lib/limits/policy-schema.ts";
import type { Request } from "../messages.ts";
import { type Fields, type Rule, type RulePolicy, stateKeys } from "../rules/index.ts";

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

export interface Plan {
  /** Of policies that are on, in the order of the rules. */
  checks: readonly RuleCheck[];
  /** The fixed answer that ends the rules; undefined when there is none. */
  fixed: { rule: Rule; answer: "allow" | "deny" } | undefined;
  /** The policy that was named; undefined when the rules decide. */
  named: string | undefined;
}

/** Where a policy keeps the keys that callers choose. */
interface NamedPolicy {
  policy: Policy;
  stateKeyOf: (key: string) => string;
}

export interface Planner {
  /** The check of a request for one policy in mode enforce: most requests are so, and it costs next to nothing. */
  single(request: Request): RuleCheck | undefined;
  /** Text is a fault of the request. */
  plan(request: Request): Plan | string;
  /** The rules that match, all of them, those below a fixed answer too. Text is a fault of the request. */
  matching(request: Request): { rule: Rule; check: RuleCheck | undefined }[] | string;
}

export function planner(configuration: EngineConfiguration): Planner {
  const { policies, rules } = configuration;
  const named = new Map<string, NamedPolicy>(
    [...policies].map(([name, policy]) => [name, { policy, stateKeyOf: stateKeys(policy, "key") }]),
  );

  function single({ policy = configuration.default, key = "", fields }: Request): RuleCheck | undefined {
    const found = fields === undefined ? named.get(policy) : undefined;
    return found?.policy.mode === "enforce" ? namedCheck(found, key) : undefined;
  }

  function plan(request: Request): Plan | string {
    const fault = faultOf(request);
    if (fault !== undefined) return fault;
    const { policy = configuration.default, key = "", fields } = request;
    if (fields) return planOfRules(rules, fields);
    const found = named.get(policy);
    if (!found)
      return `there is no policy ${JSON.stringify(policy)}; there are ${[...named.keys()].join(", ")}`;
    return { checks: [namedCheck(found, key)].filter(isOn), fixed: undefined, named: policy };
  }

  return {
    single,
    plan,
    matching(request) {
      if (request.policy !== undefined || request.key !== undefined)
        return "the verb rules takes fields: leave policy and key out";
      const { fields = {} } = request;
      return rules
        .filter((rule) => rule.matches(fields))
        .map((rule) => ({
          rule,
          check: "answer" in rule.leadsTo ? undefined : ruleCheck(rule, rule.leadsTo, fields),
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

function namedCheck({ policy, stateKeyOf }: NamedPolicy, key: string): RuleCheck {
  return { policy, key: stateKeyOf(key), rule: undefined, counts: key };
}

function ruleCheck(rule: Rule, { policy, keyOf, stateKeyOf }: RulePolicy, fields: Fields): RuleCheck {
  const counts = keyOf(fields);
  return { policy, key: stateKeyOf(counts), rule, counts };
}

function planOfRules(rules: readonly Rule[], fields: Fields): Plan {
  const checks: RuleCheck[] = [];
  for (const rule of rules) {
    if (!rule.matches(fields)) continue;
    const { leadsTo } = rule;
    if ("answer" in leadsTo)
      return { checks: checks.filter(isOn), fixed: { rule, answer: leadsTo.answer }, named: undefined };
    checks.push(ruleCheck(rule, leadsTo, fields));
  }
  return { checks: checks.filter(isOn), fixed: undefined, named: undefined };
}

function isOn({ policy }: RuleCheck): boolean {
  return policy.mode !== "off";
}
