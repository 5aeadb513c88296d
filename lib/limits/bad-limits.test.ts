import { expect, test } from "vitest";
import { limitsWith } from "../../testing/content.ts";
import { algorithmNames } from "../limiter/index.ts";
import { SettingsError } from "../settings/env.ts";

const withLimits = (limits: unknown) => limitsWith({ LIMITS: JSON.stringify(limits) });

test.each([
  [
    { "rating.posts": {} },
    'LIMITS: there is no policy "rating.posts". Did you mean rating.post? There are rating.post, rating.user',
  ],
  [{ toString: {} }, 'LIMITS: there is no policy "toString"'],
  [{ "rating.post": { mode: "on" } }, "LIMITS: rating.post: mode: must be enforce, shadow or off"],
  [{ "rating.post": { capacity: "20" } }, "LIMITS: rating.post: capacity: must be a number"],
  [{ "rating.post": { capacity: null } }, "LIMITS: rating.post: capacity: must be a number"],
  [
    { "rating.post": { capcity: 20 } },
    "LIMITS: rating.post: capcity: is not known. Did you mean capacity? The settings of leaky-bucket are capacity, leakPerSecond, mode",
  ],
  [
    { "rating.post": { algorithm: "magic" } },
    "LIMITS: rating.post: algorithm: must be one of leaky-bucket, token-bucket, fixed-window, sliding-log, tiered, ema",
  ],
  [
    { "rating.post": { algorithm: 5 } },
    "LIMITS: rating.post: algorithm: must be one of leaky-bucket, token-bucket, fixed-window, sliding-log, tiered, ema",
  ],
  [
    { "rating.user": { algorithm: "ema", capacity: 5 } },
    "LIMITS: rating.user: capacity: is not known. The settings of ema are threshold",
  ],
  [{ "login.account": { capacity: 0 } }, "LIMITS: login.account: leakyBucket: capacity must be"],
  [{ "login.account": { leakPerSecond: -1 } }, "LIMITS: login.account: leakyBucket: leakPerSecond must be"],
  [{ "login.account": { capacity: 1e300 } }, "LIMITS: login.account: leakyBucket: capacity must be"],
  [{ "rating.post": { algorithm: "ema", threshold: -1 } }, "LIMITS: rating.post: ema: threshold must be"],
  [{ "rating.post.": { mode: "off", algorithm: "ema" } }, 'LIMITS: there is no policy "rating.post."'],
  [{ "rating.post.a.b": { mode: "off", algorithm: "ema" } }, 'LIMITS: there is no policy "rating.post.a.b"'],
  [
    { "rating.post.a\nb": { mode: "off", algorithm: "ema" } },
    'LIMITS: there is no policy "rating.post.a\\nb"',
  ],
  [{ "rating.ema": { mode: "off", algorithm: "ema" } }, 'LIMITS: there is no policy "rating.ema"'],
  [
    { "rating.post.ema": { algorithm: "ema" } },
    "LIMITS: rating.post.ema: mode: must be enforce, shadow or off",
  ],
  [
    { "rating.post.ema": { mode: "shadow" } },
    "LIMITS: rating.post.ema: algorithm: must be one of leaky-bucket",
  ],
  [
    { "rating.post.ema": {} },
    "LIMITS: rating.post.ema: mode: must be enforce, shadow or off; algorithm: must be one of leaky-bucket",
  ],
  [
    { "rating.post.b": { mode: "shadow", algorithm: "leaky-bucket" } },
    "LIMITS: rating.post.b: capacity: must be a number; leakPerSecond: must be a number",
  ],
  [
    { "rating.post.off": { mode: "off", algorithm: "ema", threshold: 0 } },
    "LIMITS: rating.post.off: ema: threshold",
  ],
  [{ "rating.user": { outage: "sometimes" } }, "LIMITS: rating.user: outage: must be closed, open or local"],
  [{ "rating.user": { localShare: 0 } }, "LIMITS: rating.user: localShare: must be above 0"],
  [{ "rating.user": { localShare: 1.01 } }, "LIMITS: rating.user: localShare: must be at most 1"],
  [{ "rating.user": { localShare: "0.5" } }, "LIMITS: rating.user: localShare: must be a number"],
])("%j is refused with one line that names the place and the reason", (limits, line) => {
  expect(() => withLimits(limits)).toThrow(SettingsError);
  expect(() => withLimits(limits)).toThrow(`Bad setting. ${line}`);
  expect(() => withLimits(limits)).not.toThrow(/\n/);
});

test.each([
  [{ algorithm: "fixed-window", limit: 5 }, "windowMs: is missing"],
  [
    { algorithm: "fixed-window", limit: 5, anchor: "calendar-day", windowMs: 5 },
    "windowMs: must be left out: a calendar day lasts as long as it does",
  ],
  [
    { algorithm: "fixed-window", limit: 5, windowMs: 5, timeZone: "UTC" },
    'timeZone: needs "anchor": "calendar-day"',
  ],
  [
    { algorithm: "fixed-window", limit: 5, anchor: "week", windowMs: 5 },
    "anchor: must be first, clock or calendar-day",
  ],
  [
    { algorithm: "fixed-window", limit: 5, anchor: "calendar-day", timeZone: "Mars" },
    'fixedWindow: timeZone "Mars" is not known here',
  ],
  [{ algorithm: "fixed-window", limit: 5, anchor: "calendar-day", timeZone: 5 }, "timeZone: must be text"],
  [{ algorithm: "tiered", freePerDay: 5 }, "beyond: must be an algorithm with its parameters"],
  [{ algorithm: "tiered", freePerDay: "5", beyond: { algorithm: "ema" } }, "freePerDay: must be a number"],
  [
    { algorithm: "tiered", freePerDay: 0.5, beyond: { algorithm: "ema" } },
    "tiered: freePerDay must be a whole",
  ],
  [
    { algorithm: "tiered", freePerDay: 5, beyond: { algorithm: "tiered" } },
    `beyond.algorithm: must be an algorithm with its parameters, one of ${algorithmNames.join(", ")} but not tiered itself`,
  ],
  [
    { algorithm: "tiered", freePerDay: 5, beyond: { algorithm: "sliding-log", limit: 1 } },
    "beyond.windowMs: must be a number",
  ],
  [
    { algorithm: "tiered", freePerDay: 5, beyond: { algorithm: "fixed-window", limit: 1 } },
    "beyond.windowMs: is missing",
  ],
  [
    { algorithm: "tiered", freePerDay: 5, beyond: { algorithm: "ema" }, timeZone: "Mars" },
    'tiered: timeZone "Mars" is not known here',
  ],
])("%j in LIMITS is refused with one line that names the place and the reason", (parameters, line) => {
  expect(() => withLimits({ "rating.post": parameters })).toThrow(SettingsError);
  expect(() => withLimits({ "rating.post": parameters })).toThrow(
    `Bad setting. LIMITS: rating.post: ${line}`,
  );
  expect(() => withLimits({ "rating.post": parameters })).not.toThrow(/\n/);
});

test.each([
  [
    { LEAKY_BUCKET_CAPACITY: "1e300" },
    "LEAKY_BUCKET_CAPACITY and LEAKY_BUCKET_LEAK_PER_SECOND: leakyBucket: capacity must be",
  ],
  [
    { RATING_LIMITER: "sliding-log", SLIDING_LOG_LIMIT: "2.5" },
    "SLIDING_LOG_LIMIT and SLIDING_LOG_SECONDS: slidingLog: limit must be a whole number, but is 2.5",
  ],
  [
    { RATING_LIMITER: "tiered", TIERED_FREE_PER_DAY: "0.5" },
    "TIERED_FREE_PER_DAY and TIERED_LIMIT and TIERED_SECONDS and LIMITER_TIME_ZONE: " +
      "tiered: freePerDay must be a whole number, but is 0.5",
  ],
])("%j, with which only the algorithm finds fault, is named all the same", (environment, line) => {
  expect(() => limitsWith(environment)).toThrow(SettingsError);
  expect(() => limitsWith(environment)).toThrow(`Bad setting. ${line}`);
});

test("refuses a policy named __proto__ like any other unknown name", () => {
  expect(() => limitsWith({ LIMITS: '{"__proto__": {"mode": "off"}}' })).toThrow(
    "LIMITS: must be JSON such as",
  );
});
