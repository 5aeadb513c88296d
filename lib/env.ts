/**
 * The settings: `process.env`, parsed once. Nothing else reads `process.env` for a setting.
 *
 * `parseSettings` throws a `SettingsError` whose message is one line naming each bad setting and what it takes.
 */
import { z } from "zod";

export class SettingsError extends Error {
  override name = "SettingsError";
}

const positive = (byDefault: number) => z.coerce.number().positive().default(byDefault);

const settings = z.object({
  NODE_ENV: z.enum(["development", "production", "test"]).default("development"),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  DATABASE_URL: z
    .string()
    .regex(/^file:.+/, "must be a file: address such as file:./data/weir.db")
    .default("file:./data/weir.db"),
  AUTH_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  SITE_URL: z
    .url({ protocol: /^https?$/, error: "must be an http or https address" })
    .transform((url) => new URL(url).origin)
    .optional(),
  RATING_LIMITER: z.enum(["leaky-bucket", "ema", "none"]).default("leaky-bucket"),
  LEAKY_BUCKET_CAPACITY: positive(20),
  LEAKY_BUCKET_LEAK_PER_SECOND: positive(10),
  EMA_THRESHOLD: positive(4),
  LIMITER_STORE: z.enum(["database", "memory"]).default("database"),
  LIMITS: z
    .string()
    .default("{}")
    .transform((text, context) => {
      try {
        return z.record(z.string(), z.record(z.string(), z.unknown())).parse(JSON.parse(text));
      } catch {
        context.addIssue({
          code: "custom",
          message: 'must be JSON such as {"register.address": {"mode": "off"}}',
        });
        return z.NEVER;
      }
    }),
  TRUSTED_PROXY_HOPS: z.coerce.number().int().min(0).max(16).default(0),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

/** Settings whose values never appear in a message. */
const secret = new Set(["AUTH_SECRET"]);

export type Settings = z.infer<typeof settings>;
/** The names of all settings, for the check that `.env.example` lists each of them. */
export const settingNames = Object.keys(settings.shape);

/** Reads settings from the given environment; an empty value counts as unset. Throws `SettingsError`. */
export function parseSettings(environment: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const result = settings.safeParse(given);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    return secret.has(name)
      ? `${name}: ${issue.message}`
      : `${name}: ${issue.message} (it is ${JSON.stringify(given[name])})`;
  });
  throw new SettingsError(`Bad setting. ${faults.join("; ")}`);
}

export const env = parseSettings(process.env);
