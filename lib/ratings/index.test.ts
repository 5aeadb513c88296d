import { expect, test } from "vitest";
import { addPost, addUser, addUsers, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { stateKey } from "../guard.ts";
import type { Limits } from "../limits.ts";
import { createRating, updateRating, withdrawRating } from "./index.ts";

const address = "192.0.2.1";

function blog({ users = 30, limits = limitsWith() }: { users?: number; limits?: Limits } = {}) {
  const database = temporaryDatabase();
  const { slug, id } = addPost(database, addUser(database, "author"));
  const raters = addUsers(database, users).map((user) => user.id);
  const counts = () => database.posts.bySlug(slug)?.counts;
  const rater = (index: number) => raters[index] ?? 0;
  const rate = (index: number, score: unknown, now = morning) =>
    createRating({ database, limits }, { slug, userId: rater(index), address, input: { score }, now });
  const change = (index: number, score: unknown, now = morning) =>
    updateRating({ database, limits }, { slug, userId: rater(index), address, input: { score }, now });
  const withdraw = (index: number) => withdrawRating({ database }, { slug, userId: rater(index) });
  const states = () =>
    database.sqlite.prepare("select * from limiter_states where key like 'rating.%' order by key").all();
  return { database, limits, slug, id, rater, rate, change, withdraw, counts, states };
}

test("With the time frozen, twenty users rate a post and the twenty-first is limited, told why and recorded", () => {
  const { database, rate, counts, id, rater } = blog();
  for (let user = 0; user < 20; user += 1) expect(rate(user, 4)).toEqual({ kind: "saved", score: 4 });

  const refused = rate(20, 0);

  expect(refused).toMatchObject({
    kind: "limited",
    refusal: {
      policy: "rating.post",
      decision: {
        allowed: false,
        limit: 20,
        remaining: 0,
        retryAfterMs: 100,
        reason: { algorithm: "leaky-bucket", level: 20, capacity: 20, leakPerSecond: 10 },
      },
    },
  });
  expect(counts()).toEqual([0, 0, 0, 0, 20, 0]);
  expect(database.ratings.find(id, rater(20))).toBeUndefined();
  const [latest] = database.attempts.latest(id, 1);
  expect(latest).toMatchObject({
    allowed: false,
    verb: "create",
    score: 0,
    policy: "rating.post",
    username: "user-21",
  });
  expect(latest?.reason).toMatchObject({ algorithm: "leaky-bucket", level: 20 });
  expect(database.attempts.latest(id, 100)).toHaveLength(21);
});

test("A limited rating passes at the instant that its refusal named, and not a millisecond before", () => {
  const { rate } = blog();
  for (let user = 0; user < 20; user += 1) rate(user, 4);
  expect(rate(20, 1, morning + 99).kind).toBe("limited");
  expect(rate(20, 1, morning + 100).kind).toBe("saved");
});

test("With the EMA, fifteen requests five seconds apart pass, and of six more at fifty milliseconds at least four are refused", () => {
  const { rate } = blog({ limits: limitsWith({ RATING_LIMITER: "ema" }) });
  let now = morning;
  for (let user = 0; user < 15; user += 1) {
    expect(rate(user, 5, now).kind).toBe("saved");
    now += 5_000;
  }
  now -= 5_000;
  const kinds = [15, 16, 17, 18, 19, 20].map((user) => {
    now += 50;
    return rate(user, 0, now).kind;
  });
  expect(kinds.filter((kind) => kind === "limited").length).toBeGreaterThanOrEqual(4);
});

test("An update passes the limiter too, and when limited it leaves the old score", () => {
  const { database, rate, change, counts, id } = blog({
    limits: limitsWith({ LEAKY_BUCKET_CAPACITY: "3" }),
  });
  rate(0, 5);
  expect(change(0, 4)).toEqual({ kind: "saved", score: 4 });
  expect(change(0, 3)).toEqual({ kind: "saved", score: 3 });
  expect(change(0, 0).kind).toBe("limited");
  expect(counts()).toEqual([0, 0, 0, 1, 0, 0]);
  expect(database.attempts.latest(id, 1)[0]).toMatchObject({ verb: "update", score: 0, allowed: false });
});

test("Requests that cannot succeed cost nothing in the limiter and leave no attempt", () => {
  const { database, limits, slug, rater, rate, change, states, id } = blog({
    limits: limitsWith({ LEAKY_BUCKET_CAPACITY: "2" }),
  });
  expect(change(0, 3)).toEqual({ kind: "not-rated" });
  for (const score of [-1, 6, 2.5, "5", Number.NaN, null, undefined, [5], { valueOf: 5 }, true, 5n])
    expect(rate(0, score)).toEqual({
      kind: "invalid",
      errors: { score: ["Score must be a whole number from 0 to 5."] },
    });
  for (const input of [undefined, null, "5", 5, []])
    expect(
      createRating({ database, limits }, { slug, userId: rater(0), address, input, now: morning }),
    ).toMatchObject({ kind: "invalid", errors: expect.anything() });
  expect(
    createRating(
      { database, limits },
      { slug: "nowhere", userId: rater(0), address, input: { score: 1 }, now: morning },
    ),
  ).toEqual({ kind: "no-such-post" });
  expect(states()).toEqual([]);
  expect(database.attempts.latest(id, 10)).toEqual([]);

  rate(0, 5);
  const before = states();
  expect(rate(0, 1)).toEqual({ kind: "already-rated" });
  expect(states()).toEqual(before);
  expect(database.attempts.latest(id, 10)).toHaveLength(1);
});

test("Zero is a score: it counts, and it can be updated and withdrawn", () => {
  const { rate, change, withdraw, counts } = blog();
  expect(rate(0, 0)).toEqual({ kind: "saved", score: 0 });
  expect(counts()).toEqual([1, 0, 0, 0, 0, 0]);
  expect(rate(0, 0)).toEqual({ kind: "already-rated" });
  expect(change(0, 5)).toEqual({ kind: "saved", score: 5 });
  expect(change(0, 0)).toEqual({ kind: "saved", score: 0 });
  expect(counts()).toEqual([1, 0, 0, 0, 0, 0]);
  expect(withdraw(0)).toEqual({ kind: "withdrawn" });
  expect(counts()).toEqual([0, 0, 0, 0, 0, 0]);
});

test("A withdrawn rating leaves the counters, once, and can be given anew", () => {
  const { database, rate, withdraw, counts, rater } = blog();
  rate(0, 3);
  rate(1, 3);
  expect(withdraw(0)).toEqual({ kind: "withdrawn" });
  expect(withdraw(0)).toEqual({ kind: "not-rated" });
  expect(counts()).toEqual([0, 0, 0, 1, 0, 0]);
  expect(withdrawRating({ database }, { slug: "nowhere", userId: rater(0) })).toEqual({
    kind: "no-such-post",
  });
  expect(rate(0, 5)).toEqual({ kind: "saved", score: 5 });
});

test("A request that one policy refuses leaves the states of the others as they were", () => {
  const limits = limitsWith({
    LIMITS: JSON.stringify({
      "rating.user": { mode: "enforce", capacity: 2, leakPerSecond: 0.01 },
      "rating.address": { mode: "enforce", capacity: 3, leakPerSecond: 0.01 },
    }),
  });
  const { rate, change, states, rater } = blog({ limits });
  expect(rate(0, 1).kind).toBe("saved");
  expect(change(0, 2).kind).toBe("saved");
  const before = states();
  expect(before).toHaveLength(3);

  const refused = change(0, 3);

  expect(refused).toMatchObject({ kind: "limited", refusal: { policy: "rating.user" } });
  expect(states()).toEqual(before);
  // The address has room for one more, by somebody else, and the post's own count has not moved either.
  expect(rate(1, 5).kind).toBe("saved");
  expect(rate(2, 5)).toMatchObject({ kind: "limited", refusal: { policy: "rating.address" } });
  const policy = limits["rating.user"];
  expect(states()).not.toContainEqual(expect.objectContaining({ key: policy && stateKey(policy, rater(2)) }));
});

test("Without a limiter ratings pass, and the attempts say that no policy was asked", () => {
  const { database, rate, id } = blog({ users: 40, limits: limitsWith({ RATING_LIMITER: "none" }) });
  for (let user = 0; user < 40; user += 1) expect(rate(user, 2).kind).toBe("saved");
  expect(database.attempts.latest(id, 1)).toMatchObject([{ allowed: true, policy: null, reason: null }]);
});

test("What fails after the limiter has counted takes the count, the attempt and the rating back with it", () => {
  const { database, rate, change, counts, states, id } = blog();
  rate(0, 5);
  const before = { states: states(), counts: counts(), attempts: database.attempts.latest(id, 9) };
  database.sqlite.exec(
    "create trigger fails_on_insert after insert on ratings begin select raise(abort, 'no room'); end;" +
      "create trigger fails_on_count after update on posts begin select raise(abort, 'no room'); end;",
  );
  expect(() => rate(1, 0)).toThrow("no room");
  expect(() => change(0, 0)).toThrow("no room");
  expect({ states: states(), counts: counts(), attempts: database.attempts.latest(id, 9) }).toEqual(before);
  expect(database.ratings.find(id, 1)).toBeUndefined();

  database.sqlite.exec("drop trigger fails_on_insert; drop trigger fails_on_count");
  expect(rate(1, 0).kind).toBe("saved");
});

test("A post's attempts are counted by interval, with the highest level of each", () => {
  const { database, rate, id } = blog();
  for (let user = 0; user < 22; user += 1) rate(user, 1);
  rate(22, 1, morning + 60_000);
  expect(database.attempts.span(id)).toEqual({ first: morning, last: morning + 60_000 });
  const intervals = database.attempts.perInterval(id, morning, 10_000);
  expect(intervals).toMatchObject([
    { interval: 0, accepted: 20, refused: 2, level: 20 },
    { interval: 6, accepted: 1, refused: 0, level: 0 },
  ]);
});
