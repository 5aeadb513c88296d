/**
 * The settings: `process.env`, parsed once. Nothing else reads `process.env` for a setting.
 *
 * `parseSettings` throws a `SettingsError` whose message is one line naming each bad setting and what it takes.
 */
import { z } from "zod";
import { emaDefaults } from "./limiter/index.ts";

export class SettingsError extends Error {
  override name = "SettingsError";
}

const aboveZero = "must be a number above 0";
const positive = (byDefault: number) => z.coerce.number(aboveZero).positive(aboveZero).default(byDefault);
const whole = (maximum: number, byDefault: number) => {
  const message = `must be a whole number from 0 to ${maximum}`;
  return z.coerce.number(message).int(message).min(0, message).max(maximum, message).default(byDefault);
};
const oneOf = <const T extends string>(choices: readonly T[], byDefault: T) =>
  z.enum(choices, `must be one of ${choices.join(", ")}`).default(() => byDefault);

const settings = z.object({
  NODE_ENV: oneOf(["development", "production", "test"], "development"),
  PORT: whole(65_535, 3000),
  DATABASE_URL: z
    .string()
    .regex(/^file:.+/, "must be a file: address such as file:./data/weir.db")
    .default("file:./data/weir.db"),
  AUTH_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  SITE_URL: z
    .url({ protocol: /^https?$/, error: "must be an http or https address" })
    .transform((url) => new URL(url).origin)
    .optional(),
  RATING_LIMITER: oneOf(
    ["leaky-bucket", "ema", "token-bucket", "fixed-window", "sliding-log", "none"],
    "leaky-bucket",
  ),
  LEAKY_BUCKET_CAPACITY: positive(20),
  LEAKY_BUCKET_LEAK_PER_SECOND: positive(10),
  TOKEN_BUCKET_CAPACITY: positive(20),
  TOKEN_BUCKET_REFILL_PER_SECOND: positive(10),
  FIXED_WINDOW_LIMIT: positive(20),
  FIXED_WINDOW_SECONDS: positive(1),
  SLIDING_LOG_LIMIT: positive(20),
  SLIDING_LOG_SECONDS: positive(1),
  EMA_THRESHOLD: positive(emaDefaults.threshold),
  EMA_RECENT_GAPS: positive(emaDefaults.recentGaps),
  EMA_MINIMUM_GAPS: positive(emaDefaults.minimumGaps),
  EMA_DEVIATION_FLOOR: positive(emaDefaults.deviationFloor),
  EMA_ADAPT_SECONDS: positive(emaDefaults.adaptMs / 1000),
  LIMITER_STORE: oneOf(["database", "memory"], "database"),
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
  TRUSTED_PROXY_HOPS: whole(16, 0),
  LOG_LEVEL: oneOf(["fatal", "error", "warn", "info", "debug", "trace", "silent"], "info"),
});

/** Settings whose values never appear in a message. */
const secret = new Set(["AUTH_SECRET"]);

export type Settings = z.infer<typeof settings>;
/** The names of all settings, for the check that `.env.example` lists each of them. */
export const settingNames = Object.keys(settings.shape);

/** Reads settings from the given environment; an empty or blank value counts as unset. Throws `SettingsError`. */
export function parseSettings(environment: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
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
