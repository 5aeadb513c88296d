import { expect, test } from "vitest";
import {
  addPost,
  addUser,
  addUsers,
  countsOfRatings,
  dayMs,
  morning,
  type Open,
  postOfAuthor,
  rating,
} from "./setting.ts";

const day = Math.floor(morning / dayMs);

export function ratingContract(open: Open): void {
  test("a rating that waits keeps its times when it changes, and is due in order unless its user is disabled", async () => {
    const database = await open();
    const { waitingRatings, users } = database;
    const [ada = 0, bo = 0, cy = 0] = await addUsers(database, 3);
    const postId = await addPost(database, ada, "a-post");
    const waiting = {
      postId,
      userId: ada,
      score: 4,
      createdAt: morning,
      countsFrom: morning + 9,
      network: "n",
    } as const;
    await waitingRatings.save(waiting);
    await waitingRatings.save({ ...waiting, score: 1, createdAt: morning + 1, countsFrom: morning + 1 });
    const { postId: _post, userId: _user, ...saved } = waiting;
    expect(await waitingRatings.find(postId, ada)).toEqual({ ...saved, score: 1 });
    expect(await waitingRatings.find(postId, bo)).toBeUndefined();
    await waitingRatings.save({ ...waiting, userId: bo, countsFrom: morning + 5 });
    await waitingRatings.save({ ...waiting, userId: cy, countsFrom: morning + 5 });
    await users.setDisabledAt(cy, morning);
    const due = async (now: number) => (await waitingRatings.due(now, 9)).map(({ username }) => username);
    expect(await due(morning + 4)).toEqual([]);
    expect(await due(morning + 9)).toEqual(["user-2", "user-1"]);
    expect(await waitingRatings.due(morning + 5, 9)).toEqual([
      { postId, slug: "a-post", userId: bo, username: "user-2" },
    ]);
    await waitingRatings.postpone(postId, bo, morning + 20);
    expect(await due(morning + 19)).toEqual(["user-1"]);
    expect(await waitingRatings.remove(postId, ada)).toBe(true);
    expect(await waitingRatings.remove(postId, ada)).toBe(false);
  });

  test("finds a rating as it was saved, also of 0 stars", async () => {
    const database = await open();
    const { ratings, transaction } = database;
    const { postId } = await postOfAuthor(database);
    const rater = await addUser(database, "rater");
    await transaction(() => ratings.insert(rating(postId, rater, { score: 0, window: 3 })));
    const saved = { score: 0, createdAt: morning, updatedAt: morning, window: 3 };
    expect(await ratings.find(postId, rater)).toEqual(saved);
    expect(await ratings.find(postId, 99)).toBeUndefined();
    expect(await ratings.find(99, rater)).toBeUndefined();
    await transaction(() => ratings.setWindow(postId, rater, 4));
    expect(await ratings.find(postId, rater)).toEqual({ ...saved, window: 4 });
  });

  test("rejects a user's second rating of a post, and saves nothing of it", async () => {
    const database = await open();
    const { ratings, transaction } = database;
    const { postId, authorId } = await postOfAuthor(database);
    await transaction(() => ratings.insert(rating(postId, authorId)));
    await expect(transaction(() => ratings.insert(rating(postId, authorId, { score: 1 })))).rejects.toThrow();
    await expect(transaction(() => ratings.insert(rating(99, authorId)))).rejects.toThrow();
    await expect(transaction(() => ratings.insert(rating(postId, 99)))).rejects.toThrow();
    expect(await ratings.days(postId)).toEqual([{ day, counts: [0, 0, 0, 0, 1, 0] }]);
    expect(await countsOfRatings(database, postId)).toEqual([0, 0, 0, 0, 1, 0]);
  });

  test("counts a changed rating on the day on which it was first given", async () => {
    const database = await open();
    const { ratings, transaction } = database;
    const { postId, authorId } = await postOfAuthor(database);
    const other = await addUser(database, "other");
    const later = morning + dayMs;
    await transaction(() => ratings.insert(rating(postId, authorId)));
    await transaction(() => ratings.insert(rating(postId, other, { score: 1, now: later })));
    const saved = { score: 4, createdAt: morning, window: null } as const;
    await transaction(() =>
      ratings.update(rating(postId, authorId, { score: 5, window: 2, now: later }), saved),
    );
    expect(await ratings.find(postId, authorId)).toEqual({
      score: 5,
      createdAt: morning,
      updatedAt: later,
      window: 2,
    });
    expect(await ratings.days(postId)).toEqual([
      { day, counts: [0, 0, 0, 0, 0, 1] },
      { day: day + 1, counts: [0, 1, 0, 0, 0, 0] },
    ]);
  });

  test("keeps a withdrawn rating's window until it is given again", async () => {
    const database = await open();
    const { ratings, transaction } = database;
    const { postId, authorId } = await postOfAuthor(database);
    const former = async () => (await ratings.findRater("post", authorId, "", morning))?.former;
    expect(await former()).toBeNull();
    await transaction(() => ratings.insert(rating(postId, authorId, { window: 2 })));
    await transaction(() => ratings.remove(postId, authorId, { score: 4, createdAt: morning, window: 2 }));
    expect(await ratings.find(postId, authorId)).toBeUndefined();
    expect(await former()).toMatchObject({ window: 2 });
    expect(await ratings.days(postId)).toEqual([]);
    await transaction(() => ratings.insert(rating(postId, authorId), { replacesFormer: true }));
    expect(await former()).toBeNull();
  });

  test("finds a rater with their rating and a limiter state, but no rater who may not act", async () => {
    const database = await open();
    const { ratings, users, limiterStates, transaction } = database;
    const { postId, authorId } = await postOfAuthor(database);
    const [rater = 0, disabled = 0] = await addUsers(database, 2);
    await limiterStates.save([{ key: "waits", state: { until: 1 }, expiresAt: morning + 1 }], morning);
    const of = (userId: number, now = morning) =>
      transaction(() => ratings.findRater("post", userId, "waits", now));
    const empty = { registeredAt: morning, existing: null, former: null, state: { until: 1 } };
    expect(await of(rater)).toEqual(empty);
    expect(await of(rater, morning + 1)).toEqual({ ...empty, state: undefined });
    await transaction(() => ratings.insert(rating(postId, rater, { score: 0, now: morning + 2 })));
    await transaction(() => ratings.insert(rating(postId, authorId)));
    const existing = { score: 0, createdAt: morning + 2, updatedAt: morning + 2, window: null };
    expect(await of(rater)).toEqual({ ...empty, existing });
    expect(await ratings.findRater("post", rater, "none", morning)).toMatchObject({ state: undefined });
    await users.setDisabledAt(disabled, morning);
    expect(await of(disabled)).toBeUndefined();
    expect(await of(99)).toBeUndefined();
  });

  test("finds a post that a user has rated, and erases a rating without a trace", async () => {
    const database = await open();
    const { ratings, transaction } = database;
    const { authorId, postId } = await postOfAuthor(database);
    expect(await ratings.anyRatedBy(authorId)).toBeUndefined();
    await transaction(() => ratings.insert(rating(postId, authorId)));
    expect(await ratings.anyRatedBy(authorId)).toBe(postId);
    await transaction(() => ratings.erase(postId, authorId, { score: 4, createdAt: morning, window: null }));
    expect(await ratings.anyRatedBy(authorId)).toBeUndefined();
    expect(await ratings.findRater("post", authorId, "", morning)).toMatchObject({ former: null });
    expect(await ratings.days(postId)).toEqual([]);
  });

  test("lists the latest ratings outside windows, without one user's", async () => {
    const database = await open();
    const { ratings, transaction } = database;
    const { postId } = await postOfAuthor(database);
    const [one = 0, two = 0, three = 0, four = 0] = await addUsers(database, 4);
    for (const [index, user] of [one, two, three, four].entries())
      await transaction(() =>
        ratings.insert(rating(postId, user, { now: morning + index, window: user === three ? 1 : null })),
      );
    expect(await ratings.recentInNoWindow(postId, four, 9)).toEqual([
      { userId: two, at: morning + 1, score: 4, registeredAt: morning },
      { userId: one, at: morning, score: 4, registeredAt: morning },
    ]);
    expect(await ratings.recentInNoWindow(postId, 0, 1)).toEqual([
      { userId: four, at: morning + 3, score: 4, registeredAt: morning },
    ]);
  });

  test("lists ratings of one instant in one order, however they were saved", async () => {
    const database = await open();
    const { accountChanges, ratings, transaction, users } = database;
    const { postId } = await postOfAuthor(database);
    const [one = 0, two = 0, three = 0] = await addUsers(database, 3);
    for (const user of [two, three, one]) await transaction(() => ratings.insert(rating(postId, user)));
    const recent = await ratings.recentInNoWindow(postId, 0, 9);
    expect(recent.map(({ userId }) => userId)).toEqual([three, two, one]);
    const change = { kind: "disable", at: morning, actor: "operator", byUserId: null, why: null } as const;
    const changeId = await accountChanges.insert(change);
    for (const userId of [three, one, two]) {
      await users.setDisabledAt(userId, morning);
      await accountChanges.addUsers(changeId, [{ userId, deciders: 0 }]);
    }
    const moved = await transaction(() => accountChanges.ratingsToMove(postId, true));
    expect(moved.map(({ userId }) => userId)).toEqual([one, two, three]);
  });

  test("lists when the latest raters of a window, or of none, rated and registered, and their networks", async () => {
    const database = await open();
    const { attempts, ratings, transaction } = database;
    const { postId } = await postOfAuthor(database);
    const [one = 0, two = 0, three = 0] = await addUsers(database, 3);
    const attempt = {
      postId,
      verb: "create",
      score: 4,
      held: false,
      policy: null,
      reason: null,
      level: null,
    } as const;
    for (const [at, allowed, network] of [
      [morning + 1, true, "a"],
      [morning + 1, false, null],
      [morning + 60_000, true, "b"],
    ] as const)
      await transaction(() => attempts.insert({ ...attempt, userId: two, at, allowed, network }));
    for (const [index, user] of [one, two, three].entries())
      await transaction(() =>
        ratings.insert(rating(postId, user, { now: morning + index, window: user === three ? 1 : null })),
      );
    expect(await ratings.raters(postId, null, 9)).toEqual([
      { username: "user-2", score: 4, at: morning + 1, registeredAt: morning, network: "a" },
      { username: "user-1", score: 4, at: morning, registeredAt: morning, network: null },
    ]);
    expect(await ratings.raters(postId, null, 1)).toHaveLength(1);
    expect(await ratings.raters(postId, 1, 9)).toEqual([
      { username: "user-3", score: 4, at: morning + 2, registeredAt: morning, network: null },
    ]);
  });

  test("the ratings of a window, or of none, come in the order of their last change and then of their users", async () => {
    const database = await open();
    const { ratings } = database;
    const { postId } = await postOfAuthor(database);
    const [one = 0, two = 0, three = 0, four = 0, five = 0] = await addUsers(database, 5);
    for (const [userId, now, window] of [
      [three, morning, null],
      [two, morning, null],
      [one, morning + 1, null],
      [five, morning, 7],
      [four, morning + 2, 7],
    ] as const)
      await ratings.insert(rating(postId, userId, { now, window, score: 3 }));
    const saved = await ratings.find(postId, three);
    if (!saved) throw new Error("There is no rating");
    await ratings.update(rating(postId, three, { now: morning + 1, score: 5 }), saved);
    const beginning = { at: 0, userId: 0 };
    const first = { userId: two, at: morning, score: 3 };
    const second = { userId: one, at: morning + 1, score: 3 };
    const third = { userId: three, at: morning + 1, score: 5 };
    expect(await ratings.inOrder(postId, null, beginning, 9)).toEqual([first, second, third]);
    expect(await ratings.inOrder(postId, null, beginning, 1)).toEqual([first]);
    expect(await ratings.inOrder(postId, null, first, 9)).toEqual([second, third]);
    expect(await ratings.inOrder(postId, null, second, 9)).toEqual([third]);
    expect(await ratings.inOrder(postId, null, third, 9)).toEqual([]);
    expect((await ratings.inOrder(postId, 7, beginning, 9)).map(({ userId }) => userId)).toEqual([
      five,
      four,
    ]);
    expect(await ratings.inOrder(postId, 8, beginning, 9)).toEqual([]);
  });
}
