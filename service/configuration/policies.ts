/** The policies of a configuration, checked and made. */
import { z } from "zod";
import { algorithmDefinition, settingsAmongPeers } from "../../lib/limiter/index.ts";
import {
  type ConfiguredPolicy,
  PolicyFault,
  policyFrom,
  policySchema,
  type WrittenPolicy,
} from "../../lib/limits/policy-schema.ts";
import { controlCharacter, longestName } from "../schema-parts.ts";
import type { Findings, Report } from "./findings.ts";
import type { Path } from "./json-file.ts";

const policiesSchema = z.record(z.string(), z.unknown(), "must be an object of policies, each by its name");

/**
 * Reads the policies: those without faults, and the names of all.
 * Faults are reported.
 */
export function policiesFrom(
  configuration: { policies?: unknown; peers?: unknown },
  { report, part }: Findings,
): { policies: Map<string, ConfiguredPolicy>; names: string[] | undefined } {
  const written = part(["policies"], policiesSchema, configuration.policies);
  if (written && Object.keys(written).length === 0) report(["policies"], "must have one policy at least");
  const policies = new Map<string, ConfiguredPolicy>();
  for (const [name, value] of Object.entries(written ?? {})) {
    const path = ["policies", name];
    if (name === "" || name.length > longestName)
      report(path, `must have a name of 1 to ${longestName} characters`);
    if (controlCharacter.test(name)) report(path, "must have a name without control characters");
    const policy = part(path, policySchema, value);
    if (!policy) continue;
    try {
      const parameters =
        configuration.peers === undefined ? policy.parameters : settingsAmongPeers(policy.parameters);
      policies.set(name, policyFrom(name, { ...policy, parameters }));
    } catch (error) {
      if (!(error instanceof PolicyFault)) throw error;
      reportFault(error, path, policy, report);
    }
  }
  return { policies, names: written && Object.keys(written) };
}

function reportFault(
  { setting, message }: PolicyFault,
  path: Path,
  { parameters }: WrittenPolicy,
  report: Report,
): void {
  if (setting) {
    report([...path, setting], `is too small: ${message}`);
    return;
  }
  // Only the message names the parameter: "fixedWindow: limit must be …".
  const [, parameter = "", rest = message] = /^\w+: (\w+) (.*)$/s.exec(message) ?? [];
  const { settings } = algorithmDefinition(parameters.algorithm);
  const nested = Object.keys(settings).filter((name) => settings[name]?.type === "algorithm");
  report([...path, ...(parameter in settings ? [] : nested), parameter], rest);
}
