/**
 * Rules: conditions on a request's fields, and a policy or a fixed answer.
 * They are read from top to bottom; the engine checks those that match.
 */
import { z } from "zod";
import type { ConfiguredPolicy } from "../../lib/limits/policy-schema.ts";
import { controlCharacter, nameSchema, objectFault } from "../schema-parts.ts";
import { type Matcher, matcherOf } from "./condition.ts";
import { conditionSchema } from "./condition-schema.ts";
import { type Fields, fieldOf, fieldsKey, stateKeys } from "./key.ts";

export type { Fields } from "./key.ts";
export { stateKeys } from "./key.ts";

const parts = {
  /** Appears in answers, metrics and the names of states. */
  name: nameSchema.refine((name) => !controlCharacter.test(name), "must have no control characters"),
  /**
   * The conditions on the request's fields, all of which must hold.
   * Left out: the rule matches every request.
   */
  when: z.record(nameSchema, conditionSchema, "must be an object: a condition for each field").optional(),
  /** The fields that its counts are kept by. Left out: one count for all. */
  key: z.array(nameSchema, "must be a list of fields' names").optional(),
  policy: nameSchema.optional(),
  /** Decides without counting: an allow or a deny list. */
  answer: z.enum(["allow", "deny"], "must be allow or deny").optional(),
  /** The message when this rule refuses, or when its fixed answer decides. */
  tell: z.string("must be text").max(1_000, "must have at most 1,000 characters").optional(),
};

/** One rule as the configuration file writes it. */
export const ruleSchema = z
  .strictObject(parts, {
    error: objectFault(Object.keys(parts), "must be an object with a name, and a policy or an answer"),
  })
  .refine(({ policy, answer }) => (policy === undefined) !== (answer === undefined), {
    error: 'must have either a policy or an answer, "allow" or "deny"',
  })
  .refine(({ answer, key }) => answer === undefined || key === undefined, {
    path: ["key"],
    error: "is for a policy's counts: a fixed answer counts nothing",
  })
  .refine(({ key = [] }) => new Set(key).size === key.length, {
    path: ["key"],
    error: "names a field twice",
  });

type WrittenRule = z.infer<typeof ruleSchema>;

export interface Rule {
  name: string;
  /** The message of a refusal. */
  tell: string | undefined;
  matches(fields: Fields): boolean;
  leadsTo: FixedAnswer | RulePolicy;
}

export interface FixedAnswer {
  answer: "allow" | "deny";
}

interface RulePolicy {
  policy: ConfiguredPolicy;
  /** The key of its counts: equal for requests that it counts together. */
  keyOf(fields: Fields): string;
  /** The name of its state for such a key. */
  stateKeyOf(key: string): string;
}

interface RuleSurroundings {
  policies: ReadonlyMap<string, ConfiguredPolicy>;
  /** The values in a file, as it is named in the configuration. */
  valuesOf(file: string): ReadonlySet<string>;
}

/** Compiles rules. Their policies must exist, and their names must differ. */
export function compileRules(rules: readonly WrittenRule[], surroundings: RuleSurroundings): Rule[] {
  return rules.map((rule) => compileRule(rule, surroundings));
}

function compileRule(rule: WrittenRule, { policies, valuesOf }: RuleSurroundings): Rule {
  const conditions = Object.entries(rule.when ?? {}).map(
    ([field, condition]) => [field, matcherOf(condition, valuesOf)] as const,
  );
  return {
    name: rule.name,
    tell: rule.tell,
    matches: (fields) => meetsAll(conditions, fields),
    leadsTo: rule.answer ? { answer: rule.answer } : policyOf(rule, policies),
  };
}

function policyOf(
  { name, policy: policyName = "", key = [] }: WrittenRule,
  policies: ReadonlyMap<string, ConfiguredPolicy>,
): RulePolicy {
  const policy = policies.get(policyName);
  if (!policy) throw new Error(`The policy of rule ${name} is not among those that there are`);
  return { policy, keyOf: fieldsKey(key), stateKeyOf: stateKeys(policy, "rule", name) };
}

function meetsAll(conditions: readonly (readonly [string, Matcher])[], fields: Fields): boolean {
  for (const [field, isMet] of conditions) if (!isMet(fieldOf(fields, field))) return false;
  return true;
}
