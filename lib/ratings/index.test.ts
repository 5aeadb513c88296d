import { expect, test } from "vitest";
import { addPost, addUser, addUsers, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import type { Limits } from "../limits/index.ts";
import { stateKey } from "../limits/types.ts";
import type { User } from "../users/index.ts";
import { createRating, saveRatingOf, updateRating, withdrawRating } from "./index.ts";

const address = "192.0.2.1";

async function blog({ users = 30, limits = limitsWith() }: { users?: number; limits?: Limits } = {}) {
  const database = temporaryDatabase();
  const context = contextOf(database, limits);
  const { slug, id } = await addPost(database, await addUser(database, "author"));
  const raters = await addUsers(database, users);
  const counts = async () => (await database.posts.bySlug(slug))?.counts;
  const rater = (index: number): User => {
    const user = raters[index];
    if (!user) throw new Error(`There is no rater ${index}.`);
    return user;
  };
  const rate = (index: number, score: unknown, now = morning) =>
    createRating(context, { slug, user: rater(index), address, input: { score }, now });
  const change = (index: number, score: unknown, now = morning) =>
    updateRating(context, { slug, user: rater(index), address, input: { score }, now });
  const withdraw = (index: number) =>
    withdrawRating(context, { slug, userId: rater(index).id, now: morning });
  /** The first `count` users give this score, one after the other. */
  const crowd = async (count: number, score: number) => {
    const outcomes = [];
    for (let index = 0; index < count; index += 1) outcomes.push(await rate(index, score));
    return outcomes;
  };
  const states = () =>
    database.sqlite
      .prepare(
        "select * from limiter_states where key like 'rating.%' and key not like 'rating.backoff:%' order by key",
      )
      .all();
  return { context, database, slug, id, rater, rate, change, withdraw, crowd, counts, states };
}

test("saves a choice whether or not there is a rating to change", async () => {
  const { context, slug, rater, rate, withdraw, counts } = await blog();
  const save = (score: number) =>
    saveRatingOf(context, { slug, user: rater(0), address, input: { score }, now: morning });
  expect(await save(3)).toEqual({ kind: "saved", score: 3 });
  expect(await save(5)).toEqual({ kind: "saved", score: 5 });
  await withdraw(0);
  expect(await save(1)).toEqual({ kind: "saved", score: 1 });
  expect(await counts()).toEqual([0, 1, 0, 0, 0, 0]);
  expect(await rate(0, 2)).toEqual({ kind: "already-rated" });
});

test("refuses the 21st rating at one instant, with a reason, and records it", async () => {
  const { database, rate, crowd, counts, id, rater } = await blog();
  expect(await crowd(20, 4)).toEqual(Array(20).fill({ kind: "saved", score: 4 }));

  const refused = await rate(20, 0);

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
  expect(await counts()).toEqual([0, 0, 0, 0, 20, 0]);
  expect(await database.ratings.find(id, rater(20).id)).toBeUndefined();
  const [latest] = await database.attempts.latest(id, 1);
  expect(latest).toMatchObject({
    allowed: false,
    verb: "create",
    score: 0,
    policy: "rating.post",
    username: "user-21",
  });
  expect(latest?.reason).toMatchObject({ algorithm: "leaky-bucket", level: 20 });
  const allowed = (await database.attempts.latest(id, 100)).slice(1);
  expect(allowed.map(({ allowed, policy }) => ({ allowed, policy }))).toEqual(
    Array(20).fill({ allowed: true, policy: "rating.post" }),
  );
});

test("accepts a limited rating exactly when its retry time has passed", async () => {
  const { rate, crowd } = await blog();
  await crowd(20, 4);
  expect((await rate(20, 1, morning + 99)).kind).toBe("limited");
  expect((await rate(20, 1, morning + 100)).kind).toBe("saved");
});

test("with the EMA, accepts fifteen ratings 5 s apart and refuses at least four of six more 50 ms apart", async () => {
  const { rate } = await blog({ limits: limitsWith({ RATING_LIMITER: "ema" }) });
  let now = morning;
  for (let user = 0; user < 15; user += 1) {
    expect((await rate(user, 5, now)).kind).toBe("saved");
    now += 5_000;
  }
  now -= 5_000;
  const kinds: string[] = [];
  for (const user of [15, 16, 17, 18, 19, 20]) {
    now += 50;
    kinds.push((await rate(user, 0, now)).kind);
  }
  expect(kinds.filter((kind) => kind === "limited").length).toBeGreaterThanOrEqual(4);
});

test("limits changes, apart from first ratings, and keeps the old score when refused", async () => {
  const { database, rate, change, counts, id } = await blog({
    limits: limitsWith({ LEAKY_BUCKET_CAPACITY: "2" }),
  });
  await rate(0, 5);
  expect(await change(0, 4)).toEqual({ kind: "saved", score: 4 });
  expect(await change(0, 3)).toEqual({ kind: "saved", score: 3 });
  expect(await change(0, 0)).toMatchObject({ kind: "limited", refusal: { policy: "rating.post" } });
  expect(await counts()).toEqual([0, 0, 0, 1, 0, 0]);
  expect((await database.attempts.latest(id, 1))[0]).toMatchObject({
    verb: "update",
    score: 0,
    allowed: false,
  });
});

test("spends and records nothing for requests that cannot succeed", async () => {
  const { context, database, slug, rater, rate, change, states, id } = await blog({
    limits: limitsWith({ LEAKY_BUCKET_CAPACITY: "2" }),
  });
  expect(await change(0, 3)).toEqual({ kind: "not-rated" });
  for (const score of [-1, 6, 2.5, "5", Number.NaN, null, undefined, [5], { valueOf: 5 }, true, 5n])
    expect(await rate(0, score)).toEqual({
      kind: "invalid",
      errors: { score: ["Score must be a whole number from 0 to 5."] },
    });
  for (const input of [undefined, null, "5", 5, []])
    expect(await createRating(context, { slug, user: rater(0), address, input, now: morning })).toMatchObject(
      { kind: "invalid", errors: expect.anything() },
    );
  const nowhere = { slug: "nowhere", user: rater(0), address, input: { score: 1 }, now: morning };
  expect(await createRating(context, nowhere)).toEqual({ kind: "no-such-post" });
  expect(states()).toEqual([]);
  expect(await database.attempts.latest(id, 10)).toEqual([]);

  await rate(0, 5);
  const before = states();
  expect(await rate(0, 1)).toEqual({ kind: "already-rated" });
  expect(states()).toEqual(before);
  expect(await database.attempts.latest(id, 10)).toHaveLength(1);
});

test("counts, updates and withdraws a score of 0", async () => {
  const { rate, change, withdraw, counts } = await blog();
  expect(await rate(0, 0)).toEqual({ kind: "saved", score: 0 });
  expect(await counts()).toEqual([1, 0, 0, 0, 0, 0]);
  expect(await rate(0, 0)).toEqual({ kind: "already-rated" });
  expect(await change(0, 5)).toEqual({ kind: "saved", score: 5 });
  expect(await change(0, 0)).toEqual({ kind: "saved", score: 0 });
  expect(await counts()).toEqual([1, 0, 0, 0, 0, 0]);
  expect(await withdraw(0)).toEqual({ kind: "withdrawn" });
  expect(await counts()).toEqual([0, 0, 0, 0, 0, 0]);
});

test("removes a withdrawn rating from the counters once, and accepts a new one", async () => {
  const { context, rate, withdraw, counts, rater } = await blog();
  await rate(0, 3);
  await rate(1, 3);
  expect(await withdraw(0)).toEqual({ kind: "withdrawn" });
  expect(await withdraw(0)).toEqual({ kind: "not-rated" });
  expect(await counts()).toEqual([0, 0, 0, 1, 0, 0]);
  expect(await withdrawRating(context, { slug: "nowhere", userId: rater(0).id, now: morning })).toEqual({
    kind: "no-such-post",
  });
  expect(await rate(0, 5)).toEqual({ kind: "saved", score: 5 });
});

test("leaves the states of other policies unchanged when one refuses", async () => {
  const limits = limitsWith({
    LIMITS: JSON.stringify({
      "rating.user": { mode: "enforce", capacity: 2, leakPerSecond: 0.01 },
      "rating.address": { mode: "enforce", capacity: 2, leakPerSecond: 0.01 },
      "rating.change": { mode: "enforce", capacity: 1, leakPerSecond: 0.01 },
    }),
  });
  const { rate, change, states, rater } = await blog({ limits });
  expect((await rate(0, 1)).kind).toBe("saved");
  expect((await change(0, 2)).kind).toBe("saved");
  const before = states();
  expect(before).toHaveLength(5);

  const refused = await change(0, 3);

  expect(refused).toMatchObject({ kind: "limited", refusal: { policy: "rating.change" } });
  expect(states()).toEqual(before);
  // The address has room for one more, by another user, and the post's own count has not moved either.
  expect((await rate(1, 5)).kind).toBe("saved");
  expect(await rate(2, 5)).toMatchObject({ kind: "limited", refusal: { policy: "rating.address" } });
  const [policy] = limits["rating.user"];
  if (!policy) throw new Error("rating.user is off.");
  const key = (index: number) => expect.objectContaining({ key: stateKey(policy, rater(index).id) });
  expect(states()).toContainEqual(key(1));
  expect(states()).not.toContainEqual(key(2));
});

test("accepts ratings without a limiter, and records attempts without a policy", async () => {
  const { database, crowd, id } = await blog({ users: 40, limits: limitsWith({ RATING_LIMITER: "none" }) });
  expect(await crowd(40, 2)).toEqual(Array(40).fill({ kind: "saved", score: 2 }));
  expect(await database.attempts.latest(id, 1)).toMatchObject([
    { allowed: true, policy: null, reason: null },
  ]);
});

test("rolls back the limiter's count, the attempt and the rating when saving fails", async () => {
  const { database, rate, change, counts, states, rater, id } = await blog();
  await rate(0, 5);
  const before = {
    states: states(),
    counts: await counts(),
    attempts: await database.attempts.latest(id, 9),
  };
  database.sqlite.exec(
    "create trigger fails_on_insert after insert on ratings begin select raise(abort, 'no room'); end;" +
      "create trigger fails_on_count after update on posts begin select raise(abort, 'no room'); end;",
  );
  await expect(rate(1, 0)).rejects.toThrow("no room");
  await expect(change(0, 0)).rejects.toThrow("no room");
  expect({
    states: states(),
    counts: await counts(),
    attempts: await database.attempts.latest(id, 9),
  }).toEqual(before);
  expect(await database.ratings.find(id, rater(1).id)).toBeUndefined();

  database.sqlite.exec("drop trigger fails_on_insert; drop trigger fails_on_count");
  expect((await rate(1, 0)).kind).toBe("saved");
});

test("counts a post's attempts per interval, with the highest level of each", async () => {
  const { database, rate, crowd, id } = await blog();
  await crowd(22, 1);
  await rate(22, 1, morning + 60_000);
  expect(await database.attempts.span(id)).toEqual({ first: morning, last: morning + 60_000 });
  const intervals = await database.attempts.perInterval(id, morning, 60_000);
  expect(intervals).toMatchObject([
    { interval: 0, accepted: 20, refused: 2, lowest: 0, highest: 20 },
    { interval: 1, accepted: 1, refused: 0, lowest: 0, highest: 0 },
  ]);
});
