/** What a configuration says, checked: every fault that can be seen at once, each at its place. */
import { dirname } from "node:path";
import { z } from "zod";
import { type Policy, PolicyFault, policyFrom, policySchema } from "../../lib/policy.ts";
import { type StoreSetting, storeSetting } from "../store.ts";
import { type Findings, findingsIn, type Path, type Tell } from "./findings.ts";
import type { FileFault, JsonFile } from "./json-file.ts";

export interface Configuration {
  policies: ReadonlyMap<string, Policy>;
  /** The name of the policy that is asked when none is named. */
  default: string;
  store: StoreSetting;
}

/** The values of each file that the rules name, by its path, or why it could not be read. */
export type ValueFiles = ReadonlyMap<string, ReadonlySet<string> | { fault: string }>;

const parts = {
  policies: z.record(z.string(), z.unknown(), "must be an object of policies, each by its name"),
  default: z.string("must be the name of a policy"),
  store: z.string("must be memory, sqlite:FILE, or the address of a Redis"),
  rules: z.array(z.unknown(), "must be a list of rules").optional(),
};

export function checkConfiguration(
  json: JsonFile,
  file: string,
  values: ValueFiles,
): { configuration: Configuration } | { faults: FileFault[] } {
  const findings = findingsIn(json);
  const { faults, tell, part } = findings;
  const root = part([], z.record(z.string(), z.unknown(), "must be an object"), json.value);
  if (!root) return { faults };
  for (const key of Object.keys(root))
    if (!Object.hasOwn(parts, key)) tell([key], `is not known; there are ${Object.keys(parts).join(", ")}`);

  const written = part(["policies"], parts.policies, root.policies);
  const policies = policiesFrom(written ?? {}, findings);
  const byDefault = part(["default"], parts.default, root.default);
  if (written && byDefault !== undefined && !Object.hasOwn(written, byDefault))
    tell(["default"], `must be the name of a policy, one of ${Object.keys(written).join(", ")}`);
  const store = storeFrom(part(["store"], parts.store, root.store), dirname(file), findings);
  const rules = part(["rules"], parts.rules, root.rules);

  if (faults.length > 0 || byDefault === undefined || !store) return { faults };
  return { configuration: { policies, default: byDefault, store } };
}

function policiesFrom(written: Record<string, unknown>, { tell, part }: Findings): Map<string, Policy> {
  if (Object.keys(written).length === 0) tell(["policies"], "must have one policy at least");
  const policies = new Map<string, Policy>();
  for (const [name, value] of Object.entries(written)) {
    const path = ["policies", name];
    if (name === "" || name.length > 200) tell(path, "must have a name of 1 to 200 characters");
    const policy = part(path, policySchema, value);
    if (!policy) continue;
    try {
      policies.set(name, policyFrom(name, policy));
    } catch (error) {
      if (!(error instanceof PolicyFault)) throw error;
      tellPolicyFault(error, path, value, tell);
    }
  }
  return policies;
}

function tellPolicyFault({ setting, message }: PolicyFault, path: Path, value: unknown, tell: Tell): void {
  if (setting) return tell([...path, setting], `is too small: ${message}`);
  // Which parameter it is, only the message says: "fixedWindow: limit must be …".
  const [, parameter = "", rest = message] = /^\w+: (\w+) (.*)$/s.exec(message) ?? [];
  const isOwn = typeof value === "object" && value !== null && parameter in value;
  tell([...path, ...(isOwn ? [] : ["beyond"]), parameter], rest);
}

function storeFrom(text: string | undefined, folder: string, { tell }: Findings): StoreSetting | undefined {
  try {
    return text === undefined ? undefined : storeSetting(text, folder);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    tell(["store"], error.message);
    return undefined;
  }
}
