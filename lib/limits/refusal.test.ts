import { expect, test } from "vitest";
import { inLocale } from "../../testing/in-locale.ts";
import { leakyBucket } from "../limiter/index.ts";
import type { PolicyName } from "./default-limits.ts";
import { explainBusy, explainDenial, explainRefusal, retryAfterSeconds } from "./refusal.ts";
import type { PolicyDecision } from "./types.ts";

/** The refusal of a full bucket, `waitMs` before it has room again. */
function refusalOf(policy: PolicyName, waitMs = 1_000): PolicyDecision {
  const bucket = leakyBucket({ capacity: 1, leakPerSecond: 10 });
  const { decision } = bucket.step(bucket.step(undefined, 0, 1).next, 0, 1);
  return { policy, counts: policy, decision: { ...decision, retryAfterMs: waitMs } };
}

test("explains a refused rating with its cause, its outcome and when to try again", () => {
  expect(explainRefusal(refusalOf("rating.post", 1001))).toBe(
    "Too many requests: this post is getting very many ratings just now, so your rating was not saved. " +
      "Try again in 2 seconds.",
  );
  expect(inLocale("fa", () => explainRefusal(refusalOf("rating.post", 1001)))).toBe(
    "درخواست‌ها بیش از اندازه است: همین حالا امتیازهای بسیاری به این نوشته می‌رسد؛ برای همین امتیاز شما ثبت نشد. " +
      "پس از ۲ ثانیه دوباره امتحان کنید.",
  );
});

test("explains a further policy by its subject", () => {
  const refusal = refusalOf("rating.user");
  expect(explainRefusal({ ...refusal, policy: "rating.user.burst" })).toBe(explainRefusal(refusal));
});

test("a denial message advises against waiting, and an outage message reports that nothing was saved", () => {
  expect(explainDenial({ kind: "denied" })).toMatch(
    / has blocked your account or your network, and waiting does not help/,
  );
  expect(explainDenial({ kind: "unavailable" })).toMatch(/nothing was saved\. Try again in a few seconds\.$/);
  expect(inLocale("fa", () => explainBusy("texts"))).toMatch(/چیزی ذخیره نشد/);
});

test.each<[PolicyName, RegExp]>([
  ["rating.user", /you are rating very fast, so your rating was not saved/],
  ["rating.address", /from your network, so your rating was not saved/],
  ["search.address", /searches from your network, so nothing was searched/],
  ["search.wide-network", /searches from internet addresses close to yours, so nothing was searched/],
  ["lab.address", /the lab .* from your network, so nothing was compared/],
  ["lab.wide-network", /the lab .* from internet addresses close to yours, so nothing was compared/],
  ["image.address", /preview images .* from your network, so none was made/],
  ["export.user", /you have downloaded your data several times, so nothing was sent/],
  ["image.wide-network", /preview images .* from internet addresses close to yours, so none was made/],
  ["rating.change", /you are changing your ratings .*, so your rating was not saved/],
  ["post.user", /you have published .*, so your post was not published/],
  ["post.render", /you have saved many texts .*, so your text was not saved/],
  ["post.preview", /you have previewed your text very often, so it was not previewed/],
  ["media.user", /you have uploaded many images .*, so your image was not saved/],
  ["review.user", /you have requested many reviews .*, so your request was not sent/],
  ["register.address", /accounts .* from your network, so no account was created/],
  ["register.network", /accounts .* from internet addresses close to yours, so no account was created/],
  ["register.wide-network", /accounts .* from internet addresses close to yours, so no account was created/],
  ["register.site", /accounts .* on this site, so no account was created/],
  ["register.known-networks", /accounts .* from networks like yours.* so no account was created/],
  ["login.address", /passwords have been tried from your network, so the password was not checked/],
  ["login.account", /for this account from your network, so the password was not checked/],
  ["login.delay", /for this account, so the password was not checked/],
  ["login.known-browser", /you have tried many passwords .*, so the password was not checked/],
  ["login.second-factor", /one-time codes .* for this account .*, so the code was not checked/],
  ["reset.address", /from your network, so no email was sent/],
  ["reset.account", /for this address, so no further email was sent/],
  ["email.user", /several new email addresses, so no email was sent/],
  ["subscribe.address", /subscriptions .* from your network, so no email was sent/],
  ["subscribe.network", /subscriptions .* from internet addresses close to yours, so no email was sent/],
  ["subscribe.site", /subscriptions .* on this site, so no email was sent/],
  ["password.user", /you have tried many passwords .*, so the password was not checked/],
  ["api.token", /with this token, so nothing was done/],
])("%s has words of its own", (policy, words) => {
  expect(explainRefusal(refusalOf(policy))).toMatch(/^Too many requests: /);
  expect(explainRefusal(refusalOf(policy))).toMatch(words);
});

test.each([
  [1, "1 second"],
  [1000, "1 second"],
  [119_001, "2 minutes"],
  [121_000, "3 minutes"],
  [7_200_001, "3 hours"],
])("a wait of %d ms is %s, never too short", (waitMs, words) =>
  expect(explainRefusal(refusalOf("post.user", waitMs))).toContain(`Try again in ${words}.`),
);

test("a cost that can never fit gives no advice to wait", () => {
  const { decision } = leakyBucket({ capacity: 0.5, leakPerSecond: 1 }).step(undefined, 0, 1);
  expect(retryAfterSeconds(decision)).toBeNull();
  expect(explainRefusal({ policy: "rating.post", counts: "rating.post", decision })).toBe(
    "Too many requests: this post is getting very many ratings just now, so your rating was not saved. " +
      "This site does not allow this at all, so waiting does not help. Ask its administrator.",
  );
});
