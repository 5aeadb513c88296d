/** What is to be asked for a request, under the configuration of the moment. */
import type { Asked } from "../../lib/policies-on-store.ts";
import type { Policy } from "../../lib/policy.ts";
import type { Request } from "../messages.ts";
import { type Rule, stateKeys } from "../rules/index.ts";

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

/** Where a policy keeps the keys that callers choose. */
interface NamedPolicy {
  policy: Policy;
  stateKeyOf: (key: string) => string;
}

export interface Planner {
  /** The named policy's only step, when it is enforced: what most requests are, made with as little as can be. */
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
    if (fields) return planOfRules(rulesFor(fields));
    const found = named.get(policy);
    if (!found)
      return `there is no policy ${JSON.stringify(policy)}; there are ${[...named.keys()].join(", ")}`;
    return { ...byMode([stepOf(found, key)]), fixed: undefined, named: policy };
  }

  function* rulesFor(fields: NonNullable<Request["fields"]>) {
    for (const rule of rules) if (rule.matches(fields)) yield { rule, step: ruleStep(rule, fields) };
  }

  return {
    single,
    plan,
    matching(request) {
      if (request.policy !== undefined || request.key !== undefined)
        return "rules are asked with fields: leave policy and key out";
      return [...rulesFor(request.fields ?? {})];
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

function ruleStep(rule: Rule, fields: NonNullable<Request["fields"]>): Step | undefined {
  if ("answer" in rule.leadsTo) return undefined;
  const { policy, keyOf, stateKeyOf } = rule.leadsTo;
  const counts = keyOf(fields);
  return { policy, key: stateKeyOf(counts), rule, counts };
}

function planOfRules(matching: Iterable<{ rule: Rule; step: Step | undefined }>): Plan {
  const steps: Step[] = [];
  for (const { rule, step } of matching) {
    if ("answer" in rule.leadsTo)
      return { ...byMode(steps), fixed: { rule, answer: rule.leadsTo.answer }, named: undefined };
    if (step) steps.push(step);
  }
  return { ...byMode(steps), fixed: undefined, named: undefined };
}

/** A policy that is off is not asked. */
function byMode(steps: readonly Step[]): Pick<Plan, "enforced" | "shadows"> {
  return {
    enforced: steps.filter(({ policy }) => policy.mode === "enforce"),
    shadows: steps.filter(({ policy }) => policy.mode === "shadow"),
  };
}
