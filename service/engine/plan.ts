/** Which policies a request is checked against. */
import { didYouMean, type PolicyCheck, type RequestPlan } from "../../lib/limiter/index.ts";
import type { ConfiguredPolicy } from "../../lib/limits/policy-schema.ts";
import type { Request } from "../messages.ts";
import { type Fields, type FixedAnswer, type Rule, stateKeys } from "../rules/index.ts";

/** The configuration file, checked and compiled. */
export interface EngineConfiguration {
  policies: ReadonlyMap<string, ConfiguredPolicy>;
  /** The policy of requests that name neither policy nor fields. */
  default: string;
  rules: readonly Rule[];
}

/** A policy to check, for a rule or because the request names it. */
export interface RuleCheck extends PolicyCheck<ConfiguredPolicy> {
  rule: Rule | undefined;
}

/** `checks` are of policies that are on, in the order of the rules. */
export interface CheckPlan extends RequestPlan<RuleCheck> {
  /** The rule whose fixed answer ends the rules. */
  fixed?: Rule;
  /** The policy that was named; undefined when the rules decide. */
  named?: string;
  /** For the verb `rules`: the rule, and whether it refuses nothing. */
  rule?: Rule;
  isShadow?: boolean;
  /** The fault of the request. */
  fault?: string;
}

export function planner({ policies, default: usual, rules }: EngineConfiguration) {
  const named = new Map(
    [...policies].map(([name, policy]) => [name, { policy, stateKeyOf: stateKeys(policy, "key") }]),
  );

  function planOfPolicy(name: string, key: string): CheckPlan {
    const found = named.get(name);
    if (!found) {
      const names = [...named.keys()];
      const fault = `there is no policy ${JSON.stringify(name)}. ${didYouMean([name], names)}There are ${names.join(", ")}`;
      return { checks: [], isDenied: false, fault };
    }
    const { policy, stateKeyOf } = found;
    const check = { policy, key: stateKeyOf(key), rule: undefined, counts: key };
    return { checks: policy.mode === "off" ? [] : [check], isDenied: false, named: name };
  }

  function planOfRules(fields: Fields): CheckPlan {
    const checks: RuleCheck[] = [];
    for (const rule of rules) {
      if (!rule.matches(fields)) continue;
      const check = ruleCheck(rule, fields);
      if ("answer" in check) return { checks, isDenied: check.answer === "deny", fixed: rule };
      if (check.policy.mode !== "off") checks.push(check);
    }
    return { checks, isDenied: false };
  }

  return {
    policies,
    plan(request: Request): CheckPlan {
      const { verb, policy = usual, key = "", fields = verb === "rules" ? {} : undefined } = request;
      return fields ? planOfRules(fields) : planOfPolicy(policy, key);
    },
    /** The plan of each matching rule, as if it were the only one and enforced. */
    ofEachRule({ fields = {} }: Request): CheckPlan[] {
      return rules.flatMap((rule): CheckPlan[] => {
        if (!rule.matches(fields)) return [];
        const check = ruleCheck(rule, fields);
        if ("answer" in check) return [{ checks: [], isDenied: false, fixed: rule }];
        const { mode, name } = check.policy;
        const policy = { ...check.policy, mode: "enforce" as const };
        const checks = mode === "off" ? [] : [{ ...check, policy }];
        return [{ checks, isDenied: false, named: name, rule, isShadow: mode === "shadow" }];
      });
    },
  };
}

function ruleCheck(rule: Rule, fields: Fields): RuleCheck | FixedAnswer {
  if ("answer" in rule.leadsTo) return rule.leadsTo;
  const { policy, keyOf, stateKeyOf } = rule.leadsTo;
  const counts = keyOf(fields);
  return { policy, key: stateKeyOf(counts), rule, counts };
}
