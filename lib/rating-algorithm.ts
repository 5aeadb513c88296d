/** What limits the ratings of each post, as the app's settings have it. */
import type { AlgorithmName, AlgorithmParameters } from "./algorithms.ts";
import type { Settings } from "./settings/env.ts";

/** The algorithm that the settings describe under this name. */
export function ratingAlgorithm(settings: Settings, name: AlgorithmName): AlgorithmParameters {
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
} as const satisfies Record<AlgorithmName, readonly (keyof Settings)[]>;

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}
