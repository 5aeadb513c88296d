/** What the lab calls things. */

import { durationText } from "@/app/_components/durations";
import { formatNumber } from "@/app/_components/format-number";
import type { AlgorithmName, AlgorithmParameters } from "@/lib/algorithms";
import type { SettingName } from "@/lib/lab/settings";

export const algorithmWords: Record<AlgorithmName, { name: string; about: string }> = {
  "leaky-bucket": {
    name: "Leaky bucket",
    about: "Each rating raises the level, which drains steadily. What would overflow is refused.",
  },
  "token-bucket": {
    name: "Token bucket",
    about: "Each rating takes a token, and tokens come back steadily until the bucket is full.",
  },
  "fixed-window": {
    name: "Fixed window",
    about: "So many in each window. The first rating opens one, or the clock does, or a calendar day is one.",
  },
  "sliding-log": {
    name: "Sliding log",
    about: "Never more than so many within any so many seconds, wherever they begin.",
  },
  tiered: {
    name: "Tiered",
    about: "The first of each calendar day are free; what comes after them goes by a sliding log.",
  },
  ema: {
    name: "EMA",
    about: "Learns how far apart ratings usually come, and refuses what comes much faster.",
  },
};

export const settingLabels: Record<SettingName, string> = {
  LEAKY_BUCKET_CAPACITY: "Most at one instant",
  LEAKY_BUCKET_LEAK_PER_SECOND: "Drained each second",
  TOKEN_BUCKET_CAPACITY: "Most at one instant",
  TOKEN_BUCKET_REFILL_PER_SECOND: "Tokens each second",
  FIXED_WINDOW_LIMIT: "Most in a window",
  FIXED_WINDOW_SECONDS: "Seconds of a window",
  FIXED_WINDOW_ANCHOR: "A window begins",
  SLIDING_LOG_LIMIT: "Most, up to 1,000",
  SLIDING_LOG_SECONDS: "Within any so many seconds",
  TIERED_FREE_PER_DAY: "Free each day",
  TIERED_LIMIT: "Then most, up to 1,000",
  TIERED_SECONDS: "Within any so many seconds",
  LIMITER_TIME_ZONE: "Time zone",
  EMA_THRESHOLD: "Refused above this Z",
  EMA_RECENT_GAPS: "Gaps that are recent",
  EMA_MINIMUM_GAPS: "Gaps to learn from first",
  EMA_DEVIATION_FLOOR: "Least deviation, as a part of the usual gap",
  EMA_ADAPT_SECONDS: "Seconds until a tenfold rate is usual",
};

/** What a setting that is no number may be. */
export const settingChoices: Partial<Record<SettingName, [value: string, name: string][]>> = {
  FIXED_WINDOW_ANCHOR: [
    ["first", "with the first rating"],
    ["clock", "at multiples of its length since 1970"],
    ["calendar-day", "with the calendar day"],
  ],
};

/** Parameters in a few words. */
export function shortSettings(parameters: AlgorithmParameters): string {
  switch (parameters.algorithm) {
    case "leaky-bucket":
      return `${formatNumber(parameters.capacity)} at once, ${formatNumber(parameters.leakPerSecond)} a second`;
    case "token-bucket":
      return `${formatNumber(parameters.capacity)} at once, ${formatNumber(parameters.refillPerSecond)} a second`;
    case "fixed-window":
      return parameters.windowMs === undefined
        ? `${formatNumber(parameters.limit)} a day (${parameters.timeZone ?? "UTC"})`
        : `${formatNumber(parameters.limit)} per ${durationText(parameters.windowMs)}`;
    case "sliding-log":
      return `${formatNumber(parameters.limit)} in any ${durationText(parameters.windowMs)}`;
    case "tiered":
      return `${formatNumber(parameters.freePerDay)} free a day, then ${shortSettings(parameters.beyond)}`;
    case "ema":
      return `refused above Z ${formatNumber(parameters.threshold ?? 0)}`;
  }
}
