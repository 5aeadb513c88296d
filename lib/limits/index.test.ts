import { expect, test } from "vitest";
import { addPost, addUser, addUsers, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { ema } from "../limiter/index.ts";
import { createRating } from "../ratings/index.ts";
import { hourMs } from "../time/units.ts";
import type { PolicyName } from "./default-limits.ts";
import type { Limit, Limits } from "./index.ts";

const withLimits = (limits: unknown, environment: Record<string, string> = {}) =>
  limitsWith({ ...environment, LIMITS: JSON.stringify(limits) });

/** The only policy that is on of this name. */
function policyOf(limits: Limits, name: PolicyName): Limit {
  const [policy, ...further] = limits[name];
  if (!policy || further.length > 0) throw new Error(`${name} has ${limits[name].length} policies.`);
  return policy;
}

/** A policy's decision on the first request of all. */
const firstReason = ({ algorithm }: Pick<Limit, "algorithm">) =>
  algorithm.step(undefined, morning, 1).decision.reason;

test("limits everything by default, except ratings per address", () => {
  const limits = limitsWith();
  const shipped = Object.values(limits).flatMap((policies) =>
    policies.map(({ name, mode, algorithm }) => [name, mode, algorithm.name, algorithm.limit]),
  );
  expect(shipped).toEqual([
    ["rating.post", "enforce", "leaky-bucket", 20],
    ["rating.user", "enforce", "leaky-bucket", 30],
    ["rating.change", "enforce", "leaky-bucket", 10],
    ["post.user", "enforce", "leaky-bucket", 30],
    ["post.render", "enforce", "leaky-bucket", 30],
    ["post.preview", "enforce", "leaky-bucket", 60],
    ["media.user", "enforce", "leaky-bucket", 60],
    ["review.user", "enforce", "leaky-bucket", 10],
    ["register.address", "enforce", "leaky-bucket", 30],
    ["register.network", "enforce", "leaky-bucket", 60],
    ["register.wide-network", "enforce", "leaky-bucket", 90],
    ["register.site", "enforce", "leaky-bucket", 100],
    ["register.known-networks", "enforce", "leaky-bucket", 40],
    ["login.address", "enforce", "leaky-bucket", 30],
    ["login.account", "enforce", "leaky-bucket", 10],
    ["login.delay", "hold", "leaky-bucket", 20],
    ["login.known-browser", "enforce", "leaky-bucket", 10],
    ["login.second-factor", "enforce", "leaky-bucket", 5],
    ["reset.address", "enforce", "leaky-bucket", 10],
    ["reset.account", "enforce", "leaky-bucket", 3],
    ["email.user", "enforce", "leaky-bucket", 3],
    ["subscribe.address", "enforce", "leaky-bucket", 10],
    ["subscribe.network", "enforce", "leaky-bucket", 30],
    ["subscribe.site", "enforce", "leaky-bucket", 200],
    ["password.user", "enforce", "leaky-bucket", 10],
    ["search.address", "enforce", "leaky-bucket", 60],
    ["search.wide-network", "enforce", "leaky-bucket", 180],
    ["lab.address", "enforce", "leaky-bucket", 60],
    ["lab.wide-network", "enforce", "leaky-bucket", 180],
    ["image.address", "enforce", "leaky-bucket", 60],
    ["image.wide-network", "enforce", "leaky-bucket", 180],
    ["export.user", "enforce", "leaky-bucket", 3],
    ["api.token", "enforce", "token-bucket", 60],
  ]);
  expect(limits["rating.address"]).toEqual([]);
  for (const [name, policies] of Object.entries(limits))
    expect(policies.map(({ counts }) => counts)).toEqual(policies.map(() => name));
});

test("limits a post's ratings by RATING_LIMITER and its settings", () => {
  const bucket = limitsWith({ LEAKY_BUCKET_CAPACITY: "3.5", LEAKY_BUCKET_LEAK_PER_SECOND: "0.1" });
  expect(firstReason(policyOf(bucket, "rating.post"))).toMatchObject({
    algorithm: "leaky-bucket",
    capacity: 3.5,
    leakPerSecond: 0.1,
  });
  const gaps = limitsWith({ RATING_LIMITER: "ema", EMA_THRESHOLD: "5" });
  expect(firstReason(policyOf(gaps, "rating.post"))).toMatchObject({
    algorithm: "ema",
    threshold: 5,
  });
  const none = limitsWith({ RATING_LIMITER: "none" });
  expect([none["rating.post"], none["rating.user"], none["rating.change"]]).toEqual([[], [], []]);
});

test("uses the library's default threshold for the EMA", () => {
  const app = policyOf(limitsWith({ RATING_LIMITER: "ema" }), "rating.post");
  expect(firstReason(app)).toEqual(firstReason({ algorithm: ema() }));
});

test("overrides a policy's mode, parameters or algorithm by LIMITS, and no other policy's", () => {
  const limits = withLimits({
    "register.address": { mode: "off" },
    "login.account": { capacity: 5 },
    "rating.address": { mode: "enforce" },
    "rating.post": { algorithm: "ema", threshold: 5 },
  });
  expect(limits["register.address"]).toEqual([]);
  expect(policyOf(limits, "login.account").algorithm.limit).toBe(5);
  expect(policyOf(limits, "rating.address").algorithm.limit).toBe(300);
  expect(policyOf(limits, "rating.post").algorithm.name).toBe("ema");
  expect(policyOf(limits, "login.address").algorithm.limit).toBe(30);
  expect(policyOf(withLimits({ "post.user": { mode: "shadow" } }), "post.user")).toMatchObject({
    mode: "shadow",
    algorithm: { limit: 30 },
  });
});

test("turns a policy on by numbers in LIMITS, and leaves it off without", () => {
  expect(policyOf(withLimits({ "rating.address": { capacity: 5 } }), "rating.address")).toMatchObject({
    mode: "enforce",
    algorithm: { name: "leaky-bucket", limit: 5 },
  });
  const none = withLimits({ "rating.user": { leakPerSecond: 3 } }, { RATING_LIMITER: "none" });
  expect(firstReason(policyOf(none, "rating.user"))).toMatchObject({ capacity: 30, leakPerSecond: 3 });
  expect(none["rating.post"]).toEqual([]);
  expect(withLimits({ "rating.address": {} })["rating.address"]).toEqual([]);
  expect(withLimits({ "rating.address": { mode: "off", capacity: 5 } })["rating.address"]).toEqual([]);
});

test("adds policies under their own names, shadows after enforced ones", () => {
  const bucket = { algorithm: "leaky-bucket", capacity: 5, leakPerSecond: 1 };
  const limits = withLimits({
    "rating.post": { mode: "shadow" },
    "rating.post.ema": { mode: "shadow", algorithm: "ema" },
    "rating.post.day-2": { ...bucket, mode: "enforce" },
    "rating.post.off": { ...bucket, mode: "off" },
    "rating.post.Burst_3": { ...bucket, mode: "enforce" },
    "rating.address.first": { ...bucket, mode: "enforce" },
  });
  expect(limits["rating.post"].map(({ name, mode, algorithm }) => [name, mode, algorithm.name])).toEqual([
    ["rating.post.day-2", "enforce", "leaky-bucket"],
    ["rating.post.Burst_3", "enforce", "leaky-bucket"],
    ["rating.post", "shadow", "leaky-bucket"],
    ["rating.post.ema", "shadow", "ema"],
  ]);
  expect(new Set(limits["rating.post"].map(({ counts }) => counts))).toEqual(new Set(["rating.post"]));
  // The first one stays off when only a further one is on.
  expect(policyOf(limits, "rating.address")).toMatchObject({
    name: "rating.address.first",
    counts: "rating.address",
  });
  expect(policyOf(limits, "rating.user").name).toBe("rating.user");
});

test("replaces a limit in an outage by half of it, or by the configured share or algorithm", () => {
  const standIn = (parameters: object) => {
    const { outage } = policyOf(withLimits({ "rating.user": parameters }), "rating.user");
    return typeof outage === "string" ? outage : firstReason({ algorithm: outage.local });
  };
  expect(standIn({})).toMatchObject({ algorithm: "leaky-bucket", capacity: 15, leakPerSecond: 0.5 });
  expect(standIn({ outage: "local", localShare: 0.2 })).toMatchObject({ capacity: 6, leakPerSecond: 0.2 });
  expect(standIn({ localShare: 1, capacity: 7 })).toMatchObject({ capacity: 7, leakPerSecond: 1 });
  expect(standIn({ outage: "closed" })).toBe("closed");
  expect(standIn({ outage: "open", localShare: 0.2 })).toBe("open");
});

test("changes a fixed window's anchor, and drops the settings of the other", () => {
  const fixed = (given: Record<string, unknown>, environment = {}) =>
    withLimits({ "rating.post": given }, { RATING_LIMITER: "fixed-window", ...environment })[
      "rating.post"
    ][0];
  const reason = (policy: ReturnType<typeof fixed>) =>
    policy?.algorithm.step(undefined, morning, 1).decision.reason;
  expect(reason(fixed({ anchor: "calendar-day", limit: 5 }))).toMatchObject({ limit: 5, timeZone: "UTC" });
  const daily = { FIXED_WINDOW_ANCHOR: "calendar-day" };
  expect(reason(fixed({ anchor: "first", limit: 5, windowMs: 900 }, daily))).toMatchObject({ windowMs: 900 });
  const { decision } = fixed({ anchor: "clock" })?.algorithm.step(undefined, morning + 250, 1) ?? {};
  expect(decision).toMatchObject({ limit: 20, resetAfterMs: 750 });
  expect(reason(fixed({ limit: 7 }, daily))).toMatchObject({ limit: 7, timeZone: "UTC" });
});

test("turns no limit on by its outage setting, but by a number", () => {
  expect(withLimits({ "rating.address": { outage: "open", localShare: 0.1 } })["rating.address"]).toEqual([]);
  expect(withLimits({ "rating.address": { capacity: 5 } })["rating.address"]).toHaveLength(1);
});

test("a limit that RATING_LIMITER leaves off and LIMITS turns on has the settings' numbers", () =>
  expect(
    policyOf(withLimits({ "rating.post": { mode: "enforce" } }, { RATING_LIMITER: "none" }), "rating.post")
      .algorithm.limit,
  ).toBe(20));

test.each([
  ["leaky-bucket", { LEAKY_BUCKET_CAPACITY: "2", LEAKY_BUCKET_LEAK_PER_SECOND: "0.5" }, 2_000],
  ["token-bucket", { TOKEN_BUCKET_CAPACITY: "2", TOKEN_BUCKET_REFILL_PER_SECOND: "0.5" }, 2_000],
  ["fixed-window", { FIXED_WINDOW_LIMIT: "2", FIXED_WINDOW_SECONDS: "1.1" }, 1_100],
  ["sliding-log", { SLIDING_LOG_LIMIT: "2", SLIDING_LOG_SECONDS: "1.1" }, 1_100],
  // It is nine in the morning, and the day ends at midnight; in Kathmandu that is a quarter to three.
  ["fixed-window", { FIXED_WINDOW_LIMIT: "2", FIXED_WINDOW_ANCHOR: "calendar-day" }, 15 * hourMs],
  [
    "fixed-window",
    { FIXED_WINDOW_LIMIT: "2", FIXED_WINDOW_ANCHOR: "calendar-day", LIMITER_TIME_ZONE: "Asia/Kathmandu" },
    9.25 * hourMs,
  ],
  ["tiered", { TIERED_FREE_PER_DAY: "1", TIERED_LIMIT: "1", TIERED_SECONDS: "1.1" }, 1_100],
  // A request beyond the free ones waits for less than a day: the next day begins.
  [
    "tiered",
    {
      TIERED_FREE_PER_DAY: "1",
      TIERED_LIMIT: "1",
      TIERED_SECONDS: "86400",
      LIMITER_TIME_ZONE: "Asia/Kathmandu",
    },
    9.25 * hourMs,
  ],
])(
  "with RATING_LIMITER=%s and %j a post's third rating waits as long as these set",
  async (name, settings, waitMs) => {
    const database = temporaryDatabase();
    const context = contextOf(database, limitsWith({ RATING_LIMITER: name, ...settings }));
    const { slug } = await addPost(database, await addUser(database, "author"));
    const [first, second, third] = (await addUsers(database, 3)).map((user) => async (now: number) => {
      const outcome = await createRating(context, { slug, user, address: "x", input: { score: 4 }, now });
      return outcome.kind === "limited" ? outcome.refusal.decision.retryAfterMs : outcome.kind;
    });
    expect([await first?.(morning), await second?.(morning)]).toEqual(["saved", "saved"]);
    expect(await third?.(morning)).toBe(waitMs);
    expect(await third?.(morning + waitMs - 1)).toBe(1);
    expect(await third?.(morning + waitMs)).toBe("saved");
  },
);

test("where floods are held, the post's limits hold the ratings that others would refuse", () => {
  const modesOf = (environment: Record<string, string>) => {
    const limits = limitsWith({ RATING_OVERFLOW: "hold", ...environment });
    return Object.values(limits).flatMap((policies) => policies.map(({ name, mode }) => `${name} ${mode}`));
  };
  expect(modesOf({})).toContain("rating.post hold");
  // The other one delays log-ins.
  expect(modesOf({}).filter((each) => each.endsWith(" hold"))).toEqual([
    "rating.post hold",
    "login.delay hold",
  ]);
  expect(modesOf({ RATING_LIMITER: "none" }).join()).not.toMatch(/rating\.post|rating\S* hold/);
  const LIMITS = JSON.stringify({
    "rating.post.log": { mode: "enforce", algorithm: "sliding-log", limit: 5, windowMs: 1_000 },
    "rating.post.ema": { mode: "shadow", algorithm: "ema" },
  });
  expect(modesOf({ LIMITS }).slice(0, 3)).toEqual([
    "rating.post hold",
    "rating.post.log hold",
    "rating.post.ema shadow",
  ]);
});
