/** The service's configuration file: what is written there, checked. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { algorithmSchema } from "../lib/algorithms.ts";

export const configurationSchema = z.strictObject({
  policies: z.record(z.string(), algorithmSchema),
  default: z.string(),
  store: z.literal("memory"),
});

export type Configuration = z.infer<typeof configurationSchema>;

export function readConfiguration(file: string): Configuration {
  return configurationSchema.parse(JSON.parse(readFileSync(file, "utf8")));
}
