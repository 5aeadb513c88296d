/** The service's configuration file: what is written there, checked. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { policyFrom, policySchema } from "../lib/policy.ts";
import type { EngineConfiguration } from "./engine.ts";

export const configurationSchema = z.strictObject({
  policies: z.record(z.string(), policySchema),
  default: z.string(),
  store: z.literal("memory"),
});

export function readConfiguration(file: string): EngineConfiguration {
  const { policies, ...written } = configurationSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  const compiled = Object.entries(policies).map(
    ([name, policy]) => [name, policyFrom(name, policy)] as const,
  );
  return { policies: new Map(compiled), default: written.default, rules: [] };
}
