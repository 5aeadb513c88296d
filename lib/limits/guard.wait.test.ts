import { describe, expect, test } from "vitest";
import { addPost, addUser, addUsers, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { manualClock } from "../../testing/manual-clock.ts";
import { memoryStore } from "../limiter/index.ts";
import { createRating, type RatingOutcome, updateRating } from "../ratings/index.ts";
import type { User } from "../users/index.ts";

/** A post whose raters wait up to a second, at a clock that stands still. */
async function blog(states: "database" | "memory", limits: Record<string, Record<string, unknown>>) {
  const plain = temporaryDatabase();
  let underWay = 0;
  const transaction: typeof plain.transaction = (work, options) => {
    underWay += 1;
    return plain.transaction(work, options).finally(() => {
      underWay -= 1;
    });
  };
  const database = { ...plain, transaction };
  const { slug, id: postId } = await addPost(database, await addUser(database, "author"));
  const { clock, sleep, sleepers, ...time } = manualClock(morning);
  const store = states === "memory" ? memoryStore({ clock }) : undefined;
  const all = limitsWith({ RATING_LIMITER: "none", LIMITS: JSON.stringify(limits) });
  const context = { ...contextOf(database, all, { store, clock, sleep }), ratingMaxWaitMs: 1_000 };
  const events: string[] = [];
  const rate = async (name: string, user: User | undefined, verb = createRating) => {
    if (!user) throw new Error("no user");
    const request = { slug, user, address: "192.0.2.1", input: { score: 5 }, now: clock() };
    const outcome = await verb(context, request);
    events.push(`${name} ${outcome.kind === "limited" ? `refused for ${waitOf(outcome)}` : outcome.kind}`);
  };
  /** Waits until no rating has an open transaction: each is done or sleeps. */
  async function idle() {
    do await time.advance(0);
    while (underWay > 0);
  }
  async function advance(ms: number) {
    await idle();
    await time.advance(ms);
    await idle();
  }
  return {
    database,
    postId,
    people: await addUsers(database, 15),
    rate,
    events,
    advance,
    sleepers,
    clock,
  };
}

const waitOf = (outcome: RatingOutcome) =>
  outcome.kind === "limited" ? outcome.refusal.decision.retryAfterMs : null;
const slowBucket = { algorithm: "leaky-bucket", capacity: 1, leakPerSecond: 4 };

describe.each(["database", "memory"] as const)("with the states in %s", (states) => {
  test("a rating that passes within the wait is saved, in order of arrival; the others are refused at once", async () => {
    const { database, postId, people, rate, events, advance, clock } = await blog(states, {
      "rating.post": slowBucket,
    });
    const all = people.slice(0, 7).map((person, index) => rate(`n${index}`, person));
    await advance(0);
    // One passes at once, four can wait a quarter of a second each, and for the sixth and seventh it would be too long.
    expect(events).toEqual(["n0 saved", "n5 refused for 1250", "n6 refused for 1250"]);
    await advance(249);
    expect(events).toHaveLength(3);
    await advance(1);
    expect(events.at(-1)).toBe("n1 saved");
    for (const name of ["n2", "n3", "n4"]) {
      await advance(250);
      expect(events.at(-1)).toBe(`${name} saved`);
    }
    await Promise.all(all);
    const attempts = await database.attempts.latest(postId, 20);
    expect(attempts.filter(({ allowed }) => allowed).map(({ at }) => at - clock())).toEqual([
      0, -250, -500, -750, -1000,
    ]);
    expect(attempts).toHaveLength(7);
  });

  test("the post's policies in shadow also decide on requests that the queue refuses", async () => {
    const { database, postId, people, rate, advance } = await blog(states, {
      "rating.post": slowBucket,
      "rating.post.lenient": { mode: "shadow", algorithm: "leaky-bucket", capacity: 6, leakPerSecond: 0.001 },
      "rating.address": { mode: "shadow", algorithm: "leaky-bucket", capacity: 5, leakPerSecond: 0.001 },
    });
    const all = people.slice(0, 8).map((person, index) => rate(`n${index}`, person));
    for (let waited = 0; waited < 5; waited += 1) await advance(250);
    await Promise.all(all);
    const attempts = await database.attempts.latest(postId, 20);
    const shadowsOf = (allowed: boolean) =>
      attempts
        .filter((attempt) => attempt.allowed === allowed)
        .map(({ shadows }) => shadows.map(({ policy }) => policy));
    expect(shadowsOf(false)).toEqual(Array.from({ length: 3 }, () => ["rating.post.lenient"]));
    expect(shadowsOf(true)).toEqual(
      Array.from({ length: 5 }, () => ["rating.address", "rating.post.lenient"]),
    );
    const lenient = attempts.flatMap(({ shadows }) =>
      shadows.filter(({ policy }) => policy.endsWith("lenient")),
    );
    expect(lenient.filter(({ allowed }) => allowed)).toHaveLength(6);
  });

  test("a rater who waits for a limit of their own blocks no other rater", async () => {
    const { people, rate, events, advance } = await blog(states, {
      "rating.post": { algorithm: "leaky-bucket", capacity: 10, leakPerSecond: 10 },
      "rating.change": slowBucket,
    });
    const [busy, other] = people;
    await rate("busy", busy);
    await rate("busy", busy, updateRating);
    const again = rate("busy again", busy, updateRating);
    await advance(0);
    await rate("other", other);
    expect(events).toEqual(["busy saved", "busy saved", "other saved"]);
    await advance(250);
    await again;
    expect(events.at(-1)).toBe("busy again saved");
  });

  test("a wait that never helps, and one that is longer than wanted, is a refusal at once that is recorded once", async () => {
    const { database, postId, people, rate, events, sleepers } = await blog(states, {
      "rating.post": { algorithm: "leaky-bucket", capacity: 1, leakPerSecond: 0.5 },
    });
    await rate("first", people[0]);
    await rate("second", people[1]);
    expect(events).toEqual(["first saved", "second refused for 2000"]);
    expect(sleepers.size).toBe(0);
    expect((await database.attempts.latest(postId, 10)).map(({ allowed }) => allowed)).toEqual([false, true]);
  });

  test("a post deleted during the wait is answered as gone", async () => {
    const { database, people, rate, events, advance } = await blog(states, { "rating.post": slowBucket });
    const all = [rate("first", people[0]), rate("second", people[1])];
    await advance(0);
    await database.transaction(() => database.posts.remove(1));
    await advance(250);
    await Promise.all(all);
    expect(events).toEqual(["first saved", "second no-such-post"]);
  });
});
