import { expect, test } from "vitest";
import { addPost, addUser, addUsers, limitsWith, morning } from "../testing/content.ts";
import { temporaryDatabase } from "../testing/database.ts";
import { parseSettings, SettingsError } from "./env.ts";
import { ema } from "./limiter/index.ts";
import { limitsFrom } from "./limits.ts";
import { createRating } from "./ratings/index.ts";

const withLimits = (limits: unknown, environment: Record<string, string> = {}) =>
  limitsWith({ ...environment, LIMITS: JSON.stringify(limits) });

test("As shipped, everything is limited but the ratings from one address", () => {
  const limits = limitsWith();
  const shipped = Object.values(limits).flatMap((policy) =>
    policy ? [[policy.name, policy.algorithm.name, policy.algorithm.limit]] : [],
  );
  expect(shipped).toEqual([
    ["rating.post", "leaky-bucket", 20],
    ["rating.user", "leaky-bucket", 30],
    ["post.user", "leaky-bucket", 30],
    ["register.address", "leaky-bucket", 30],
    ["login.address", "leaky-bucket", 30],
    ["login.account", "leaky-bucket", 10],
  ]);
  expect(limits["rating.address"]).toBeUndefined();
});

test("RATING_LIMITER and its settings choose how a post's ratings are limited", () => {
  const bucket = limitsWith({ LEAKY_BUCKET_CAPACITY: "3.5", LEAKY_BUCKET_LEAK_PER_SECOND: "0.1" });
  expect(bucket["rating.post"]?.algorithm.step(undefined, morning, 1).decision.reason).toMatchObject({
    algorithm: "leaky-bucket",
    capacity: 3.5,
    leakPerSecond: 0.1,
  });
  const gaps = limitsWith({ RATING_LIMITER: "ema", EMA_THRESHOLD: "5" });
  expect(gaps["rating.post"]?.algorithm.step(undefined, morning, 1).decision.reason).toMatchObject({
    algorithm: "ema",
    threshold: 5,
  });
  expect(limitsWith({ RATING_LIMITER: "none" })["rating.post"]).toBeUndefined();
});

test("The EMA's default threshold is the library's own", () => {
  const app = limitsWith({ RATING_LIMITER: "ema" })["rating.post"]?.algorithm;
  const step = (algorithm: typeof app) => algorithm?.step(undefined, morning, 1).decision.reason;
  expect(step(app)).toEqual(ema().step(undefined, morning, 1).decision.reason);
});

test("LIMITS overrides a policy's mode, parameters or algorithm, and leaves the others as they are", () => {
  const limits = withLimits({
    "register.address": { mode: "off" },
    "login.account": { capacity: 5 },
    "rating.address": { mode: "enforce" },
    "rating.post": { algorithm: "ema", threshold: 5 },
  });
  expect(limits["register.address"]).toBeUndefined();
  expect(limits["login.account"]?.algorithm.limit).toBe(5);
  expect(limits["rating.address"]?.algorithm.limit).toBe(300);
  expect(limits["rating.post"]?.algorithm.name).toBe("ema");
  expect(limits["login.address"]?.algorithm.limit).toBe(30);
});

test.each([
  [{ "rating.posts": {} }, 'LIMITS: there is no policy "rating.posts"; there are rating.post, rating.user'],
  [{ toString: {} }, 'LIMITS: there is no policy "toString"'],
  [{ "rating.post": { mode: "on" } }, "LIMITS: rating.post: mode: must be enforce or off"],
  [{ "rating.post": { capacity: "20" } }, "LIMITS: rating.post: capacity: must be a number"],
  [{ "rating.post": { capacity: null } }, "LIMITS: rating.post: capacity: must be a number"],
  [{ "rating.post": { capcity: 20 } }, 'LIMITS: rating.post: the policy: Unrecognized key: "capcity"'],
  [
    { "rating.post": { algorithm: "magic" } },
    "LIMITS: rating.post: algorithm: must be one of leaky-bucket, token-bucket, fixed-window, sliding-log, ema",
  ],
  [
    { "rating.post": { algorithm: 5 } },
    "LIMITS: rating.post: algorithm: must be one of leaky-bucket, token-bucket, fixed-window, sliding-log, ema",
  ],
  [{ "rating.user": { algorithm: "ema", capacity: 5 } }, "LIMITS: rating.user: the policy: Unrecognized key"],
  [{ "login.account": { capacity: 0 } }, "LIMITS: login.account: leakyBucket: capacity must be"],
  [{ "login.account": { leakPerSecond: -1 } }, "LIMITS: login.account: leakyBucket: leakPerSecond must be"],
  [{ "login.account": { capacity: 1e300 } }, "LIMITS: login.account: leakyBucket: capacity must be"],
  [{ "rating.post": { algorithm: "ema", threshold: -1 } }, "LIMITS: rating.post: ema: threshold must be"],
])("%j is refused with one line that says where and why", (limits, line) => {
  expect(() => withLimits(limits)).toThrow(SettingsError);
  expect(() => withLimits(limits)).toThrow(`Bad setting. ${line}`);
  expect(() => withLimits(limits)).not.toThrow(/\n/);
});

test("A setting that only the algorithm finds fault with is named all the same", () => {
  expect(() => limitsFrom(parseSettings({ LEAKY_BUCKET_CAPACITY: "1e300" }))).toThrow(
    "Bad setting. LEAKY_BUCKET_CAPACITY and LEAKY_BUCKET_LEAK_PER_SECOND: leakyBucket: capacity must be",
  );
});

test("A limit that RATING_LIMITER leaves off and LIMITS turns on has the settings' numbers", () =>
  expect(
    limitsWith({ RATING_LIMITER: "none", LIMITS: '{"rating.post": {"mode": "enforce"}}' })["rating.post"]
      ?.algorithm.limit,
  ).toBe(20));

test.each([
  ["leaky-bucket", { LEAKY_BUCKET_CAPACITY: "2", LEAKY_BUCKET_LEAK_PER_SECOND: "0.5" }, 2_000],
  ["token-bucket", { TOKEN_BUCKET_CAPACITY: "2", TOKEN_BUCKET_REFILL_PER_SECOND: "0.5" }, 2_000],
  ["fixed-window", { FIXED_WINDOW_LIMIT: "2", FIXED_WINDOW_SECONDS: "1.1" }, 1_100],
  ["sliding-log", { SLIDING_LOG_LIMIT: "2", SLIDING_LOG_SECONDS: "1.1" }, 1_100],
])(
  "With RATING_LIMITER=%s a post's third rating waits as long as its settings say",
  (name, settings, waitMs) => {
    const database = temporaryDatabase();
    const { slug } = addPost(database, addUser(database, "author"));
    const limits = limitsWith({ RATING_LIMITER: name, ...settings });
    const [first, second, third] = addUsers(database, 3).map(({ id }) => (now: number) => {
      const outcome = createRating(
        { database, limits },
        { slug, userId: id, address: "x", input: { score: 4 }, now },
      );
      return outcome.kind === "limited" ? outcome.refusal.decision.retryAfterMs : outcome.kind;
    });
    expect([first?.(morning), second?.(morning), third?.(morning)]).toEqual(["saved", "saved", waitMs]);
    expect([third?.(morning + waitMs - 1), third?.(morning + waitMs)]).toEqual([1, "saved"]);
  },
);
