import { describe, expect, test } from "vitest";
import { accounts, password } from "../../testing/accounts.ts";
import { addPost, addUser, addUsers, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { manualClock } from "../../testing/manual-clock.ts";
import { memoryStore, storeFrom } from "../limiter/index.ts";
import { createRating } from "../ratings/index.ts";
import type { GuardSettings } from "./guard.ts";

/**
 * A memory store that can be taken away.
 * For whole keys, since a store may fail in the middle of a request.
 */
function breakableStore(clock = () => Date.now()) {
  const inner = memoryStore({ clock });
  const broken: { when: (key: string) => boolean } = { when: () => false };
  const store = storeFrom((keys, step, now) =>
    keys.some(broken.when)
      ? Promise.reject(new Error("the store is gone"))
      : inner.updateMany(keys, step, now),
  );
  return { store, broken };
}

async function blog(
  limits: Record<string, Record<string, unknown>>,
  time: Pick<GuardSettings, "clock" | "sleep"> = {},
) {
  const database = temporaryDatabase();
  const { slug, id: postId } = await addPost(database, await addUser(database, "author"));
  const { store, broken } = breakableStore(time.clock);
  const reports: string[] = [];
  const all = limitsWith({ RATING_LIMITER: "none", LIMITS: JSON.stringify(limits) });
  const report = (error: unknown, policy?: string) => reports.push(`${policy}: ${String(error)}`);
  const context = {
    ...contextOf(database, all, { store, report, ...time }),
    ratingMaxWaitMs: time.clock ? 1_000 : 0,
  };
  const people = await addUsers(database, 12);
  const rateOne = async (index: number) => {
    const user = people[index];
    if (!user) throw new Error("no user");
    const now = time.clock?.() ?? morning;
    return (await createRating(context, { slug, user, address: "192.0.2.1", input: { score: 1 }, now })).kind;
  };
  const rateAll = async () => {
    const kinds: string[] = [];
    for (const index of people.keys()) kinds.push(await rateOne(index));
    return kinds;
  };
  return { database, postId, broken, reports, rateOne, rateAll };
}

/** So slow that the machine's own clock, which counts in memory, does not matter. */
const perPost = { algorithm: "leaky-bucket", capacity: 8, leakPerSecond: 0.0001 };
const times = (kind: string, count: number) => Array.from({ length: count }, () => kind);

describe("while the store fails", () => {
  test("closed refuses everything as unavailable, and records it", async () => {
    const { database, postId, broken, reports, rateAll } = await blog({
      "rating.post": { ...perPost, outage: "closed" },
    });
    broken.when = () => true;
    expect(await rateAll()).toEqual(times("unavailable", 12));
    expect(reports[0]).toBe("rating.post: Error: the store is gone");
    expect((await database.attempts.latest(postId, 1))[0]).toMatchObject({
      allowed: false,
      policy: "outage",
      reason: null,
    });
    broken.when = () => false;
    expect(await rateAll()).toEqual([...times("saved", 8), ...times("limited", 4)]);
  });

  test("open allows everything, and records the outage", async () => {
    const { database, postId, broken, rateAll } = await blog({
      "rating.post": { ...perPost, outage: "open" },
    });
    broken.when = () => true;
    expect(await rateAll()).toEqual(times("saved", 12));
    expect((await database.attempts.latest(postId, 1))[0]).toMatchObject({
      allowed: true,
      policy: "outage",
      reason: null,
    });
  });

  test.each([
    ["closed", "unavailable"],
    ["open", "saved"],
    ["local", "saved"],
  ])("%s decides requests in a queue as well: %s", async (outage, kind) => {
    const { clock, sleep, advance } = manualClock(morning);
    const { broken, rateOne } = await blog(
      { "rating.post": { algorithm: "leaky-bucket", capacity: 1, leakPerSecond: 1, localShare: 1, outage } },
      { clock, sleep },
    );
    const first = await rateOne(0);
    const waits = rateOne(1);
    await advance(0);
    broken.when = () => true;
    const behind = rateOne(2);
    await advance(0);
    expect([first, await behind]).toEqual(["saved", kind]);
    broken.when = () => false;
    await advance(1_000);
    expect(await waits).toBe("saved");
  });

  test("a correct password resets the local stand-in, too", async () => {
    const { store, broken } = breakableStore();
    const limits = limitsWith({
      LIMITS: JSON.stringify({ "login.account": { capacity: 4, leakPerSecond: 0.0001, localShare: 0.5 } }),
    });
    const { join, tryPassword } = accounts(limits, { store });
    await join("alder");
    broken.when = () => true;
    for (let times = 0; times < 6; times += 1)
      expect(await tryPassword("alder", password)).toMatchObject({ kind: "logged-in" });
    for (const kind of ["wrong", "wrong", "limited"])
      expect(await tryPassword("alder", "not it")).toMatchObject({ kind });
  });

  test("local allows a share of the limit, and reports no outage", async () => {
    const { database, postId, broken, rateAll } = await blog({
      "rating.post": { ...perPost, outage: "local", localShare: 0.25 },
    });
    broken.when = () => true;
    expect(await rateAll()).toEqual([...times("saved", 2), ...times("limited", 10)]);
    expect((await database.attempts.latest(postId, 1))[0]).toMatchObject({
      policy: "rating.post",
      reason: { algorithm: "leaky-bucket", capacity: 2 },
    });
  });

  test("nothing is counted in the policies whose states could be read", async () => {
    const { broken, rateAll } = await blog({
      "rating.address": { ...perPost, outage: "closed" },
      "rating.post": { ...perPost, capacity: 12, outage: "closed" },
    });
    broken.when = (key) => key.startsWith("rating.post:");
    expect(await rateAll()).toEqual(times("unavailable", 12));
    broken.when = () => false;
    expect(await rateAll()).toEqual([...times("saved", 8), ...times("limited", 4)]);
  });

  test("records no decision of a policy in shadow under any outage setting", async () => {
    const { database, postId, broken, rateAll } = await blog({
      "rating.post": { ...perPost, outage: "open" },
      "rating.post.second": { mode: "shadow", ...perPost, capacity: 1, outage: "closed" },
    });
    broken.when = (key) => key.startsWith("rating.post.second:");
    expect(await rateAll()).toEqual(times("saved", 12));
    expect((await database.attempts.latest(postId, 20)).flatMap(({ shadows }) => shadows)).toEqual([]);
  });
});
