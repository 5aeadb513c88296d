/** Configurations of the service for tests, without a file. */
import { policyFrom, policySchema } from "../lib/limits/policy-schema.ts";
import type { EngineConfiguration } from "../service/engine/plan.ts";
import { compileRules, ruleSchema } from "../service/rules/index.ts";

/** As in the file; the first policy is the default one. Throws when it is wrong. */
export function configurationOf({
  policies: written,
  rules = [],
}: {
  policies: Record<string, unknown>;
  rules?: readonly unknown[];
}): EngineConfiguration {
  const policies = new Map(
    Object.entries(written).map(([name, policy]) => [name, policyFrom(name, policySchema.parse(policy))]),
  );
  const [first = ""] = policies.keys();
  const compiled = compileRules(
    rules.map((rule) => ruleSchema.parse(rule)),
    { policies, valuesOf: () => new Set() },
  );
  return { policies, default: first, rules: compiled };
}
