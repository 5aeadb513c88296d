/**
 * The limiter library's algorithms as configuration writes them: an algorithm's name and its parameters, which are
 * those of the library's function. `LIMITS` and the service's file write them as JSON, the rating settings as variables,
 * the lab as fields. Knows no settings itself.
 */
import { z } from "zod";
import {
  type Algorithm,
  ema,
  fixedWindow,
  leakyBucket,
  slidingLog,
  tiered,
  tokenBucket,
} from "./limiter/index.ts";

/** By the names that settings and files know them by. */
export const algorithmNames = [
  "leaky-bucket",
  "token-bucket",
  "fixed-window",
  "sliding-log",
  "tiered",
  "ema",
] as const;
export type AlgorithmName = (typeof algorithmNames)[number];

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

const names = algorithmNames.join(", ");

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
