/** The rules of a configuration, checked and compiled. */
import { z } from "zod";
import { didYouMean } from "../../lib/limiter/index.ts";
import type { ConfiguredPolicy } from "../../lib/limits/policy-schema.ts";
import { compileRules, type Rule, ruleSchema } from "../rules/index.ts";
import type { Findings } from "./findings.ts";
import { namedFiles, pathOf, type ValueFiles } from "./values.ts";

interface RulesSurroundings {
  policies: ReadonlyMap<string, ConfiguredPolicy>;
  /**
   * The names of all policies, those with faults too.
   * Undefined when `policies` is not an object.
   */
  policyNames: readonly string[] | undefined;
  /** The path of the configuration file. */
  file: string;
  files: ValueFiles;
}

const rulesSchema = z.array(z.unknown(), "must be a list of rules").default([]);

/**
 * Reads the rules; undefined when there are faults, here or before.
 * The faults of each rule are reported.
 */
export function rulesFrom(
  configuration: { rules?: unknown },
  { policies, policyNames, file, files }: RulesSurroundings,
  { faults, report, part }: Findings,
): Rule[] | undefined {
  for (const { name, path } of namedFiles(configuration)) {
    const values = files.get(pathOf(name, file));
    if (values && "fault" in values) report(path, `${pathOf(name, file)} ${values.fault}`);
  }
  const written = part(["rules"], rulesSchema, configuration.rules) ?? [];
  const indices = new Map<string, number>();
  const rules = written.flatMap((value, index) => {
    const rule = part(["rules", index], ruleSchema, value);
    if (!rule) return [];
    const { name, policy } = rule;
    if (policy !== undefined && policyNames && !policyNames.includes(policy))
      report(
        ["rules", index, "policy"],
        `there is no policy ${JSON.stringify(policy)}. ${didYouMean([policy], policyNames)}There are ${policyNames.join(", ")}`,
      );
    const earlier = indices.get(name);
    if (earlier === undefined) indices.set(name, index);
    else
      report(
        ["rules", index, "name"],
        `the name ${JSON.stringify(name)} is that of the rule with number ${earlier + 1} already`,
      );
    return [rule];
  });
  if (faults.length > 0) return undefined;
  return compileRules(rules, {
    policies,
    valuesOf(name) {
      const values = files.get(pathOf(name, file));
      if (!values || "fault" in values) throw new Error(`The values of ${name} have not been read`);
      return values;
    },
  });
}
