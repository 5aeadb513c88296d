import { expect, test } from "vitest";
import type { Reason } from "../../lib/limiter/index.ts";
import type { NewAttempt } from "../index.ts";
import { addPost, addUser, dayMs, morning, type Open, postOfAuthor } from "./setting.ts";

const minuteMs = 60_000;

const reason: Reason = {
  algorithm: "leaky-bucket",
  neverFits: false,
  level: 19.5,
  capacity: 20,
  leakPerSecond: 10,
};

function attempt(postId: number, also: Partial<NewAttempt> = {}): NewAttempt {
  return {
    postId,
    userId: null,
    at: morning,
    verb: "create",
    score: 3,
    allowed: true,
    held: false,
    policy: "rating.post",
    reason: JSON.stringify(reason),
    level: 0.1,
    ...also,
  };
}

export function attemptContract(open: Open): void {
  test("an attempt is found as it was recorded, the newest first, with the decisions of shadow policies", async () => {
    const database = await open();
    const { attempts } = database;
    const { postId, authorId } = await postOfAuthor(database);
    await attempts.insert(attempt(postId, { userId: authorId }), [
      { policy: "rating.user", allowed: false, reason: JSON.stringify(reason) },
      { policy: "rating.address", allowed: true, reason: JSON.stringify(reason) },
    ]);
    const bare = { allowed: false, held: false, policy: null, reason: null, level: null, score: 0 };
    await attempts.insert(attempt(postId, { ...bare, verb: "update" }));
    const [latest, first] = await attempts.latest(postId, 9);
    expect(latest).toEqual({
      id: expect.any(Number),
      at: morning,
      count: 1,
      lastedMs: 0,
      verb: "update",
      score: 0,
      allowed: false,
      held: false,
      policy: null,
      reason: null,
      username: null,
      shadows: [],
    });
    expect(first).toEqual({
      id: expect.any(Number),
      at: morning,
      count: 1,
      lastedMs: 0,
      verb: "create",
      score: 3,
      allowed: true,
      held: false,
      policy: "rating.post",
      reason,
      username: "author",
      shadows: [
        { attemptId: first?.id, policy: "rating.address", allowed: true, reason },
        { attemptId: first?.id, policy: "rating.user", allowed: false, reason },
      ],
    });
    expect(await attempts.latest(postId, 1)).toEqual([latest]);
    expect(await attempts.latest(99, 9)).toEqual([]);
  });

  test("attempts of a user that are decided alike within a minute are one row, with the last of them", async () => {
    const database = await open();
    const { attempts } = database;
    const { postId, authorId: userId } = await postOfAuthor(database);
    const refused = { userId, allowed: false, verb: "update" } as const;
    const shadow = { policy: "a", allowed: true, reason: JSON.stringify(reason) };
    await attempts.insert(attempt(postId, { userId }), [shadow]);
    await attempts.insert(attempt(postId, { ...refused, score: 1, at: morning + 2_000 }), [shadow]);
    await attempts.insert(attempt(postId, { ...refused, score: 2, at: morning + 1_000, reason: null }));
    await attempts.insert(attempt(postId, { ...refused, score: 3, at: morning + 59_999, policy: "last" }), [
      { ...shadow, allowed: false },
    ]);
    await attempts.insert(attempt(postId, { ...refused, at: morning + 60_000 }));
    expect(await attempts.latest(postId, 9)).toMatchObject([
      { at: morning + 60_000, count: 1, lastedMs: 0 },
      {
        at: morning + 59_999,
        count: 3,
        lastedMs: 58_999,
        score: 3,
        policy: "last",
        shadows: [{ policy: "a", allowed: false }],
      },
      { at: morning, count: 1, allowed: true, verb: "create" },
    ]);
    expect(await attempts.times(postId, 9)).toEqual(
      [0, 1_000, 30_500, 59_999, 60_000].map((afterMs) => morning + afterMs),
    );
    expect(await attempts.times(postId, 2)).toEqual([morning + 59_999, morning + 60_000]);
    expect(await attempts.perInterval(postId, morning, 60_000)).toMatchObject([
      { interval: 0, accepted: 1, refused: 3 },
      { interval: 1, accepted: 0, refused: 1 },
    ]);
  });

  test("the times of attempts, the first and the last", async () => {
    const database = await open();
    const { attempts } = database;
    const { postId } = await postOfAuthor(database);
    expect(await attempts.span(postId)).toEqual({ first: null, last: null });
    for (const at of [morning + 3, morning + 1, morning + 2]) await attempts.insert(attempt(postId, { at }));
    expect(await attempts.times(postId, 2)).toEqual([morning + 2, morning + 3]);
    expect(await attempts.span(postId)).toEqual({ first: morning + 1, last: morning + 3 });
  });

  test("attempts are counted by intervals, of a minute or of ten years", async () => {
    const database = await open();
    const { attempts } = database;
    const { postId } = await postOfAuthor(database);
    await attempts.insert(attempt(postId, { at: morning - 1 }));
    await attempts.insert(attempt(postId, { level: 1.5 }));
    await attempts.insert(attempt(postId, { at: morning + minuteMs - 1, level: -0.5, held: true }));
    await attempts.insert(attempt(postId, { at: morning + minuteMs, allowed: false, level: null }));
    await attempts.insert(attempt(postId, { at: morning + 100_000 * minuteMs, allowed: false }));
    const none = { accepted: 0, held: 0, refused: 0, lowest: null, highest: null };
    expect(await attempts.perInterval(postId, morning, minuteMs)).toEqual([
      { ...none, interval: 0, accepted: 1, held: 1, lowest: -0.5, highest: 1.5 },
      { ...none, interval: 1, refused: 1 },
      { ...none, interval: 100_000, refused: 1, lowest: 0.1, highest: 0.1 },
    ]);
    expect(await attempts.perInterval(postId, 0, 315_576_000_000)).toEqual([
      { interval: 5, accepted: 2, held: 1, refused: 2, lowest: -0.5, highest: 1.5 },
    ]);
  });

  test("where policies in shadow disagreed is counted by intervals and policies", async () => {
    const database = await open();
    const { attempts } = database;
    const { postId } = await postOfAuthor(database);
    const decision = (policy: string, allowed: boolean) => ({
      policy,
      allowed,
      reason: JSON.stringify(reason),
    });
    await attempts.insert(attempt(postId), [decision("a", true), decision("B", false)]);
    await attempts.insert(attempt(postId, { held: true }), [decision("a", true), decision("B", false)]);
    await attempts.insert(attempt(postId, { allowed: false, at: morning + minuteMs }), [decision("a", true)]);
    expect(await attempts.disagreements(postId, morning, minuteMs)).toEqual([
      { policy: "B", interval: 0, wouldRefuse: 1, wouldAccept: 0, agreed: 1 },
      { policy: "a", interval: 0, wouldRefuse: 0, wouldAccept: 1, agreed: 1 },
      { policy: "a", interval: 1, wouldRefuse: 0, wouldAccept: 1, agreed: 0 },
    ]);
    expect(await attempts.disagreements(postId, morning + minuteMs, minuteMs)).toHaveLength(1);
    expect(await attempts.disagreements(postId, morning, 60 * minuteMs)).toMatchObject([
      { policy: "B", wouldRefuse: 1 },
      { policy: "a", wouldAccept: 2, agreed: 1 },
    ]);
  });

  test("old attempts are removed with their shadows, so many at a time", async () => {
    const database = await open();
    const { attempts } = database;
    const { postId } = await postOfAuthor(database);
    for (let index = 0; index < 5; index++)
      await attempts.insert(attempt(postId, { at: morning + index }), [
        { policy: "a", allowed: true, reason: JSON.stringify(reason) },
      ]);
    expect(await attempts.removeBefore(morning + 3, 2)).toEqual({ removed: 2, next: 0 });
    expect(await attempts.removeBefore(morning + 3, 2)).toEqual({ removed: 1, next: undefined });
    expect(await attempts.removeBefore(morning + 3, 2)).toEqual({ removed: 0, next: undefined });
    expect(await attempts.times(postId, 9)).toEqual([morning + 3, morning + 4]);
    expect((await attempts.latest(postId, 9)).map(({ shadows }) => shadows.length)).toEqual([1, 1]);
  });

  test("removes old attempts also behind many that were recorded with a later time", async () => {
    const database = await open();
    const { attempts } = database;
    const { postId } = await postOfAuthor(database);
    const times = [...Array(5).fill(morning + dayMs), morning, morning + dayMs, morning + 1];
    for (const at of times) await attempts.insert(attempt(postId, { at }));
    expect(await attempts.removeBefore(morning + 3, 2)).toMatchObject({ removed: 2 });
    expect(await attempts.times(postId, 9)).toEqual(Array(6).fill(morning + dayMs));
  });

  test("old attempts of all posts are removed when each step looks at two posts", async () => {
    const database = await open();
    const { attempts } = database;
    const authorId = await addUser(database, "author");
    const postIds: number[] = [];
    for (let number = 0; number < 5; number++) {
      const postId = await addPost(database, authorId, `step-${number}`);
      postIds.push(postId);
      // Three old attempts are more than one call removes, so some steps take two calls.
      for (let index = 0; index < 3; index++)
        await attempts.insert(attempt(postId, { at: morning + index * minuteMs }));
      await attempts.insert(attempt(postId, { at: morning + dayMs }));
    }
    let removed = 0;
    for (let after: number | undefined = 0; after !== undefined; ) {
      const step = await attempts.removeBefore(morning + dayMs, 2, after, 2);
      removed += step.removed;
      after = step.next;
    }
    expect(removed).toBe(15);
    for (const postId of postIds) expect(await attempts.times(postId, 9)).toEqual([morning + dayMs]);
  });

  test("old counts of minutes and of hours are removed, so many at a time", async () => {
    const database = await open();
    const { attempts } = database;
    const { postId } = await postOfAuthor(database);
    const shadow = { policy: "a", allowed: true, reason: JSON.stringify(reason) };
    for (let hour = 0; hour < 4; hour++)
      await attempts.insert(attempt(postId, { at: morning + hour * 60 * minuteMs }), [shadow]);
    const before = morning + 2 * 60 * minuteMs;
    expect(await attempts.removeCountsBefore("minute", before, 1)).toBe(2);
    expect(await attempts.removeCountsBefore("minute", before, 5)).toBe(2);
    expect(await attempts.removeCountsBefore("minute", before, 5)).toBe(0);
    const accepted = async (intervalMs: number) =>
      (await attempts.perInterval(postId, morning, intervalMs)).map(({ interval }) => interval);
    expect(await accepted(minuteMs)).toEqual([120, 180]);
    expect(await accepted(60 * minuteMs)).toEqual([0, 1, 2, 3]);
    expect(await attempts.removeCountsBefore("hour", before, 5)).toBe(4);
    expect(await accepted(60 * minuteMs)).toEqual([2, 3]);
    expect(await attempts.disagreements(postId, morning, 60 * minuteMs)).toHaveLength(2);
    expect(await attempts.times(postId, 9)).toHaveLength(4);
  });

  test("an attempt at no post is refused, and nothing of it is saved", async () => {
    const database = await open();
    const user = await addUser(database, "user");
    await expect(
      database.transaction(() => database.attempts.insert(attempt(99, { userId: user }))),
    ).rejects.toThrow();
    expect(await database.attempts.latest(99, 9)).toEqual([]);
  });
}
