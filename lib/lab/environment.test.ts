import { parseEnv } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { algorithmNames, createAlgorithm } from "../limiter/index.ts";
import { limitsFrom } from "../limits/index.ts";
import { policySchema } from "../limits/policy-schema.ts";
import { parseSettings } from "../settings/env.ts";
import { ratingAlgorithm } from "../settings/rating-settings.ts";
import { environmentLines, limiterFile, ratingLimits, shadowLine } from "./environment.ts";
import { labSettings } from "./settings.ts";
import { simulate } from "./simulate.ts";

const own = parseSettings({});
const amount = (min: number, max: number) => fc.double({ min, max, noNaN: true }).map(String);
const count = fc.integer({ min: 1, max: 1_000 }).map(String);
const anySettings = fc.record({
  LEAKY_BUCKET_CAPACITY: amount(0.01, 1e6),
  LEAKY_BUCKET_LEAK_PER_SECOND: amount(0.001, 1e5),
  TOKEN_BUCKET_CAPACITY: amount(0.01, 1e6),
  TOKEN_BUCKET_REFILL_PER_SECOND: amount(0.001, 1e5),
  FIXED_WINDOW_LIMIT: count,
  FIXED_WINDOW_SECONDS: amount(0.01, 1e5),
  FIXED_WINDOW_ANCHOR: fc.constantFrom("first", "clock", "calendar-day"),
  SLIDING_LOG_LIMIT: count,
  SLIDING_LOG_SECONDS: amount(0.01, 1e5),
  TIERED_FREE_PER_DAY: count,
  TIERED_LIMIT: count,
  TIERED_SECONDS: amount(0.01, 1e5),
  LIMITER_TIME_ZONE: fc.constantFrom("UTC", "Asia/Tehran", "+03:30"),
  EMA_THRESHOLD: amount(0.1, 10),
  EMA_RECENT_GAPS: amount(1, 50),
  EMA_MINIMUM_GAPS: amount(1, 50),
  EMA_DEVIATION_FLOOR: amount(0.01, 2),
  EMA_ADAPT_SECONDS: amount(1, 1e6),
  EMA_FLOOR_REQUESTS: fc.oneof(fc.constant("0"), amount(1, 1e6)),
  EMA_FLOOR_PER_SECOND: amount(0.001, 1e5),
  EMA_PRIOR_GAP_SECONDS: fc.oneof(fc.constant("0"), amount(0.01, 1e5)),
  EMA_PRIOR_GAPS: amount(0.1, 50),
});
const anyChoice = fc.tuple(anySettings, fc.constantFrom(...algorithmNames));
const requests = Array.from({ length: 40 }, (_, index) => ({ at: 1_767_614_400_000 + index * index * 7 }));

describe("the environment lines", () => {
  it("configure the app with the algorithm that the lab shows", () => {
    fc.assert(
      fc.property(anyChoice, ([given, name]) => {
        const { settings } = labSettings(given, own);
        const lines = environmentLines(settings, name).map((line) => `${line.name}=${line.value}`);
        const app = parseSettings(parseEnv(lines.join("\n")));
        expect(app.RATING_LIMITER).toBe(name);
        expect(ratingAlgorithm(app, name)).toEqual(ratingAlgorithm(settings, name));
      }),
    );
  });

  it("mark default values", () => {
    const { settings } = labSettings({ EMA_THRESHOLD: "5" }, own);
    const marks = environmentLines(settings, "ema").map(({ name, isDefault }) => [name, isDefault]);
    expect(marks).toContainEqual(["RATING_LIMITER", false]);
    expect(marks).toContainEqual(["EMA_THRESHOLD", false]);
    expect(marks).toContainEqual(["EMA_RECENT_GAPS", true]);
    expect(environmentLines(settings, "leaky-bucket").every(({ isDefault }) => isDefault)).toBe(true);
  });

  it.each([
    [{}, { wins: false, further: [] }],
    [{ "rating.user": { mode: "off" } }, { wins: false, further: [] }],
    [{ "rating.post": { capacity: 5 } }, { wins: true, further: [] }],
    [
      { "rating.post.ema": { mode: "shadow", algorithm: "ema" } },
      { wins: false, further: ["rating.post.ema"] },
    ],
  ])("report what LIMITS sets beside them: %j", (LIMITS, expected) => {
    expect(ratingLimits(parseSettings({ LIMITS: JSON.stringify(LIMITS) }))).toEqual(expected);
  });

  it("in shadow, run the same algorithm beside the current one", () => {
    fc.assert(
      fc.property(anyChoice, ([given, name]) => {
        const { settings } = labSettings(given, own);
        const app = parseSettings(parseEnv(shadowLine(settings, name)));
        const policies = limitsFrom(app)["rating.post"];
        expect(policies.map((policy) => [policy.name, policy.mode])).toEqual([
          ["rating.post", "enforce"],
          ["rating.post.second", "shadow"],
        ]);
        const shadow = policies[1]?.algorithm;
        if (!shadow) throw new Error("There is no policy in shadow.");
        expect(simulate(shadow, requests)).toEqual(
          simulate(createAlgorithm(ratingAlgorithm(settings, name)), requests),
        );
      }),
    );
  });
});

it.each(algorithmNames)("the service accepts the file for %s, with the chosen settings", (name) => {
  const { policies, default: chosen } = z
    .object({ policies: z.record(z.string(), policySchema), default: z.string(), store: z.literal("memory") })
    .parse(JSON.parse(limiterFile(parseSettings({}), name)));
  expect(policies[chosen]?.parameters).toEqual(ratingAlgorithm(parseSettings({}), name));
});
