import { expect, test } from "vitest";
import type { FloodWindow, NewWindowDecision } from "../index.ts";
import { addPost, addUser, morning, type Open, postOfAuthor, textOf } from "./setting.ts";

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
  test("a flood window is found as it was saved last, the newest first", async () => {
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
      postId,
      slug: "post",
      title: "post",
      lang: null,
      author: "author",
      window: { ...windowWith({ number: 2, lastAt: morning + 9 }), withdrawn: 0, arrived: 12 },
    });
    const other = await addPost(database, await addUser(database, "other"), "other-post");
    await floodWindows.save(other, windowWith({ number: 1, lastAt: morning + 9 }));
    const pages: unknown[] = [];
    for (let page = await floodWindows.byStatus("counted", 1); page[0]; ) {
      const { postId: id, window } = page[0];
      pages.push([page.length, id, window.number]);
      page = await floodWindows.byStatus("counted", 1, { at: window.lastAt, id });
    }
    expect(pages).toEqual([
      [1, other, 1],
      [1, postId, 2],
      [1, postId, 1],
    ]);
  });

  test("finds no windows by status whose ratings have all been withdrawn, so that pages are full", async () => {
    const database = await open();
    const { floodWindows } = database;
    const { postId } = await postOfAuthor(database);
    await floodWindows.save(postId, windowWith({ number: 1, status: "held" }));
    const counts = [0, 0, 0, 0, 0, 0] as const;
    await floodWindows.save(postId, windowWith({ number: 2, status: "held", lastAt: morning + 9, counts }));
    const found = await floodWindows.byStatus("held", 1);
    expect(found.map(({ window }) => window.number)).toEqual([1]);
  });

  test("a window has the language of its post: the chosen one, or else the detected one", async () => {
    const database = await open();
    const { floodWindows, posts, transaction } = database;
    const { postId } = await postOfAuthor(database);
    await floodWindows.save(postId, windowWith({}));
    const text = { title: "post", ...textOf("Words."), searchTitle: "post", searchContent: "words." };
    for (const chosenLang of ["ar", null]) {
      await transaction(() => posts.update(postId, { ...text, chosenLang, detectedLang: "fa" }, morning));
      expect((await floodWindows.byStatus("counted", 1))[0]?.lang).toBe(chosenLang ?? "fa");
    }
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
    const post = { postId, slug: "post", title: "post", lang: null, author: "author" };
    const [latest] = await reviewRequests.open(1);
    expect(latest).toEqual({
      ...post,
      id: expect.any(Number),
      request: second,
      window: { ...windowWith({ number: 2 }), withdrawn: 0, arrived: 12 },
    });
    if (!latest) throw new Error("There is no open request.");
    const before = { at: second.at, id: latest.id };
    expect((await reviewRequests.open(9, before)).map(({ request }) => request)).toEqual([first]);
    await reviewRequests.answer(postId, 2, morning + 9);
    expect(await reviewRequests.openOf(postId)).toEqual([first]);
    await reviewRequests.insert(postId, second);
    expect(await reviewRequests.openOf(postId)).toEqual([second, first]);
  });

  test("counts a window's withdrawn ratings among those that arrived, until they are given again", async () => {
    const database = await open();
    const { floodWindows, ratings, shownFloods } = database;
    const { postId, userId } = await ratedInWindow(database);
    const numbers = async () => {
      const shown = await shownFloods.ofPost(postId);
      for (const { number, withdrawn } of shown)
        expect(await floodWindows.withdrawnIn(postId, number)).toBe(withdrawn);
      return shown.map(({ number, withdrawn, arrived }) => [number, withdrawn, arrived]);
    };
    expect(await numbers()).toEqual([
      [2, 0, 12],
      [1, 0, 12],
    ]);
    const rating = { score: 0, createdAt: morning, window: 1 } as const;
    await database.transaction(() => ratings.remove(postId, userId, rating));
    await floodWindows.save(postId, windowWith({ counts: [8, 0, 0, 1, 0, 2] }));
    expect(await numbers()).toEqual([
      [2, 0, 12],
      [1, 1, 12],
    ]);
    expect((await floodWindows.byStatus("counted", 9)).map(({ window }) => window.arrived)).toEqual([12, 12]);
    await database.transaction(() =>
      ratings.insert({ postId, userId, score: 0, window: 1, now: morning + 1 }, { replacesFormer: true }),
    );
    await floodWindows.save(postId, windowWith({}));
    expect(await numbers()).toEqual([
      [2, 0, 12],
      [1, 0, 12],
    ]);
  });

  test("finds an author's held floods, and with `all` those of all authors and the requested ones", async () => {
    const database = await open();
    const { floodWindows, reviewRequests, shownFloods } = database;
    const { postId, authorId } = await postOfAuthor(database);
    const other = await addUser(database, "other");
    const otherPost = await addPost(database, other, "other-post");
    await floodWindows.save(postId, windowWith({ status: "held" }));
    await floodWindows.save(postId, windowWith({ number: 2, status: "held", counts: [0, 0, 0, 0, 0, 0] }));
    await floodWindows.save(otherPost, windowWith({ status: "held", lastAt: morning + 9 }));
    await floodWindows.save(otherPost, windowWith({ number: 2, status: "excluded" }));
    await floodWindows.save(otherPost, windowWith({ number: 3, status: "excluded" }));
    await reviewRequests.insert(otherPost, { window: 3, at: morning, why: "Mine." });
    const found = async (id: number, all: boolean, limit = 9) =>
      (await shownFloods.undecidedFor({ id, isAdministrator: false }, { all, limit })).map(
        ({ slug, window }) => [slug, window.number],
      );
    expect(await found(authorId, false)).toEqual([["post", 1]]);
    expect(await found(other, false)).toEqual([["other-post", 1]]);
    expect(await found(99, false)).toEqual([]);
    expect(await found(99, true, 1)).toEqual([["other-post", 1]]);
    expect((await found(99, true)).toSorted()).toEqual([
      ["other-post", 1],
      ["other-post", 3],
      ["post", 1],
    ]);
    await reviewRequests.answer(otherPost, 3, morning);
    expect((await found(99, true)).toSorted()).toEqual([
      ["other-post", 1],
      ["post", 1],
    ]);
    expect(
      (await shownFloods.undecidedFor({ id: authorId, isAdministrator: false }, { all: false, limit: 1 }))[0],
    ).toEqual({
      slug: "post",
      title: "post",
      lang: null,
      author: "author",
      authorId,
      window: { ...windowWith({ status: "held" }), withdrawn: 0, arrived: 12 },
    });
  });

  test("many later floods of other posts hide none from an author, and those of one post none from deciders", async () => {
    const database = await open();
    const { floodWindows, shownFloods } = database;
    const { postId, authorId } = await postOfAuthor(database);
    const otherPost = await addPost(database, await addUser(database, "other"), "other-post");
    await floodWindows.save(postId, windowWith({ status: "held" }));
    for (let number = 1; number <= 205; number += 1)
      await floodWindows.save(otherPost, windowWith({ number, status: "held", lastAt: morning + number }));
    const found = async (id: number, all: boolean) =>
      (await shownFloods.undecidedFor({ id, isAdministrator: false }, { all, limit: 11 })).map(
        ({ slug, window }) => [slug, window.number],
      );
    expect(await found(authorId, false)).toEqual([["post", 1]]);
    expect(await found(99, true)).toEqual([
      ["other-post", 205],
      ["post", 1],
    ]);
  });

  test("finds a rater's ratings that do not count because of their flood", async () => {
    const database = await open();
    const { floodWindows, shownFloods } = database;
    const { postId, userId } = await ratedInWindow(database);
    expect(await shownFloods.uncountedOf({ id: userId, isAdministrator: false }, 9)).toEqual([]);
    await floodWindows.save(postId, windowWith({ status: "held" }));
    expect(await shownFloods.uncountedOf({ id: userId, isAdministrator: false }, 9)).toEqual([
      {
        slug: "post",
        title: "post",
        lang: null,
        score: 0,
        window: { ...windowWith({ status: "held" }), withdrawn: 0, arrived: 12 },
      },
    ]);
    expect(await shownFloods.uncountedOf({ id: 99, isAdministrator: false }, 9)).toEqual([]);
  });
}

/** A post with two windows, and a user whose zero is in the first. */
async function ratedInWindow(database: Awaited<ReturnType<Open>>) {
  const { postId } = await postOfAuthor(database);
  const userId = await addUser(database, "rater");
  for (const number of [1, 2]) await database.floodWindows.save(postId, windowWith({ number }));
  await database.transaction(() =>
    database.ratings.insert({ postId, userId, score: 0, window: 1, now: morning }),
  );
  return { postId, userId };
}
