import { expect, test } from "vitest";
import { addPost, addUser, morning, type Open, postOfAuthor, setCounts } from "./setting.ts";

const leaseMs = 60_000;
/** A claim that was renewed at this very moment is too old for it. */
const expired = -1;

export function replayContract(open: Open): void {
  test("posts wait for a replay from a request to its end, the oldest request first", async () => {
    const database = await open();
    const { replays } = database;
    const author = await addUser(database, "author");
    const [one, other] = [await addPost(database, author, "one"), await addPost(database, author, "other")];
    expect(await replays.waiting(9)).toEqual([]);
    await replays.request(one, morning);
    await replays.request(other, morning - 1);
    const [first = { postId: 0, at: 0 }] = await replays.waiting(1);
    expect(first).toEqual({ postId: other, at: morning - 1 });
    expect(await replays.waiting(9)).toEqual([first, { postId: one, at: morning }]);
    await replays.end(first);
    expect(await replays.waiting(9)).toEqual([{ postId: one, at: morning }]);
  });

  test("keeps a request for a replay when the one before it ends, whenever it was created", async () => {
    const database = await open();
    const { replays } = database;
    const { postId } = await postOfAuthor(database);
    await replays.request(postId, morning);
    for (const at of [morning, morning - 1, morning + 9]) {
      const [before = { postId, at: 0 }] = await replays.waiting(1);
      await replays.request(postId, at);
      await replays.end(before);
      const [after = { postId, at: 0 }] = await replays.waiting(1);
      expect(after.at).toBeGreaterThan(before.at);
    }
  });

  test("gives each waiting post to one process, until its claim is released or expires", async () => {
    const database = await open();
    const { replays } = database;
    const author = await addUser(database, "author");
    const [one, other] = [await addPost(database, author, "one"), await addPost(database, author, "other")];
    expect(await replays.claim("a", leaseMs)).toBeUndefined();
    await replays.request(one, morning);
    await replays.request(other, morning + 1);
    const first = { postId: one, at: morning, claim: "a" };
    expect(await replays.claim("a", leaseMs)).toEqual(first);
    const second = { postId: other, at: morning + 1, claim: "b" };
    expect(await replays.claim("b", leaseMs)).toEqual(second);
    expect(await replays.claim("c", leaseMs)).toBeUndefined();
    expect(await replays.renew(first, 5)).toBe(true);
    expect(await replays.renew({ ...first, claim: "c" }, 9)).toBe(false);
    await replays.release({ ...first, claim: "c" });
    expect(await replays.claim("c", leaseMs)).toBeUndefined();
    await replays.release(first);
    expect(await replays.claim("c", leaseMs, [one])).toBeUndefined();
    expect(await replays.claim("c", leaseMs)).toEqual({ ...first, claim: "c" });
    const taken = { ...first, claim: "d" };
    expect(await replays.claim("d", expired)).toEqual(taken);
    expect(await replays.renew({ ...first, claim: "c" }, 9)).toBe(false);
    await replays.end(taken);
    expect(await replays.renew(taken, 9)).toBe(false);
  });

  test("gives a post to one of many that claim it at once", async () => {
    const database = await open();
    const { replays } = database;
    const { postId } = await postOfAuthor(database);
    await replays.request(postId, morning);
    const claims = await Promise.all(["a", "b", "c", "d", "e"].map((claim) => replays.claim(claim, leaseMs)));
    expect(claims.filter((claimed) => claimed !== undefined)).toHaveLength(1);
  });

  test("reports how far the replays of waiting posts are", async () => {
    const database = await open();
    const { replays } = database;
    const author = await addUser(database, "author");
    const [one, other] = [await addPost(database, author, "one"), await addPost(database, author, "other")];
    expect(await replays.progress()).toEqual({ posts: 0, ratings: 0, replayed: 0, since: null });
    await setCounts(database, one, [0, 0, 0, 0, 0, 30], 5);
    await setCounts(database, other, [0, 0, 0, 0, 0, 12], 5);
    await replays.request(one, morning);
    await replays.request(other, morning + 1);
    expect(await replays.progress()).toEqual({ posts: 2, ratings: 42, replayed: 0, since: morning });
    const claimed = await replays.claim("a", leaseMs);
    if (!claimed) throw new Error("Nothing to claim.");
    await replays.renew(claimed, 20);
    expect(await replays.progress()).toEqual({ posts: 2, ratings: 42, replayed: 20, since: morning });
    await replays.end(claimed);
    await replays.release(claimed);
    expect(await replays.progress()).toEqual({ posts: 1, ratings: 12, replayed: 0, since: morning + 1 });
  });
}
