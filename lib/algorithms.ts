/**
 * The limiter library's algorithms as configuration writes them: an algorithm's name and its parameters, which are
 * those of the library's function. `LIMITS` writes them as JSON, the rating settings as variables, the lab as fields.
 */
import { z } from "zod";
import { type RatingAlgorithmName, ratingAlgorithms, type Settings } from "./env.ts";
import {
  type Algorithm,
  ema,
  fixedWindow,
  leakyBucket,
  slidingLog,
  tiered,
  tokenBucket,
} from "./limiter/index.ts";

const number = z.number("must be a number");
const text = z.string("must be text");

const simple = [
  z.strictObject({ algorithm: z.literal("leaky-bucket"), capacity: number, leakPerSecond: number }),
  z.strictObject({ algorithm: z.literal("token-bucket"), capacity: number, refillPerSecond: number }),
  z
    .strictObject({
      algorithm: z.literal("fixed-window"),
      limit: number,
      windowMs: number.exactOptional(),
      anchor: z
        .enum(["first", "clock", "calendar-day"], "must be first, clock or calendar-day")
        .exactOptional(),
      timeZone: text.exactOptional(),
    })
    .refine(({ anchor, windowMs }) => anchor === "calendar-day" || windowMs !== undefined, {
      path: ["windowMs"],
      error: "is missing",
    })
    .refine(({ anchor, windowMs }) => anchor !== "calendar-day" || windowMs === undefined, {
      path: ["windowMs"],
      error: "must be left out: a calendar day lasts as long as it does",
    })
    .refine(({ anchor, timeZone }) => anchor === "calendar-day" || timeZone === undefined, {
      path: ["timeZone"],
      error: 'needs "anchor": "calendar-day"',
    }),
  z.strictObject({ algorithm: z.literal("sliding-log"), limit: number, windowMs: number }),
  z.strictObject({
    algorithm: z.literal("ema"),
    threshold: number.exactOptional(),
    recentGaps: number.exactOptional(),
    minimumGaps: number.exactOptional(),
    deviationFloor: number.exactOptional(),
    adaptMs: number.exactOptional(),
    forgetAfterMs: number.exactOptional(),
  }),
] as const;

const names = ratingAlgorithms.join(", ");

/** An algorithm and its parameters, as JSON. */
export const algorithmSchema = z.discriminatedUnion(
  "algorithm",
  [
    ...simple,
    z.strictObject({
      algorithm: z.literal("tiered"),
      freePerDay: number,
      beyond: z.discriminatedUnion(
        "algorithm",
        simple,
        `must be an algorithm with its parameters, one of ${names} but not tiered itself`,
      ),
      timeZone: text.exactOptional(),
    }),
  ],
  `must be one of ${names}`,
);

export type AlgorithmParameters = z.infer<typeof algorithmSchema>;

/** The algorithm itself. Throws `RangeError` that names the parameter which makes no sense. */
export function algorithmFrom(parameters: AlgorithmParameters): Algorithm<unknown> {
  switch (parameters.algorithm) {
    case "leaky-bucket":
      return leakyBucket(parameters);
    case "token-bucket":
      return tokenBucket(parameters);
    case "fixed-window": {
      const { limit, windowMs = Number.NaN, anchor = "first", timeZone = "UTC" } = parameters;
      return anchor === "calendar-day"
        ? fixedWindow({ limit, anchor, timeZone })
        : fixedWindow({ limit, windowMs, anchor });
    }
    case "sliding-log":
      return slidingLog(parameters);
    case "tiered":
      return tiered({ ...parameters, beyond: algorithmFrom(parameters.beyond) });
    case "ema":
      return ema(parameters);
  }
}

/** The algorithm that the settings describe under this name. */
export function ratingAlgorithm(settings: Settings, name: RatingAlgorithmName): AlgorithmParameters {
  switch (name) {
    case "leaky-bucket":
      return {
        algorithm: name,
        capacity: settings.LEAKY_BUCKET_CAPACITY,
        leakPerSecond: settings.LEAKY_BUCKET_LEAK_PER_SECOND,
      };
    case "token-bucket":
      return {
        algorithm: name,
        capacity: settings.TOKEN_BUCKET_CAPACITY,
        refillPerSecond: settings.TOKEN_BUCKET_REFILL_PER_SECOND,
      };
    case "fixed-window":
      return settings.FIXED_WINDOW_ANCHOR === "calendar-day"
        ? {
            algorithm: name,
            limit: settings.FIXED_WINDOW_LIMIT,
            anchor: "calendar-day",
            timeZone: settings.LIMITER_TIME_ZONE,
          }
        : {
            algorithm: name,
            limit: settings.FIXED_WINDOW_LIMIT,
            windowMs: milliseconds(settings.FIXED_WINDOW_SECONDS),
            anchor: settings.FIXED_WINDOW_ANCHOR,
          };
    case "sliding-log":
      return {
        algorithm: name,
        limit: settings.SLIDING_LOG_LIMIT,
        windowMs: milliseconds(settings.SLIDING_LOG_SECONDS),
      };
    case "tiered":
      return {
        algorithm: name,
        freePerDay: settings.TIERED_FREE_PER_DAY,
        beyond: {
          algorithm: "sliding-log",
          limit: settings.TIERED_LIMIT,
          windowMs: milliseconds(settings.TIERED_SECONDS),
        },
        timeZone: settings.LIMITER_TIME_ZONE,
      };
    case "ema":
      return {
        algorithm: name,
        threshold: settings.EMA_THRESHOLD,
        recentGaps: settings.EMA_RECENT_GAPS,
        minimumGaps: settings.EMA_MINIMUM_GAPS,
        deviationFloor: settings.EMA_DEVIATION_FLOOR,
        adaptMs: settings.EMA_ADAPT_SECONDS * 1000,
      };
  }
}

/** The settings that `ratingAlgorithm` reads under this name. */
export const ratingSettings = {
  "leaky-bucket": ["LEAKY_BUCKET_CAPACITY", "LEAKY_BUCKET_LEAK_PER_SECOND"],
  "token-bucket": ["TOKEN_BUCKET_CAPACITY", "TOKEN_BUCKET_REFILL_PER_SECOND"],
  "fixed-window": ["FIXED_WINDOW_LIMIT", "FIXED_WINDOW_SECONDS", "FIXED_WINDOW_ANCHOR", "LIMITER_TIME_ZONE"],
  "sliding-log": ["SLIDING_LOG_LIMIT", "SLIDING_LOG_SECONDS"],
  tiered: ["TIERED_FREE_PER_DAY", "TIERED_LIMIT", "TIERED_SECONDS", "LIMITER_TIME_ZONE"],
  ema: ["EMA_THRESHOLD", "EMA_RECENT_GAPS", "EMA_MINIMUM_GAPS", "EMA_DEVIATION_FLOOR", "EMA_ADAPT_SECONDS"],
} as const satisfies Record<RatingAlgorithmName, readonly (keyof Settings)[]>;

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}
