import { describe, expect, test } from "vitest";
import {
  type Algorithm,
  type Decision,
  ema,
  fixedWindow,
  leakyBucket,
  slidingLog,
  tiered,
  tokenBucket,
} from "../limiter/index.ts";
import type { PolicyName } from "./default-limits.ts";
import { explainDenial, explainRefusal, retryAfterSeconds } from "./refusal.ts";
import type { PolicyDecision } from "./types.ts";

/** The message of a policy of the app's own, with this decision. */
function refusalBy(policy: PolicyName, decision: Decision): PolicyDecision {
  return { policy, counts: policy, decision };
}

/** The message of a full bucket, `waitMs` before it has room again. */
function refusedByBucket(policy: PolicyName, leakPerSecond: number, waitMs: number): PolicyDecision {
  const bucket = leakyBucket({ capacity: 1, leakPerSecond });
  const { decision } = bucket.step(bucket.step(undefined, 0, 1).next, 0, 1);
  return refusalBy(policy, { ...decision, retryAfterMs: waitMs });
}

test("explains a refused rating with its limit, its outcome and when to try again", () =>
  expect(explainRefusal(refusedByBucket("rating.post", 10, 1001))).toBe(
    "Too many requests: this post is being rated faster than 10 ratings a second, so your rating was not saved. " +
      "Try again in 2 seconds.",
  ));

test("explains an EMA's refusal as faster than usual, without a number that would guide a flood", () => {
  const detector = ema({});
  const usual = Array.from({ length: 20 }, (_, index) => index * 5_000);
  const flood = Array.from({ length: 100 }, (_, index) => 95_000 + index * 10);
  let state: Parameters<typeof detector.step>[0];
  const decisions = [...usual, ...flood].map((now) => {
    const { decision, next } = detector.step(state, now, 1);
    state = next ?? state;
    return decision;
  });
  const decision = decisions.find(({ allowed }) => !allowed);
  if (!decision) throw new Error("The flood was not refused.");
  expect(explainRefusal(refusalBy("rating.post", decision))).toMatch(
    /^Too many requests: ratings of this post are arriving much faster than usual, so your rating was not saved\. Try again in \d+ \w+\.$/,
  );
});

test("explains a further policy by its subject", () => {
  const refusal = refusedByBucket("rating.user", 1 / 60, 1000);
  expect(explainRefusal({ ...refusal, policy: "rating.user.burst" })).toBe(explainRefusal(refusal));
});

test("a denial message advises against waiting, and an outage message reports that nothing was saved", () => {
  expect(explainDenial({ kind: "denied" })).toMatch(
    / accepts nothing from your network or account\. Waiting does not help/,
  );
  expect(explainDenial({ kind: "unavailable" })).toMatch(/nothing was saved\. Try again in a few seconds\.$/);
});

test.each<[PolicyName, RegExp]>([
  ["rating.user", /you are rating faster than one rating a minute, so your rating was not saved/],
  ["rating.address", /from your network faster than .*so your rating was not saved/],
  ["lab.address", /the lab is being used from your network faster than .*so nothing was compared/],
  ["rating.change", /you are changing ratings faster than one change a minute, so your rating was not saved/],
  ["post.user", /you are publishing faster than one post a minute, so your post was not published/],
  ["post.render", /you are saving texts faster than one text a minute, so your text was not saved/],
  ["register.address", /accounts .* from your network .*so no account was created/],
  ["register.network", /accounts .* from networks next to yours .*so no account was created/],
  ["register.wide-network", /accounts .* from networks next to yours .*so no account was created/],
  ["register.site", /accounts .* on this site .*so no account was created/],
  ["register.known-networks", /accounts .* from networks .* such as yours.*so no account was created/],
  ["login.address", /passwords are being tried from your network .*so the password was not checked/],
  ["login.account", /passwords are being tried for this account .*so the password was not checked/],
])("%s has words of its own", (policy, words) =>
  expect(explainRefusal(refusedByBucket(policy, 1 / 60, 1000))).toMatch(words),
);

describe("rates and waits in words", () => {
  test.each([
    [10, "10 posts a second"],
    [2.5, "2.5 posts a second"],
    [1, "one post a second"],
    [1 / 5, "one post every 5 seconds"],
    [1 / 60, "one post a minute"],
    [1 / 90, "one post every 90 seconds"],
    [1 / 120, "one post every 2 minutes"],
    [1 / 3600, "one post an hour"],
    [1 / 86_400, "one post every 24 hours"],
  ])("%d a second is %s", (rate, words) =>
    expect(explainRefusal(refusedByBucket("post.user", rate, 1000))).toContain(`faster than ${words}, so`),
  );

  test.each([
    [1, "1 second"],
    [1000, "1 second"],
    [119_001, "2 minutes"],
    [121_000, "3 minutes"],
    [7_200_001, "3 hours"],
  ])("%d ms are %s, never too early", (waitMs, words) =>
    expect(explainRefusal(refusedByBucket("post.user", 1, waitMs))).toContain(`Try again in ${words}.`),
  );
});

describe("every algorithm has words of its own", () => {
  function refusedBy<S>(algorithm: Algorithm<S>): string {
    let step = algorithm.step(undefined, 0, 1);
    while (step.decision.allowed) step = algorithm.step(step.next, 0, 1);
    return explainRefusal(refusalBy("rating.user", step.decision));
  }

  test("a token bucket, by the rate that it refills at", () =>
    expect(refusedBy(tokenBucket({ capacity: 2, refillPerSecond: 10 }))).toContain(
      "you are rating faster than 10 ratings a second, so",
    ));

  test("a window and a log, by their limit per time", () => {
    expect(refusedBy(fixedWindow({ limit: 5, windowMs: 800 }))).toContain(
      "faster than 5 ratings in 0.8 seconds, so",
    );
    expect(refusedBy(slidingLog({ limit: 1, windowMs: 120_000 }))).toContain(
      "faster than one rating in 2 minutes, so",
    );
    expect(refusedBy(fixedWindow({ limit: 20, anchor: "calendar-day" }))).toContain(
      "20 ratings in 24 hours, so",
    );
  });

  test("a tiered limit, by the day's quota and the limit after it", () =>
    expect(refusedBy(tiered({ freePerDay: 3, beyond: slidingLog({ limit: 2, windowMs: 5000 }) }))).toContain(
      "today's first 3 ratings are used up, and you are rating faster than 2 ratings in 5 seconds, so",
    ));
});

test("a cost that can never fit gives no advice to wait", () => {
  const { decision } = leakyBucket({ capacity: 0.5, leakPerSecond: 1 }).step(undefined, 0, 1);
  expect(retryAfterSeconds(decision)).toBeNull();
  expect(explainRefusal(refusalBy("rating.post", decision))).toBe(
    "Too many requests: the limit of this site allows no ratings at all, so your rating was not saved. Waiting does not help.",
  );
});
