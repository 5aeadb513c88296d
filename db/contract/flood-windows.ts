import { expect, test } from "vitest";
import type { FloodWindow, NewWindowDecision } from "../index.ts";
import { addUser, morning, type Open, postOfAuthor } from "./setting.ts";

function windowWith(also: Partial<FloodWindow>): FloodWindow {
  return {
    number: 1,
    openedAt: morning,
    lastAt: morning + 1,
    closedAt: morning + 2,
    usualGapMs: 60_000.5,
    recentGapMs: 0.1,
    counts: [9, 0, 0, 1, 0, 2],
    status: "counted",
    decidedBy: "shape",
    decisions: 1,
    ...also,
  };
}

export function floodWindowContract(open: Open): void {
  test("A flood window is found as it was saved last, the newest first", async () => {
    const database = await open();
    const { floodWindows } = database;
    const { postId } = await postOfAuthor(database);
    expect(await floodWindows.all(postId)).toEqual([]);
    const first = windowWith({ closedAt: null, decidedBy: null, status: "held" });
    await floodWindows.save(postId, first);
    await floodWindows.save(postId, windowWith({ number: 2 }));
    expect(await floodWindows.all(postId)).toEqual([windowWith({ number: 2 }), first]);
    await floodWindows.save(postId, windowWith({ counts: [0, 0, 0, 0, 0, 0] }));
    expect(await floodWindows.all(postId)).toEqual([
      windowWith({ number: 2 }),
      windowWith({ counts: [0, 0, 0, 0, 0, 0] }),
    ]);
  });

  test("finds windows in play: the open, the held and the requested ones", async () => {
    const database = await open();
    const { floodWindows } = database;
    const { postId } = await postOfAuthor(database);
    await floodWindows.save(postId, windowWith({ number: 1, closedAt: null }));
    await floodWindows.save(postId, windowWith({ number: 2, status: "held" }));
    for (const number of [3, 4, 5]) await floodWindows.save(postId, windowWith({ number }));
    const numbers = async (last: number, also: number | null) =>
      (await floodWindows.inPlay(postId, last, also)).map(({ number }) => number).sort();
    expect(await numbers(5, null)).toEqual([1, 2, 5]);
    expect(await numbers(5, 3)).toEqual([1, 2, 3, 5]);
    expect(await numbers(2, 2)).toEqual([1, 2]);
    expect(await floodWindows.inPlay(99, 1, null)).toEqual([]);
  });

  test("lists every decision with its decider, newest first", async () => {
    const database = await open();
    const { floodWindows } = database;
    const { postId } = await postOfAuthor(database);
    const judge = await addUser(database, "judge");
    const decision: NewWindowDecision = {
      window: 1,
      at: morning,
      status: "held",
      decidedBy: "shape",
      ratings: 12,
    };
    await floodWindows.recordDecision(postId, decision);
    expect(await floodWindows.lastDecisionOn(postId, 1)).toEqual({ role: null });
    await floodWindows.recordDecision(postId, {
      ...decision,
      at: morning + 1,
      status: "excluded",
      decidedBy: "person",
      userId: judge,
      role: "moderator",
      why: "A brigade ' \" \\",
    });
    await floodWindows.recordDecision(postId, { ...decision, window: 2 });
    const [latest, byPerson, first] = await floodWindows.decisionsOf(postId, 9);
    expect(latest).toMatchObject({ window: 2 });
    expect(byPerson).toEqual({
      id: expect.any(Number),
      window: 1,
      at: morning + 1,
      status: "excluded",
      decidedBy: "person",
      role: "moderator",
      why: "A brigade ' \" \\",
      ratings: 12,
      username: "judge",
    });
    expect(first).toMatchObject({ decidedBy: "shape", why: null, username: null });
    expect(await floodWindows.decisionsOf(postId, 1)).toEqual([latest]);
    expect(await floodWindows.lastDecisionOn(postId, 1)).toEqual({ role: "moderator" });
    expect(await floodWindows.lastDecisionOn(postId, 9)).toBeUndefined();
  });

  test("finds windows of all posts by status, most recently rated first", async () => {
    const database = await open();
    const { floodWindows } = database;
    const { postId } = await postOfAuthor(database);
    await floodWindows.save(postId, windowWith({ number: 1, lastAt: morning + 5 }));
    await floodWindows.save(postId, windowWith({ number: 2, lastAt: morning + 9 }));
    await floodWindows.save(postId, windowWith({ number: 3, status: "excluded" }));
    const found = await floodWindows.byStatus("counted", 9);
    expect(found.map(({ window }) => window.number)).toEqual([2, 1]);
    expect(found[0]).toEqual({
      slug: "post",
      title: "post",
      author: "author",
      window: windowWith({ number: 2, lastAt: morning + 9 }),
    });
    expect(await floodWindows.byStatus("counted", 1)).toHaveLength(1);
    expect(await floodWindows.countByStatus("counted")).toBe(2);
    expect(await floodWindows.countByStatus("held")).toBe(0);
  });

  test("keeps one open request for each window, the newest first, until it is answered", async () => {
    const database = await open();
    const { floodWindows, reviewRequests } = database;
    const { postId } = await postOfAuthor(database);
    for (const number of [1, 2]) await floodWindows.save(postId, windowWith({ number }));
    const first = { window: 1, at: morning, why: "آب ' \" 💧" };
    const second = { window: 2, at: morning + 1, why: "Two." };
    await reviewRequests.insert(postId, first);
    await reviewRequests.insert(postId, second);
    await expect(reviewRequests.insert(postId, first)).rejects.toThrow();
    expect(await reviewRequests.openOf(postId)).toEqual([second, first]);
    const post = { slug: "post", title: "post", author: "author" };
    expect(await reviewRequests.open(1)).toEqual([
      { ...post, request: second, window: windowWith({ number: 2 }) },
    ]);
    await reviewRequests.answer(postId, 2, morning + 9);
    expect(await reviewRequests.openOf(postId)).toEqual([first]);
    await reviewRequests.insert(postId, second);
    expect(await reviewRequests.openOf(postId)).toEqual([second, first]);
  });
}
