import { expect, test } from "vitest";
import { addPost, addUser, addUsers, contextOf, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { problemResponse } from "../http/problem.ts";
import { leakyBucket } from "../limiter/index.ts";
import type { PolicyDecision } from "../limits/types.ts";
import { createRating, type RatingOutcome } from "../ratings/index.ts";
import { type FailedOutcome, problemOf } from "./outcomes.ts";

const { decision } = leakyBucket({ capacity: 1, leakPerSecond: 0.5 }).step(
  leakyBucket({ capacity: 1, leakPerSecond: 0.5 }).step(undefined, 0, 1).next,
  500,
  1,
);
const refusal: PolicyDecision = { policy: "rating.post", counts: "rating.post", decision };

test.each<[FailedOutcome, number]>([
  [{ kind: "invalid", errors: { score: ["Bad."] } }, 422],
  [{ kind: "taken", errors: { username: ["Taken."] } }, 409],
  [{ kind: "limited", refusal }, 429],
  [{ kind: "denied" }, 403],
  [{ kind: "unavailable" }, 503],
  [{ kind: "busy" }, 503],
  [{ kind: "passwords-busy" }, 503],
  [{ kind: "names-busy" }, 503],
  [{ kind: "wrong" }, 401],
  [{ kind: "not-logged-in" }, 401],
  [{ kind: "bad-token" }, 401],
  [{ kind: "bad-tokens", refusal }, 429],
  [{ kind: "missing-scope", scope: "rate" }, 403],
  [{ kind: "not-by-token" }, 403],
  [{ kind: "foreign-download" }, 403],
  [{ kind: "no-mail" }, 409],
  [{ kind: "full" }, 409],
  [{ kind: "unconfirmed" }, 409],
  [{ kind: "disabled" }, 403],
  [{ kind: "forbidden" }, 403],
  [{ kind: "not-a-writer" }, 403],
  [{ kind: "too-many-drafts" }, 409],
  [{ kind: "image-used", uses: [{ slug: "a-post", title: "A post", lang: null }] }, 409],
  [{ kind: "already-published" }, 409],
  [{ kind: "outdated" }, 412],
  [{ kind: "second-factor-missing" }, 403],
  [{ kind: "no-such-post" }, 404],
  [{ kind: "no-such-user" }, 404],
  [{ kind: "already-rated" }, 409],
  [{ kind: "not-rated" }, 404],
])("$kind becomes a problem of its status", async (failure, status) => {
  const response = problemResponse(problemOf(failure));
  expect(response.status).toBe(status);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(await response.json()).toMatchObject({
    type: "about:blank",
    title: expect.stringMatching(/^[A-Z]/),
    status,
    detail: expect.stringMatching(/\.$/),
  });
});

test("names the fields of bad input", async () => {
  const errors = { title: ["Give your post a title."], content: ["Your post has no text yet."] };
  const body = await problemResponse(problemOf({ kind: "invalid", errors })).json();
  expect(body).toMatchObject({ errors, detail: "Give your post a title. Your post has no text yet." });
});

test("gives a limited request a reason, and a Retry-After that is never too early", () => {
  const { headers, detail } = problemOf({ kind: "limited", refusal });
  expect(decision).toMatchObject({ allowed: false, retryAfterMs: 1500 });
  expect(headers).toMatchObject({ "Retry-After": "2" });
  expect(headers?.["RateLimit-Policy"]).toContain('"rating.post"');
  expect(headers?.RateLimit).toContain('"rating.post";r=0');
  expect(detail).toMatch(/^Too many requests: .*your rating was not saved\. Try again in 2 seconds\.$/);
});

test("refuses under a further policy's own name, with the words of the policy it extends", () => {
  const further = { ...refusal, policy: "rating.post.burst" };
  const { headers, detail } = problemOf({ kind: "limited", refusal: further });
  expect(headers?.["RateLimit-Policy"]).toContain('"rating.post.burst"');
  expect(headers?.RateLimit).toContain('"rating.post.burst";r=0');
  expect(detail).toBe(problemOf({ kind: "limited", refusal }).detail);
});

test("sends Retry-After for an outage, not for a denial", () => {
  const denied = problemOf({ kind: "denied" });
  expect(denied.headers?.["Retry-After"]).toBeUndefined();
  expect(denied.detail).toContain("waiting does not help");
  const unavailable = problemOf({ kind: "unavailable" });
  expect(unavailable.headers).toMatchObject({ "Retry-After": "5" });
  expect(unavailable.detail).toContain("nothing was saved");
  for (const kind of ["busy", "passwords-busy"] as const) {
    const busy = problemOf({ kind });
    expect(busy.headers).toMatchObject({ "Retry-After": "2" });
    expect(busy.detail).toContain("nothing was saved");
  }
});

test("refuses the 21st rating of a post at one instant with a 429", async () => {
  const database = temporaryDatabase();
  const context = contextOf(database);
  const { slug } = await addPost(database, await addUser(database, "author"));
  const request = { slug, address: "192.0.2.1", input: { score: 4 }, now: morning };
  const outcomes: RatingOutcome[] = [];
  for (const user of await addUsers(database, 21))
    outcomes.push(await createRating(context, { ...request, user }));
  expect(outcomes.slice(0, 20).map(({ kind }) => kind)).toEqual(Array(20).fill("saved"));
  const last = outcomes[20];
  if (last?.kind !== "limited") throw new Error(`It was ${last?.kind}.`);
  expect(problemOf(last)).toMatchObject({
    status: 429,
    detail: expect.stringContaining("Too many requests"),
  });
});
