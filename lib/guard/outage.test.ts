import { describe, expect, test } from "vitest";
import { addPost, addUser, addUsers, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { memoryStore, type Store } from "../limiter/index.ts";
import { createRating } from "../ratings/index.ts";

/** A memory store that can be taken away: for whole keys, since a store may fail in the middle of a request. */
function breakableStore() {
  const inner = memoryStore();
  const broken: { when: (key: string) => boolean } = { when: () => false };
  const store: Store = {
    update: (key, step, now) =>
      broken.when(key) ? Promise.reject(new Error("the store is gone")) : inner.update(key, step, now),
  };
  return { store, broken };
}

async function blog(limits: Record<string, Record<string, unknown>>) {
  const database = temporaryDatabase();
  const { slug, id: postId } = await addPost(database, addUser(database, "author"));
  const { store, broken } = breakableStore();
  const reports: string[] = [];
  const all = limitsWith({ RATING_LIMITER: "none", LIMITS: JSON.stringify(limits) });
  const report = (error: unknown, policy?: string) => reports.push(`${policy}: ${String(error)}`);
  const context = contextOf(database, all, { store, report });
  const people = addUsers(database, 12);
  const rateAll = async () => {
    const kinds: string[] = [];
    for (const user of people) {
      const request = { slug, user, address: "192.0.2.1", input: { score: 1 }, now: morning };
      kinds.push((await createRating(context, request)).kind);
    }
    return kinds;
  };
  return { database, postId, broken, reports, rateAll };
}

/** So slow that the machine's own clock, which counts in memory, does not matter. */
const perPost = { algorithm: "leaky-bucket", capacity: 8, leakPerSecond: 0.0001 };
const times = (kind: string, count: number) => Array.from({ length: count }, () => kind);

describe("While the store fails", () => {
  test("closed lets nothing through, says that it is an outage and no limit, and records it", async () => {
    const { database, postId, broken, reports, rateAll } = await blog({
      "rating.post": { ...perPost, outage: "closed" },
    });
    broken.when = () => true;
    expect(await rateAll()).toEqual(times("unavailable", 12));
    expect(reports[0]).toBe("rating.post: Error: the store is gone");
    expect(database.attempts.latest(postId, 1)[0]).toMatchObject({
      allowed: false,
      policy: "outage",
      reason: null,
    });
    broken.when = () => false;
    expect(await rateAll()).toEqual([...times("saved", 8), ...times("limited", 4)]);
  });

  test("open lets everything through", async () => {
    const { broken, rateAll } = await blog({ "rating.post": { ...perPost, outage: "open" } });
    broken.when = () => true;
    expect(await rateAll()).toEqual(times("saved", 12));
  });

  test("local lets a share of the limit through, and no outage is said", async () => {
    const { database, postId, broken, rateAll } = await blog({
      "rating.post": { ...perPost, outage: "local", localShare: 0.25 },
    });
    broken.when = () => true;
    expect(await rateAll()).toEqual([...times("saved", 2), ...times("limited", 10)]);
    expect(database.attempts.latest(postId, 1)[0]).toMatchObject({
      policy: "rating.post",
      reason: { algorithm: "leaky-bucket", capacity: 2 },
    });
  });

  test("what the other policies have counted before is given back", async () => {
    const { broken, rateAll } = await blog({
      "rating.address": { ...perPost, outage: "closed" },
      "rating.post": { ...perPost, capacity: 12, outage: "closed" },
    });
    broken.when = (key) => key.startsWith("rating.post:");
    expect(await rateAll()).toEqual(times("unavailable", 12));
    broken.when = () => false;
    expect(await rateAll()).toEqual([...times("saved", 8), ...times("limited", 4)]);
  });

  test("a shadow whose state cannot be had is left out, and refuses nobody", async () => {
    const { database, postId, broken, rateAll } = await blog({
      "rating.post": perPost,
      "rating.post.second": { mode: "shadow", ...perPost, capacity: 1, outage: "closed" },
    });
    broken.when = (key) => key.startsWith("rating.post.second:");
    expect(await rateAll()).toEqual([...times("saved", 8), ...times("limited", 4)]);
    expect(database.attempts.latest(postId, 20).flatMap(({ shadows }) => shadows)).toEqual([]);
  });
});
