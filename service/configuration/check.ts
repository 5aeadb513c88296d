/** Checks a configuration: all faults at once, each with its place. */
import { dirname } from "node:path";
import { z } from "zod";
import { didYouMean } from "../../lib/limiter/index.ts";
import type { EngineConfiguration } from "../engine/plan.ts";
import { type PeersSettings, peersSchema, peersStoreFault } from "../peers/settings.ts";
import { type StoreSetting, storeSetting } from "../store.ts";
import { type Findings, findingsIn } from "./findings.ts";
import type { FileFault, JsonFile } from "./json-file.ts";
import { policiesFrom } from "./policies.ts";
import { rulesFrom } from "./rules.ts";
import type { ValueFiles } from "./values.ts";

export interface Configuration extends EngineConfiguration {
  store: StoreSetting;
  /** The other services; undefined when there are none. */
  peers: PeersSettings | undefined;
  /** Its policies and rules as they are written, for people to look at. */
  written: { policies: unknown; default: string; rules: unknown };
}

const keys = ["policies", "default", "store", "rules", "peers"] as const;
const rootSchema = z.record(z.string(), z.unknown(), "must be an object");
const defaultSchema = z.string("must be the name of a policy");
const storeSchema = z.string("must be memory, sqlite:FILE, or the address of a Redis");

/** `file` is the path of the configuration file; `files` are those that it names. */
export function checkConfiguration(
  json: JsonFile,
  file: string,
  files: ValueFiles,
): { configuration: Configuration } | { faults: FileFault[] } {
  const findings = findingsIn(json);
  const { faults, report, part } = findings;
  const root = part([], rootSchema, json.value);
  if (!root) return { faults };
  for (const key of Object.keys(root))
    if (!keys.some((known) => known === key))
      report([key], `is not known. ${didYouMean([key], keys)}There are ${keys.join(", ")}`);

  const { policies, names } = policiesFrom(root, findings);
  const byDefault = part(["default"], defaultSchema, root.default);
  if (names && byDefault !== undefined && !names.includes(byDefault))
    report(["default"], `must be the name of a policy, one of ${names.join(", ")}`);
  const store = storeFrom(part(["store"], storeSchema, root.store), dirname(file), findings);
  const peers = part(["peers"], peersSchema.optional(), root.peers);
  if (root.peers !== undefined && store && store.kind !== "memory") report(["peers"], peersStoreFault);
  const rules = rulesFrom(root, { policies, policyNames: names, file, files }, findings);

  if (faults.length > 0 || byDefault === undefined || !store || !rules)
    return { faults: faults.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)) };
  const written = { policies: root.policies, default: byDefault, rules: root.rules ?? [] };
  return { configuration: { policies, default: byDefault, store, peers, rules, written } };
}

function storeFrom(text: string | undefined, folder: string, { report }: Findings): StoreSetting | undefined {
  try {
    return text === undefined ? undefined : storeSetting(text, folder);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    report(["store"], error.message);
    return undefined;
  }
}
