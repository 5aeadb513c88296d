import { expect, test } from "vitest";
import type { Reason } from "../../lib/limiter/index.ts";
import type { NewAttempt } from "../types.ts";
import { addUser, morning, type Open, postOfAuthor } from "./setting.ts";

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
  test("An attempt is found as it was recorded, the newest first, with the decisions of shadow policies", async () => {
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

  test("The times of attempts, the first and the last", async () => {
    const database = await open();
    const { attempts } = database;
    const { postId } = await postOfAuthor(database);
    expect(await attempts.span(postId)).toEqual({ first: null, last: null });
    for (const at of [morning + 3, morning + 1, morning + 2]) await attempts.insert(attempt(postId, { at }));
    expect(await attempts.times(postId, 2)).toEqual([morning + 2, morning + 3]);
    expect(await attempts.span(postId)).toEqual({ first: morning + 1, last: morning + 3 });
  });

  test("Attempts are counted by intervals, of a minute or of ten years", async () => {
    const database = await open();
    const { attempts } = database;
    const { postId } = await postOfAuthor(database);
    const minuteMs = 60_000;
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

  test("Where policies in shadow disagreed is counted by intervals and policies", async () => {
    const database = await open();
    const { attempts } = database;
    const { postId } = await postOfAuthor(database);
    const says = (policy: string, allowed: boolean) => ({ policy, allowed, reason: JSON.stringify(reason) });
    await attempts.insert(attempt(postId), [says("a", true), says("B", false)]);
    await attempts.insert(attempt(postId, { held: true }), [says("a", true), says("B", false)]);
    await attempts.insert(attempt(postId, { allowed: false, at: morning + 10 }), [says("a", true)]);
    expect(await attempts.disagreements(postId, morning, 10)).toEqual([
      { policy: "B", interval: 0, wouldRefuse: 1, wouldAccept: 0, agreed: 1 },
      { policy: "a", interval: 0, wouldRefuse: 0, wouldAccept: 1, agreed: 1 },
      { policy: "a", interval: 1, wouldRefuse: 0, wouldAccept: 1, agreed: 0 },
    ]);
    expect(await attempts.disagreements(postId, morning + 10, 10)).toHaveLength(1);
  });

  test("Old attempts are removed with their shadows, so many at a time", async () => {
    const database = await open();
    const { attempts } = database;
    const { postId } = await postOfAuthor(database);
    for (let index = 0; index < 5; index++)
      await attempts.insert(attempt(postId, { at: morning + index }), [
        { policy: "a", allowed: true, reason: JSON.stringify(reason) },
      ]);
    expect(await attempts.removeBefore(morning + 3, 2)).toBe(2);
    expect(await attempts.removeBefore(morning + 3, 2)).toBe(1);
    expect(await attempts.removeBefore(morning + 3, 2)).toBe(0);
    expect(await attempts.times(postId, 9)).toEqual([morning + 3, morning + 4]);
    expect(await attempts.disagreements(postId, 0, 1)).toHaveLength(2);
  });

  test("An attempt at no post is refused, and nothing of it is saved", async () => {
    const database = await open();
    const user = await addUser(database, "user");
    await expect(
      database.transaction(() => database.attempts.insert(attempt(99, { userId: user }))),
    ).rejects.toThrow();
    expect(await database.attempts.latest(99, 9)).toEqual([]);
  });
}
