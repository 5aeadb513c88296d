import { describe, expect, test } from "vitest";
import { addPost, addUser, addUsers, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl } from "../../testing/database.ts";
import { integrityFaults } from "../../testing/integrity.ts";
import { memoryStore } from "../limiter/index.ts";
import { createRating, type RatingContext, type RatingOutcome } from "../ratings/index.ts";
import { secondMs } from "../time/units.ts";
import type { User } from "../users/index.ts";
import { accessRules } from "./access-rules.ts";
import { createGuard } from "./guard.ts";
import type { Limit } from "./index.ts";
import type { PolicyDecision, Verdict } from "./types.ts";

/**
 * A post, people, and a way to rate it under these limits.
 * With the states in the database or in memory.
 */
async function blog(
  states: "database" | "memory",
  limits: Record<string, Record<string, unknown>>,
  { rules = "", overflow = "reject", lockTimeoutMs = 5_000 } = {},
) {
  const database = temporaryDatabase(temporaryDatabaseUrl(), { lockTimeoutMs });
  const author = await addUser(database, "author");
  const { slug, id: postId } = await addPost(database, author);
  const people = await addUsers(database, 8);
  let now = morning;
  const store = states === "memory" ? memoryStore({ clock: () => now }) : undefined;
  const LIMITS = JSON.stringify(limits);
  const all = limitsWith({ RATING_LIMITER: "none", RATING_OVERFLOW: overflow, LIMITS });
  const context = { ...contextOf(database, all, { store, rules: accessRules(rules) }), store };
  const rate = (
    user: User | undefined,
    { address = "192.0.2.1", input = { score: 4 } as unknown, by = context as RatingContext } = {},
  ) => {
    if (!user) throw new Error("no user");
    return createRating(by, { slug, user, address, input, now });
  };
  return {
    database,
    context,
    postId,
    people,
    rate,
    pass: (ms: number) => {
      now += ms;
    },
    ratingsOf: async () => (await database.posts.bySlug(slug))?.counts.reduce((sum, count) => sum + count, 0),
  };
}

const kindOf = ({ kind }: RatingOutcome) => kind;
const bucket = (capacity: number, leakPerSecond = 1) => ({
  algorithm: "leaky-bucket",
  capacity,
  leakPerSecond,
});

describe.each(["database", "memory"] as const)("with the states in %s", (states) => {
  test("a request that any one policy refuses costs nothing in the others", async () => {
    const { people, rate, pass } = await blog(states, {
      "rating.user": bucket(1, 0.01),
      "rating.address": bucket(2, 0.1),
      "rating.post": bucket(3, 0.1),
    });
    const [first, second, third, fourth, ...others] = people;
    expect(kindOf(await rate(first, { address: "a" }))).toBe("saved");
    expect(kindOf(await rate(second, { address: "a" }))).toBe("saved");
    // Refused by the address: the post's third place stays free, and so does the person's one.
    for (const person of [third, ...others])
      expect(await rate(person, { address: "a" })).toMatchObject({ refusal: { policy: "rating.address" } });
    expect(kindOf(await rate(third, { address: "b" }))).toBe("saved");
    // Refused by the post: neither the person nor the address has lost anything by it.
    for (let tries = 0; tries < 5; tries += 1)
      expect(await rate(fourth, { address: "c" })).toMatchObject({ refusal: { policy: "rating.post" } });
    pass(10 * secondMs);
    expect(kindOf(await rate(fourth, { address: "c" }))).toBe("saved");
  });

  test("a policy that holds refuses no request, and counts none that another refuses", async () => {
    const { database, people, rate, ratingsOf } = await blog(
      states,
      {
        "rating.user": bucket(1, 0.01),
        "rating.address": bucket(6, 0.1),
        "rating.post": bucket(2, 0.1),
        "rating.post.log": { mode: "shadow", algorithm: "sliding-log", limit: 1, windowMs: 60_000 },
      },
      { overflow: "hold" },
    );
    const [first, second, third, fourth] = people;
    expect(kindOf(await rate(first))).toBe("saved");
    for (let tries = 0; tries < 3; tries += 1)
      expect(await rate(second, { input: { score: 7 } })).toMatchObject({ kind: "invalid" });
    expect(kindOf(await rate(second))).toBe("saved");
    expect(kindOf(await rate(third))).toBe("held");
    expect(kindOf(await rate(fourth))).toBe("held");
    expect(await integrityFaults(database)).toEqual([]);
    const attempts = (await database.attempts.latest(1, 10)).map(({ allowed, held, policy, shadows }) => [
      allowed,
      held,
      policy,
      shadows[0]?.allowed,
    ]);
    expect(attempts).toEqual([
      [true, true, "rating.post", false],
      [true, true, "rating.post", false],
      [true, false, "rating.post", false],
      [true, false, "rating.post", true],
    ]);
    for (const person of people.slice(4, 6)) expect(kindOf(await rate(person))).toBe("held");
    expect(await rate(people[6])).toMatchObject({ kind: "limited", refusal: { policy: "rating.address" } });
    expect(await ratingsOf()).toBeLessThanOrEqual(2);
  });

  test("input that is invalid, and a second create, cost nothing", async () => {
    const { people, rate } = await blog(states, { "rating.post": bucket(2, 0.1) });
    const [first, second] = people;
    for (let tries = 0; tries < 5; tries += 1)
      expect(kindOf(await rate(first, { input: { score: 6 } }))).toBe("invalid");
    expect(kindOf(await rate(first))).toBe("saved");
    for (let tries = 0; tries < 5; tries += 1) expect(kindOf(await rate(first))).toBe("already-rated");
    expect(kindOf(await rate(second))).toBe("saved");
  });

  test("a write that fails refunds its counts", async () => {
    const { database, people, rate, ratingsOf } = await blog(states, {
      "rating.post": bucket(2, 0.1),
      "rating.post.log": { mode: "shadow", algorithm: "sliding-log", limit: 2, windowMs: 60_000 },
    });
    const [first, second, third] = people;
    database.sqlite.exec(
      "create temp trigger broken before insert on ratings begin select raise(abort, 'broken'); end",
    );
    for (let tries = 0; tries < 5; tries += 1) await expect(rate(first)).rejects.toThrow("broken");
    database.sqlite.exec("drop trigger broken");
    expect(kindOf(await rate(first))).toBe("saved");
    expect(kindOf(await rate(second))).toBe("saved");
    expect(kindOf(await rate(third))).toBe("limited");
    expect(await ratingsOf()).toBe(2);
    expect(await integrityFaults(database)).toEqual([]);
    const attempts = (await database.attempts.latest(1, 10)).map(({ allowed, shadows }) => [
      allowed,
      shadows[0]?.allowed,
    ]);
    expect(attempts).toEqual([
      [false, false],
      [true, true],
      [true, true],
    ]);
  });

  test("many creates of one rating at once count once, and refund no more than they counted", async () => {
    const { database, context, people, rate } = await blog(states, {
      "rating.user": bucket(3, 0.001),
      "rating.post": bucket(50, 0.001),
    });
    const [busy, ...others] = people;
    const author = await addUser(database, "another author");
    const posts = [];
    for (let post = 0; post < 6; post += 1)
      posts.push(await addPost(database, author, { title: `Post ${post}` }));
    const kinds = [];
    for (const { slug } of posts) {
      const request = { slug, user: busy ?? author, address: "x", input: { score: 0 }, now: morning };
      kinds.push(
        ...(await Promise.all(Array.from({ length: 5 }, () => createRating(context, request)))).map(kindOf),
      );
    }
    expect(kinds.filter((kind) => kind === "saved")).toHaveLength(3);
    expect(kinds.filter((kind) => kind === "already-rated")).toHaveLength(12);
    expect(kinds.filter((kind) => kind === "limited")).toHaveLength(15);
    for (const person of others) expect(kindOf(await rate(person))).toBe("saved");
  });

  test("a refusal that cannot be recorded neither costs nor refunds anything in the other policies", async () => {
    const { database, context, people, rate } = await blog(states, {
      "rating.address": bucket(3, 0.001),
      "rating.post": bucket(2, 0.001),
    });
    const [first, second, third] = people;
    for (const person of [first, second]) expect(kindOf(await rate(person, { address: "a" }))).toBe("saved");
    database.sqlite.exec(
      "create temp trigger broken before insert on attempts begin select raise(abort, 'broken'); end",
    );
    for (let tries = 0; tries < 5; tries += 1)
      await expect(rate(third, { address: "a" })).rejects.toThrow("broken");
    database.sqlite.exec("drop trigger broken");
    expect(await rate(third, { address: "a" })).toMatchObject({ refusal: { policy: "rating.post" } });
    // Two of the address's three are taken, no fewer and no more: of two posts more it may rate one.
    const author = await addUser(database, "another author");
    const kinds = [];
    for (const title of ["More", "And more"]) {
      const { slug } = await addPost(database, author, { title });
      const user = third ?? author;
      kinds.push(
        await createRating(context, { slug, user, address: "a", input: { score: 1 }, now: morning }),
      );
    }
    expect(kinds.map(kindOf)).toEqual(["saved", "limited"]);
  });

  test("a policy in shadow decides and records, and refuses nothing", async () => {
    const { database, postId, people, rate } = await blog(states, {
      "rating.post": bucket(4, 0.1),
      "rating.post.strict": { mode: "shadow", ...bucket(2, 0.1) },
      "rating.address": { mode: "shadow", ...bucket(3, 0.1) },
    });
    const outcomes = [];
    for (const person of people.slice(0, 5)) outcomes.push(kindOf(await rate(person)));
    expect(outcomes).toEqual(["saved", "saved", "saved", "saved", "limited"]);
    const attempts = (await database.attempts.latest(postId, 5)).toReversed();
    expect(
      attempts.map(({ allowed, shadows }) => [
        allowed,
        ...shadows.map((shadow) => [shadow.policy, shadow.allowed]),
      ]),
    ).toEqual([
      [true, ["rating.address", true], ["rating.post.strict", true]],
      [true, ["rating.address", true], ["rating.post.strict", true]],
      [true, ["rating.address", true], ["rating.post.strict", false]],
      [true, ["rating.address", false], ["rating.post.strict", false]],
      // The post's shadow also sees requests that the post's own policy refuses; a shadow of another kind does not.
      [false, ["rating.post.strict", false]],
    ]);
    expect(attempts[3]?.shadows[1]?.reason).toMatchObject({
      algorithm: "leaky-bucket",
      level: 2,
      capacity: 2,
    });
  });

  test("access rules come first: an allowed caller is not counted, a denied one is refused and recorded", async () => {
    const rules =
      "deny address 198.51.100.0/24, allow user USER-1, deny user user-2, allow address 203.0.113.7";
    const { database, postId, people, rate } = await blog(
      states,
      { "rating.post": bucket(1, 0.01) },
      { rules },
    );
    const [first, second, third, fourth] = people;
    expect(kindOf(await rate(first, { address: "198.51.100.9" }))).toBe("denied");
    expect(kindOf(await rate(first))).toBe("saved");
    expect(kindOf(await rate(second, { address: "203.0.113.7" }))).toBe("denied");
    expect(kindOf(await rate(third, { address: "203.0.113.7" }))).toBe("saved");
    expect(kindOf(await rate(fourth))).toBe("saved");
    expect(kindOf(await rate(fourth))).toBe("already-rated");
    expect(await rate(second)).toMatchObject({ kind: "denied" });
    const attempts = (await database.attempts.latest(postId, 10)).toReversed();
    expect(attempts.map(({ allowed, policy, count }) => [allowed, policy, count])).toEqual([
      [false, "access-rules", 1],
      [true, "access-rules", 1],
      [false, "access-rules", 2],
      [true, "access-rules", 1],
      [true, "rating.post", 1],
    ]);
  });

  test("100 people at once on a post that takes 7: exactly 7 are saved", async () => {
    const { database, rate, ratingsOf } = await blog(states, { "rating.post": bucket(7, 0.001) });
    const crowd = await Promise.all(
      Array.from({ length: 100 }, (_, index) => addUser(database, `crowd-${index}`)),
    );
    const kinds = (await Promise.all(crowd.map((person) => rate(person)))).map(kindOf);
    expect(kinds.filter((kind) => kind === "saved")).toHaveLength(7);
    expect(kinds.filter((kind) => kind === "limited")).toHaveLength(93);
    expect(await ratingsOf()).toBe(7);
  });
});

test("reports a database that another process keeps locked as unavailable, and loses nothing", async () => {
  const limits = { "rating.post": bucket(1, 0.01) };
  const { database, people, rate } = await blog("database", limits, { lockTimeoutMs: 20 });
  const other = temporaryDatabase(`file:${database.sqlite.name}`);
  other.sqlite.exec("begin immediate");
  expect(kindOf(await rate(people[0]))).toBe("unavailable");
  other.sqlite.exec("rollback");
  expect(kindOf(await rate(people[0]))).toBe("saved");
});

test("keeps the counts, and does not fail, when the database is locked as they are reset or refunded", async () => {
  const limits = { "rating.post": bucket(1, 0.01) };
  const { database, context, postId, people, rate } = await blog("database", limits, { lockTimeoutMs: 20 });
  const checks = [[context.limits["rating.post"], postId]] as const;
  const counted = await context.guard.run<Verdict>({
    client: { address: "192.0.2.1" },
    now: morning,
    plan: async () => ({ checks, execute: async (verdict) => verdict }),
  });
  const { decision } = "kind" in counted ? expect.fail(counted.kind) : counted;
  const other = temporaryDatabase(`file:${database.sqlite.name}`);
  other.sqlite.exec("begin immediate");
  await context.guard.forget(checks);
  await context.guard.refund(decision, morning);
  other.sqlite.exec("rollback");
  expect(kindOf(await rate(people[1]))).toBe("limited");
  await context.guard.forget(checks);
  expect(kindOf(await rate(people[1]))).toBe("saved");
});

test("refunds once when another process saved the rating after the decision", async () => {
  const { context, people, rate, ratingsOf } = await blog("memory", {
    "rating.user": bucket(2, 0.001),
    "rating.post": bucket(2, 0.001),
  });
  const [first, second] = people;
  // Two guards on one store, as in two processes: neither sees the other's unsaved changes.
  const twin = contextOf(context.database, context.limits, { store: context.store });
  const both = await Promise.all([rate(first), rate(first, { by: twin })]);
  expect(both.map(kindOf).toSorted()).toEqual(["already-rated", "saved"]);
  expect(kindOf(await rate(second))).toBe("saved");
  expect(await ratingsOf()).toBe(2);
});

/**
 * A guard on a store of its own.
 * Each request is planned first as one plan, then as the other.
 */
function replanned(...policies: Limit[]) {
  const guard = createGuard({ database: temporaryDatabase(), store: memoryStore({ clock: () => morning }) });
  return (...[first, second]: [first: PolicyDecision | undefined, second: PolicyDecision | undefined]) => {
    let plans = 0;
    const execute = async ({ refused, isKnown }: Verdict) =>
      refused ? (isKnown ? "refused as known" : "refused by its limit") : "executed";
    return guard.run<string>({
      client: { address: "192.0.2.1" },
      now: morning,
      plan: async () => {
        plans += 1;
        return { checks: [[policies, 1]], refusal: plans === 1 ? first : second, execute };
      },
    });
  };
}

describe("a request that is planned again after its decision", () => {
  const [policy] = limitsWith({ LIMITS: JSON.stringify({ "post.user": bucket(1, 0.001) }) })["post.user"];
  if (!policy) throw new Error("no policy");
  const { decision } = policy.algorithm.step(policy.algorithm.step(undefined, morning, 1).next, morning, 1);
  const known: PolicyDecision = { policy: policy.name, counts: policy.counts, decision };

  test("stays refused when its refusal is over by then", async () => {
    const request = replanned(policy);
    expect(await request(known, undefined)).toBe("refused as known");
    expect(await request(undefined, undefined)).toBe("executed");
    expect(await request(known, undefined)).toBe("refused as known");
  });

  test("is executed when it is counted and a refusal appears by then", async () => {
    const request = replanned(policy);
    expect(await request(undefined, known)).toBe("executed");
    expect(await request(undefined, known)).toBe("refused by its limit");
  });
});
