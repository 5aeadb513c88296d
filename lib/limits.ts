/**
 * Every limit of the app, by name, with what it counts and how it decides.
 *
 * The setting LIMITS overrides any of them: `{"register.address": {"mode": "off"}}` or
 * `{"login.account": {"capacity": 5}}` or `{"rating.post": {"algorithm": "ema", "threshold": 5}}`.
 * Parameters that an override leaves out are those written here, as long as the algorithm stays the same.
 */
import { z } from "zod";
import { env, type Settings, SettingsError, settingNames } from "./env.ts";
import { type Algorithm, ema, fixedWindow, leakyBucket, slidingLog, tokenBucket } from "./limiter/index.ts";

export interface Policy {
  name: PolicyName;
  algorithm: Algorithm<unknown>;
}

interface Written {
  mode: "enforce" | "off";
  algorithm: string;
  [parameter: string]: unknown;
}

/** What the app ships with. `rating.post` is the one that RATING_LIMITER and its settings choose. */
function written(settings: Settings) {
  const ratingMode = settings.RATING_LIMITER === "none" ? "off" : "enforce";
  return {
    /** All tries to rate one post, whoever makes them. */
    "rating.post": ratingPerPost(settings, ratingMode),
    /**
     * One person's ratings of any post: thirty at once, then one a second. A tenth of what a post takes by default, so
     * that one account, changing its rating again and again, cannot keep everybody else from rating. Off with that.
     */
    "rating.user": {
      mode: ratingMode,
      algorithm: "leaky-bucket",
      capacity: 30,
      leakPerSecond: 1,
    },
    /** Ratings from one address. */
    "rating.address": { mode: "off", algorithm: "leaky-bucket", capacity: 300, leakPerSecond: 5 },
    /** One person's new posts: thirty at once, then one every two minutes. */
    "post.user": { mode: "enforce", algorithm: "leaky-bucket", capacity: 30, leakPerSecond: 1 / 120 },
    /** New accounts from one address: thirty at once (a classroom), then one a minute. */
    "register.address": { mode: "enforce", algorithm: "leaky-bucket", capacity: 30, leakPerSecond: 1 / 60 },
    /** Password guesses from one address, any account: thirty at once, then one every five seconds. */
    "login.address": { mode: "enforce", algorithm: "leaky-bucket", capacity: 30, leakPerSecond: 1 / 5 },
    /** Password guesses at one account, from anywhere: ten at once, then one every thirty seconds. */
    "login.account": { mode: "enforce", algorithm: "leaky-bucket", capacity: 10, leakPerSecond: 1 / 30 },
  } satisfies Record<string, Written>;
}

function ratingPerPost(settings: Settings, mode: Written["mode"]): Written {
  switch (settings.RATING_LIMITER) {
    case "ema":
      return {
        mode,
        algorithm: "ema",
        threshold: settings.EMA_THRESHOLD,
        recentGaps: settings.EMA_RECENT_GAPS,
        minimumGaps: settings.EMA_MINIMUM_GAPS,
        deviationFloor: settings.EMA_DEVIATION_FLOOR,
        adaptMs: settings.EMA_ADAPT_SECONDS * 1000,
      };
    case "token-bucket":
      return {
        mode,
        algorithm: "token-bucket",
        capacity: settings.TOKEN_BUCKET_CAPACITY,
        refillPerSecond: settings.TOKEN_BUCKET_REFILL_PER_SECOND,
      };
    case "fixed-window":
      return {
        mode,
        algorithm: "fixed-window",
        limit: settings.FIXED_WINDOW_LIMIT,
        windowMs: Math.round(settings.FIXED_WINDOW_SECONDS * 1000),
      };
    case "sliding-log":
      return {
        mode,
        algorithm: "sliding-log",
        limit: settings.SLIDING_LOG_LIMIT,
        windowMs: Math.round(settings.SLIDING_LOG_SECONDS * 1000),
      };
    case "leaky-bucket":
    case "none":
      return {
        mode,
        algorithm: "leaky-bucket",
        capacity: settings.LEAKY_BUCKET_CAPACITY,
        leakPerSecond: settings.LEAKY_BUCKET_LEAK_PER_SECOND,
      };
  }
}

export type PolicyName = keyof ReturnType<typeof written>;
export type Limits = Record<PolicyName, Policy | undefined>;

const number = z.number("must be a number");
const mode = z.enum(["enforce", "off"], "must be enforce or off");
const configured = z.discriminatedUnion(
  "algorithm",
  [
    z.strictObject({ mode, algorithm: z.literal("leaky-bucket"), capacity: number, leakPerSecond: number }),
    z.strictObject({ mode, algorithm: z.literal("token-bucket"), capacity: number, refillPerSecond: number }),
    z.strictObject({ mode, algorithm: z.literal("fixed-window"), limit: number, windowMs: number }),
    z.strictObject({ mode, algorithm: z.literal("sliding-log"), limit: number, windowMs: number }),
    z.strictObject({
      mode,
      algorithm: z.literal("ema"),
      threshold: number.exactOptional(),
      recentGaps: number.exactOptional(),
      minimumGaps: number.exactOptional(),
      deviationFloor: number.exactOptional(),
      adaptMs: number.exactOptional(),
      forgetAfterMs: number.exactOptional(),
    }),
  ],
  "must be one of leaky-bucket, token-bucket, fixed-window, sliding-log, ema",
);

/** The policies that the settings ask for; undefined for one that is off. Throws `SettingsError`. */
export function limitsFrom(settings: Settings): Limits {
  const defaults = written(settings);
  for (const name of Object.keys(settings.LIMITS))
    if (!Object.hasOwn(defaults, name))
      throw new SettingsError(
        `Bad setting. LIMITS: there is no policy ${JSON.stringify(name)}; there are ${Object.keys(defaults).join(", ")}`,
      );
  const policy = (name: PolicyName): Policy | undefined => {
    const given = settings.LIMITS[name] ?? {};
    const kept =
      "algorithm" in given && given.algorithm !== defaults[name].algorithm
        ? { mode: "enforce" }
        : defaults[name];
    const result = configured.safeParse({ ...kept, ...given });
    if (!result.success) {
      const faults = result.error.issues.map(
        (issue) => `${issue.path.join(".") || "the policy"}: ${issue.message}`,
      );
      throw new SettingsError(`Bad setting. LIMITS: ${name}: ${faults.join("; ")}`);
    }
    if (result.data.mode === "off") return undefined;
    return { name, algorithm: algorithmFrom(result.data, settingsOf(name, result.data.algorithm)) };
  };
  /** The settings to name when the algorithm refuses its parameters. */
  const settingsOf = (name: PolicyName, algorithm: string) => {
    const prefix = `${algorithm.toUpperCase().replaceAll("-", "_")}_`;
    return name in settings.LIMITS
      ? `LIMITS: ${name}`
      : settingNames.filter((setting) => setting.startsWith(prefix)).join(" and ");
  };
  return {
    "rating.post": policy("rating.post"),
    "rating.user": policy("rating.user"),
    "rating.address": policy("rating.address"),
    "post.user": policy("post.user"),
    "register.address": policy("register.address"),
    "login.address": policy("login.address"),
    "login.account": policy("login.account"),
  };
}

function algorithmFrom(parameters: z.infer<typeof configured>, settings: string): Algorithm<unknown> {
  try {
    switch (parameters.algorithm) {
      case "leaky-bucket":
        return leakyBucket(parameters);
      case "token-bucket":
        return tokenBucket(parameters);
      case "fixed-window":
        return fixedWindow(parameters);
      case "sliding-log":
        return slidingLog(parameters);
      case "ema":
        return ema(parameters);
    }
  } catch (error) {
    throw new SettingsError(
      `Bad setting. ${settings}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** The app's own limits, as its settings have them. */
export const limits: Limits = limitsFrom(env);
