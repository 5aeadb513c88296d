import { beforeEach, describe, expect, test } from "vitest";
import { PostgresUnavailableError } from "../../db/dialects/postgres/errors.ts";
import { addPost, addUser, addUsers, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { memoryStore, type Store, storeFrom } from "../limiter/index.ts";
import { accessRules } from "../limits/access-rules.ts";
import { createGuard } from "../limits/guard.ts";
import type { Guard } from "../limits/types.ts";
import { createRating, updateRating } from "../ratings/index.ts";
import { hourMs } from "../time/units.ts";
import { limitCounters } from "./limit-counters.ts";
import { countingOutages, metrics, scrape } from "./metrics.ts";
import { observedGuard } from "./observed-guard.ts";
import { timedStates } from "./timed-states.ts";

beforeEach(() => {
  metrics().registry.resetMetrics();
  limitCounters().take();
});

/** A metric's values by its labels. */
async function figures(name: string): Promise<Record<string, number>> {
  const { text } = await scrape();
  const found = [...text.matchAll(new RegExp(`^${name}\\{(.*)\\} (\\S+)$`, "gm"))];
  return Object.fromEntries(
    found.map(([, labels = "", value]) => [labels.replaceAll('"', ""), Number(value)]),
  );
}

async function blog(
  settings: Record<string, string>,
  { store, rules = "" }: { store?: Store; rules?: string } = {},
) {
  const database = temporaryDatabase();
  const { slug } = await addPost(database, await addUser(database, "author"));
  const limits = limitsWith(settings);
  const inner = createGuard({
    ...timedStates(database, store, "memory"),
    rules: accessRules(rules),
    report: countingOutages(() => {}),
    clock: () => 0,
  });
  const context = { ...contextOf(database, limits), guard: observedGuard(inner, limits) };
  const people = await addUsers(database, 6);
  const rate = (index: number, how = createRating) => {
    const user = people[index];
    if (!user) throw new Error("no such user");
    return how(context, { slug, user, address: "192.0.2.1", input: { score: 4 }, now: morning });
  };
  return { database, slug, limits, people, rate };
}

const bucket = (capacity: number) => ({ algorithm: "leaky-bucket", capacity, leakPerSecond: 0.0001 });
const shadow = { mode: "shadow", algorithm: "sliding-log", limit: 1, windowMs: 60_000 };

describe.each(["database", "memory"])("with the states in %s", (name) => {
  const where = () => (name === "memory" ? { store: memoryStore({ clock: () => morning }) } : {});

  test("counts ratings by decision and deciding policy, each policy's decision, and its duration", async () => {
    const LIMITS = JSON.stringify({ "rating.post": bucket(2), "rating.post.log": shadow });
    const { rate } = await blog({ LIMITS }, { ...where(), rules: "deny user user-5, allow user user-6" });
    for (const person of [0, 1, 2, 4, 5]) await rate(person);
    // Already rated, or not rated yet: no limit decides.
    await rate(0);
    await rate(3, updateRating);
    expect(await figures("weir_rating_attempts_total")).toEqual({
      "decision=accepted,policy=rating.post": 2,
      "decision=refused,policy=rating.post": 1,
      "decision=denied,policy=access-rules": 1,
      "decision=accepted,policy=access-rules": 1,
    });
    expect(await figures("weir_limit_decisions_total")).toMatchObject({
      "policy=rating.post,decision=allowed": 2,
      "policy=rating.post,decision=refused": 1,
      "policy=rating.post.log,decision=shadow-would-allow": 1,
      "policy=rating.post.log,decision=shadow-would-refuse": 2,
    });
    const taken = await figures("weir_limiter_seconds_count");
    expect(taken).toEqual({ [`store=${name}`]: expect.any(Number) });
    expect(taken[`store=${name}`]).toBeGreaterThanOrEqual(3);
  });

  test("adds each policy's decision to the counters of the request's hour", async () => {
    const LIMITS = JSON.stringify({ "rating.post": bucket(2), "rating.post.log": shadow });
    const { rate } = await blog({ LIMITS }, where());
    for (const person of [0, 1, 2]) await rate(person);
    const hour = morning / hourMs;
    const counts = { hour, held: 0, shadowWouldRefuse: 0 };
    expect(limitCounters().take()).toEqual(
      expect.arrayContaining([
        { ...counts, policy: "rating.post", allowed: 2, refused: 1 },
        { ...counts, policy: "rating.post.log", allowed: 1, refused: 0, shadowWouldRefuse: 2 },
      ]),
    );
    expect(limitCounters().take()).toEqual([]);
  });

  test("counts a held rating as held, by the policy that holds", async () => {
    const LIMITS = JSON.stringify({ "rating.post": bucket(1) });
    const settings = { RATING_OVERFLOW: "hold", RATING_LIMITER: "leaky-bucket", LIMITS };
    const { rate } = await blog(settings, where());
    for (const person of [0, 1]) await rate(person);
    expect(await figures("weir_rating_attempts_total")).toEqual({
      "decision=accepted,policy=rating.post": 1,
      "decision=held,policy=rating.post": 1,
    });
    expect(await figures("weir_limit_decisions_total")).toMatchObject({
      "policy=rating.post,decision=held": 1,
    });
    expect(limitCounters().take()).toContainEqual(
      expect.objectContaining({ policy: "rating.post", allowed: 1, refused: 0, held: 1 }),
    );
  });

  test("counts ratings also when all their limits are off", async () => {
    const { rate } = await blog({ RATING_LIMITER: "none" }, where());
    await rate(0);
    expect(await figures("weir_rating_attempts_total")).toEqual({ "decision=accepted,policy=none": 1 });
  });

  test("counts a failing rating once, as failed, and passes the error on", async () => {
    const { database, rate } = await blog({}, where());
    database.sqlite.exec(
      "create temp trigger broken before insert on ratings begin select raise(abort, 'broken'); end",
    );
    await expect(rate(0)).rejects.toThrow("broken");
    expect(await figures("weir_rating_attempts_total")).toEqual({ "decision=failed,policy=rating.post": 1 });
  });
});

test("does not count an attempt that another process had already completed", async () => {
  const { database, slug, limits, people } = await blog({});
  const store = memoryStore({ clock: () => morning });
  const [user] = people;
  if (!user) throw new Error("no such user");
  const request = { slug, user, address: "192.0.2.1", input: { score: 4 }, now: morning };
  const rateBy = (guard: Guard) => createRating({ ...contextOf(database, limits), guard }, request);
  const guards = [1, 2].map(() => observedGuard(createGuard({ database, store, clock: () => 0 }), limits));
  const kinds = (await Promise.all(guards.map(rateBy))).map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual(["already-rated", "saved"]);
  expect(await figures("weir_rating_attempts_total")).toEqual({ "decision=accepted,policy=rating.post": 1 });
});

test("counts a retried transaction once, by its final outcome", async () => {
  const { database, slug, limits, people } = await blog({});
  const [user] = people;
  if (!user) throw new Error("no such user");
  const request = { slug, user, address: "192.0.2.1", input: { score: 4 }, now: morning };
  /** Fails once, as if another process had written the same rating meanwhile. */
  const transaction: typeof database.transaction = async (work) => {
    const lost = async () => {
      await work();
      throw new Error("serialization failure");
    };
    await database.transaction(lost).catch(() => {});
    await database.transaction(async () => {
      const post = await database.posts.idOf(slug);
      const rating = {
        postId: post?.id ?? 0,
        userId: user.id,
        score: 1,
        window: null,
        now: morning,
      } as const;
      await database.ratings.insert(rating);
    });
    return database.transaction(work);
  };
  const guard = observedGuard(createGuard({ database: { ...database, transaction } }), limits);
  const outcome = await createRating({ ...contextOf(database, limits), guard }, request);
  expect(outcome.kind).toBe("already-rated");
  expect(await figures("weir_rating_attempts_total")).toEqual({});
});

test("counts no decision of a transaction that was rolled back", async () => {
  const { database, slug, limits, people } = await blog({});
  const [user] = people;
  if (!user) throw new Error("no such user");
  /** The server is gone before the commit. */
  const transaction: typeof database.transaction = (work) =>
    database.transaction(async () => {
      await work();
      throw new PostgresUnavailableError("gone");
    });
  const guard = observedGuard(createGuard({ database: { ...database, transaction } }), limits);
  const request = { slug, user, address: "192.0.2.1", input: { score: 4 }, now: morning };
  const outcome = await createRating({ ...contextOf(database, limits), guard }, request);
  expect(outcome.kind).toBe("unavailable");
  expect(await figures("weir_limit_decisions_total")).toEqual({});
  expect(limitCounters().take()).toEqual([]);
  expect(await figures("weir_rating_attempts_total")).toEqual({ "decision=unavailable,policy=none": 1 });
});

test("counts a failing store as an outage of each policy that uses it", async () => {
  const store = storeFrom(() => Promise.reject(new Error("gone")));
  const LIMITS = JSON.stringify({ "rating.post": { outage: "closed" }, "rating.user": { outage: "open" } });
  const { rate } = await blog({ LIMITS }, { store });
  expect((await rate(0)).kind).toBe("unavailable");
  expect(await figures("weir_limiter_outages_total")).toEqual({
    "policy=rating.user": 1,
    "policy=rating.post": 1,
  });
  expect(await figures("weir_rating_attempts_total")).toEqual({ "decision=unavailable,policy=outage": 1 });
});
