/** The rules of a configuration, checked and compiled. */
import { z } from "zod";
import type { Policy } from "../../lib/policy.ts";
import { ConfigurationFault } from "../fault.ts";
import { compileRules, type Rule, ruleSchema } from "../rules/index.ts";
import type { Findings } from "./findings.ts";
import { namedFiles, pathOf, type ValueFiles } from "./values.ts";

export interface RulesSurroundings {
  policies: ReadonlyMap<string, Policy>;
  /** The names of all that are written, those with faults too. */
  policyNames: readonly string[];
  /** The path of the configuration file. */
  file: string;
  files: ValueFiles;
}

const rulesSchema = z.array(z.unknown(), "must be a list of rules").default([]);
const none: ReadonlySet<string> = new Set();

/** Undefined when there are faults, here or before; those of each rule are told. */
export function rulesFrom(
  configuration: { rules?: unknown },
  { policies, policyNames, file, files }: RulesSurroundings,
  { faults, tell, part }: Findings,
): Rule[] | undefined {
  const found = (name: string) => files.get(pathOf(name, file)) ?? none;
  for (const { name, path } of namedFiles(configuration)) {
    const values = found(name);
    if ("fault" in values) tell(path, `${pathOf(name, file)} ${values.fault}`);
  }
  const valuesOf = (name: string) => {
    const values = found(name);
    return "fault" in values ? none : values;
  };

  const written = part(["rules"], rulesSchema, configuration.rules) ?? [];
  const rules = written.flatMap((value, index) => {
    const rule = part(["rules", index], ruleSchema, value);
    if (!rule) return [];
    // By itself first, so that the faults of each are told.
    // A policy with faults of its own is not missing.
    const { policy = "" } = rule;
    const isFaulty = policyNames.includes(policy) && !policies.has(policy);
    if (!isFaulty) told(() => compileRules([rule], { policies, valuesOf }), index);
    return [rule];
  });

  function told<T>(compile: () => T, rule?: number): T | undefined {
    try {
      return compile();
    } catch (error) {
      if (!(error instanceof ConfigurationFault)) throw error;
      const [index = 0, ...path] = error.path;
      tell(["rules", rule ?? index, ...path], error.message);
      return undefined;
    }
  }
  if (faults.length > 0) return undefined;
  return told(() => compileRules(rules, { policies, valuesOf }));
}
