// Over 200 lines: a list, of all settings.

/**
 * The settings: `process.env`, parsed once.
 * No other file of the app reads `process.env` for a setting.
 *
 * `parseSettings` throws a `SettingsError` whose message is one line naming each bad setting and its valid values.
 */
import { z } from "zod";
import { isDatabaseUrl, isPostgresUrl } from "../../db/address.ts";
import { algorithmNames } from "../limiter/index.ts";
import { accessRules } from "../limits/access-rules.ts";
import { errorMessage } from "../logging/error-message.ts";
import { logLevels } from "../logging/log-levels.ts";
import { scoringDefaults } from "../ratings/tally/tally.ts";
import { siteFields } from "../site/schema.ts";
import { dayMs } from "../time/units.ts";
import { type Validated, validate } from "../validation.ts";
import { durationSchema } from "./durations.ts";
import { mailUrlFault, smtpServerFrom } from "./mail-settings.ts";
import { holdDefaults, ratingVariableSchemas } from "./rating-settings.ts";
import { isRedisUrl } from "./redis-url.ts";

export class SettingsError extends Error {
  override name = "SettingsError";
}

const days = (byDefault: number) => durationSchema("days").default(byDefault);
const atLeastZero = "must be a number from 0 to 8760";
const whole = (maximum: number, byDefault: number, minimum = 0) => {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return z.coerce.number(message).int(message).min(minimum, message).max(maximum, message).default(byDefault);
};
const oneOf = <const T extends string>(choices: readonly T[], byDefault: T) =>
  z.enum(choices, `must be one of ${choices.join(", ")}`).default(() => byDefault);

const redisUrlDefault = "redis://127.0.0.1:6379";
const redisUrlFault =
  "must be a redis: or rediss: address such as redis://127.0.0.1:6379, or redis://:password@host:6379/1 for a database other than 0";

const databaseUrlFault =
  "must be a file: address such as file:./data/weir.db, or a postgres: address such as postgres://user:password@host:5432/weir";

const fields = z.object({
  ...ratingVariableSchemas,
  // Undefined unless set: administrators then choose on /admin/settings.
  ...z.object(siteFields).partial().shape,
  NODE_ENV: oneOf(["development", "production", "test"], "development"),
  PORT: whole(65_535, 3000),
  HOST: z
    .string()
    .regex(/^(?:[\w.-]+|[\da-f:.]+)$/i, "must be an address or a name of this machine, such as 127.0.0.1")
    .optional(),
  DATABASE_URL: z.string().refine(isDatabaseUrl, databaseUrlFault).default("file:./data/weir.db"),
  POSTGRES_POOL_SIZE: whole(200, 10, 2),
  NODES: whole(64, 1, 1),
  AUTH_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  ADMIN_SECOND_FACTOR: oneOf(["optional", "required"], "optional"),
  SESSION_IDLE_DAYS: days(30),
  SESSION_MAXIMUM_DAYS: days(90),
  NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: z
    .string()
    .refine(isAesKey, "must be 16, 24 or 32 bytes in base64, such as openssl rand -base64 32 prints")
    .optional(),
  SITE_URL: z
    .url({ protocol: /^https?$/, error: "must be an http or https address" })
    .transform((url) => new URL(url).origin)
    .optional(),
  MAIL_URL: z
    .string()
    .refine((text) => smtpServerFrom(text) !== undefined, mailUrlFault)
    .optional(),
  WEBHOOK_PRIVATE_ADDRESSES: oneOf(["refuse", "allow"], "refuse"),
  REGISTRATION_CHALLENGE: oneOf(["proof-of-work", "off"], "proof-of-work"),
  REGISTRATION_CHALLENGE_COST: whole(1_000_000, 5_000, 1),
  REGISTRATION_WAIT_SECONDS: whole(600, 10),
  NEW_ACCOUNT_HOURS: z.coerce.number(atLeastZero).min(0, atLeastZero).max(8_760, atLeastZero).default(0),
  RATING_LIMITER: oneOf([...algorithmNames, "none"], "leaky-bucket"),
  LIMITER_TIME_ZONE: z
    .string()
    .refine(isTimeZone, "must be a time zone such as Europe/Berlin, or UTC")
    .default("UTC"),
  RATING_OVERFLOW: oneOf(["reject", "wait", "hold"], "reject"),
  RATING_FLOODS: oneOf(["hold", "count"], "hold"),
  RATING_MAX_WAIT_MS: whole(10_000, 1_000),
  RATING_HOLD_DAYS: days(scoringDefaults.holdMs / dayMs),
  ATTEMPTS_KEPT_DAYS: days(90),
  SETTLED_SCORE_FIRST_RATERS: whole(1_000, scoringDefaults.settling.firstRaters, 1),
  SETTLED_SCORE_UNIT_DAYS: days(scoringDefaults.settling.unitDays),
  LIMITER_STORE: oneOf(["database", "memory", "redis"], "database"),
  MEMORY_STORE_MAX_KEYS: whole(10_000_000, 100_000, 1),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, hostname: /./, error: redisUrlFault })
    .refine(isRedisUrl, redisUrlFault)
    .default(redisUrlDefault),
  LIMITS: z
    .string()
    .default("{}")
    .transform((text, context) => {
      try {
        return z
          .record(z.string(), z.record(z.string(), z.unknown()))
          .parse(JSON.parse(text, withoutPrototype));
      } catch {
        context.addIssue({
          code: "custom",
          message: 'must be JSON such as {"register.address": {"mode": "off"}}',
        });
        return z.NEVER;
      }
    }),
  ACCESS_RULES: z
    .string()
    .default("")
    .transform((text, context) => {
      try {
        return accessRules(text);
      } catch (error) {
        context.addIssue({ code: "custom", message: errorMessage(error) });
        return z.NEVER;
      }
    }),
  TRUSTED_PROXY_HOPS: whole(16, 0),
  PAGE_CACHE_MB: whole(65_536, 64),
  MEDIA_FOLDER: z.string().optional(),
  MEDIA_MB_PER_USER: whole(1_000_000, 500),
  METRICS_TOKEN: z
    .string()
    .regex(/^[!-~]{16,}$/, "must have at least 16 characters, and no spaces")
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: "must be an http or https address such as http://127.0.0.1:4318" })
    .transform((url) => url.replace(/\/+$/, ""))
    .optional(),
  LOG_LEVEL: oneOf(logLevels, "info"),
});

/**
 * Settings that depend on others.
 * Several nodes must share some: a limit or secret kept by one node alone would fail silently.
 */
const settings = fields.superRefine(({ NODES, ...given }, context) => {
  const [missing, present] = given.MAIL_URL ? ["MAIL_FROM", "MAIL_URL"] : ["MAIL_URL", "MAIL_FROM"];
  if ((given.MAIL_URL === undefined) !== (given.MAIL_FROM === undefined))
    context.addIssue({ code: "custom", path: [missing], message: `must be set together with ${present}` });
  if (given.SITE_LANGUAGE && given.SITE_LANGUAGES?.includes(given.SITE_LANGUAGE) === false)
    context.addIssue({ code: "custom", path: ["SITE_LANGUAGE"], message: "must be one of SITE_LANGUAGES" });
  const { EMAIL_VERIFICATION = "off" } = given;
  if (EMAIL_VERIFICATION !== "off" && (given.MAIL_URL === undefined || given.SITE_URL === undefined))
    context.addIssue({
      code: "custom",
      path: ["EMAIL_VERIFICATION"],
      message: "needs MAIL_URL, MAIL_FROM and SITE_URL: without them no one could confirm an address",
    });
  if (NODES === 1) return;
  const refuse = (name: keyof typeof given, message: string) =>
    context.addIssue({ code: "custom", path: [name], message: `with NODES=${NODES} ${message}` });
  if (!isPostgresUrl(given.DATABASE_URL))
    refuse("DATABASE_URL", "must be a postgres:// address: an SQLite file is one machine's");
  if (given.LIMITER_STORE === "memory")
    refuse("LIMITER_STORE", "must be redis or database: each node would count by itself");
  if (given.LIMITER_STORE === "redis" && given.REDIS_URL === redisUrlDefault)
    refuse("REDIS_URL", "must be set, the same on all: this one is each machine's own");
  if (!given.MEDIA_FOLDER)
    refuse(
      "MEDIA_FOLDER",
      "must be set, one folder that all share: an image that one node has saved, all show",
    );
  if (!given.AUTH_SECRET)
    refuse(
      "AUTH_SECRET",
      "must be set, the same on all: a session begun on one node must be one on the others",
    );
  if (!given.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY)
    refuse(
      "NEXT_SERVER_ACTIONS_ENCRYPTION_KEY",
      "must be set, the same on all: a form that one node has shown may be sent to another",
    );
});

/** Settings whose values never appear in a message. */
const secret = new Set([
  "AUTH_SECRET",
  "NEXT_SERVER_ACTIONS_ENCRYPTION_KEY",
  "REDIS_URL",
  "METRICS_TOKEN",
  "MAIL_URL",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
]);

export type Settings = z.infer<typeof fields>;
/** The names of all settings, for the check that `.env.example` lists each of them. */
export const settingNames = Object.keys(fields.shape);

/**
 * Reads settings from the given environment; faults are by setting.
 * An empty or blank value counts as unset.
 */
export function readSettings(environment: Record<string, string | undefined>): Validated<Settings> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  return validate(settings, given.RATING_OVERFLOW === "hold" ? { ...holdDefaults, ...given } : given);
}

/** As `readSettings`, for the start of the app: throws `SettingsError`. */
export function parseSettings(environment: Record<string, string | undefined>): Settings {
  const result = readSettings(environment);
  if (result.ok) return result.value;
  const faults = Object.entries(result.errors).map(([name, messages]) =>
    isSecret(name, environment[name])
      ? `${name}: ${messages[0]}`
      : `${name}: ${messages[0]} (it is ${JSON.stringify(environment[name])})`,
  );
  throw new SettingsError(`Bad setting. ${faults.join("; ")}`);
}

export const env = parseSettings(process.env);

/**
 * Also true for an unset value, and for a database address with a host.
 * Such an address may have a password.
 */
function isSecret(name: string, value: string | undefined): boolean {
  return value === undefined || secret.has(name) || (name === "DATABASE_URL" && value.includes("//"));
}

function isAesKey(text: string): boolean {
  const bytes = Buffer.from(text, "base64");
  return (
    bytes.toString("base64").replace(/=+$/, "") === text.replace(/=+$/, "") &&
    [16, 24, 32].includes(bytes.length)
  );
}

/**
 * For JSON.parse:
 * a key that would set an object's prototype would be lost silently.
 */
function withoutPrototype(key: string, value: unknown): unknown {
  if (key === "__proto__") throw new Error("no such name");
  return value;
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
