import { expect, test } from "vitest";
import type { Counts } from "../counts.ts";
import type { FloodWindow } from "../index.ts";
import { addPost, addUser, morning, type Open, postOfAuthor, tallyWith } from "./setting.ts";

export function tallyContract(open: Open): void {
  test("finds a tally as it was saved, to the last bit, also with its post", async () => {
    const database = await open();
    const { tallies, posts, transaction } = database;
    const { postId } = await postOfAuthor(database);
    expect(await tallies.find(postId)).toEqual(tallyWith());
    const detector = {
      at: morning,
      site: { perHour: 0.1 + 0.2, scores: [0, 0, 0, 0, 0, 1] as Counts, ages: [1 / 3, 2 / 3] },
      ratings: 1e-300,
      spanMs: 7,
      scores: [0, 0, 0, 0, 0, 2 / 7] as Counts,
      ages: [1, 0],
      sums: [[0, 1 / 3]],
      rises: [0, 0, 0, 0, 0, 9].map((rise) => [rise, 0.1]),
      credits: [null, 0.5],
    };
    const tally = tallyWith({
      counts: [1, 2, 3, 4, 5, 1_000_000],
      settled: {
        score: 0.1 + 0.2,
        velocity: -1.7976931348623157e-300,
        raters: 1_000_015,
        firstAt: morning,
        lastRaterAt: morning + 1,
        at: morning + 2,
      },
      windowCount: 7,
      detector,
      dueAt: morning + 3,
    });
    await transaction(() => tallies.save(postId, tally));
    expect(await tallies.find(postId)).toEqual(tally);
    expect(await transaction(() => tallies.find(postId))).toEqual(tally);
    expect(await posts.bySlug("post")).toMatchObject({
      counts: tally.counts,
      settled: tally.settled,
      windowCount: 7,
    });
  });

  test("rejects a tally without a post, and a counter below 0", async () => {
    const database = await open();
    const { tallies, transaction } = database;
    const { postId } = await postOfAuthor(database);
    await expect(tallies.find(99)).rejects.toThrow("There is no post 99.");
    const below = tallyWith({ counts: [0, 0, -1, 0, 0, 0] });
    await expect(transaction(() => tallies.save(postId, below))).rejects.toThrow();
    expect(await tallies.find(postId)).toEqual(tallyWith());
  });

  test("lists posts as due from their time on, longest waiting first", async () => {
    const database = await open();
    const { tallies, transaction } = database;
    const author = await addUser(database, "author");
    const ids = [];
    for (const [index, dueAt] of [morning + 2, null, morning + 1, morning + 3].entries()) {
      const id = await addPost(database, author, `post-${index}`);
      await transaction(() => tallies.save(id, tallyWith({ dueAt })));
      ids.push(id);
    }
    expect(await tallies.due(morning, 9)).toEqual([]);
    expect(await tallies.due(morning + 2, 9)).toEqual([ids[2], ids[0]]);
    expect(await tallies.due(morning + 9, 2)).toEqual([ids[2], ids[0]]);
  });

  test("makes posts with held windows due at once", async () => {
    const database = await open();
    const { tallies, floodWindows, transaction } = database;
    const author = await addUser(database, "author");
    const [held, counted] = [
      await addPost(database, author, "held"),
      await addPost(database, author, "counted"),
    ];
    const window: FloodWindow = {
      number: 1,
      openedAt: morning,
      lastAt: morning,
      closedAt: morning,
      usualGapMs: 1,
      recentGapMs: 1,
      counts: [0, 0, 0, 0, 0, 0],
      status: "held",
      decidedBy: null,
      decisions: 0,
    };
    await transaction(async () => {
      await floodWindows.save(held, window);
      await floodWindows.save(counted, { ...window, status: "counted" });
    });
    await tallies.makeHeldDue();
    expect(await tallies.due(morning, 9)).toEqual([held]);
  });

  test("has the newest rated post of each author as an example, and none that was first rated recently or is deleted", async () => {
    const database = await open();
    const { tallies, posts, transaction } = database;
    const [ada, bo] = [await addUser(database, "ada"), await addUser(database, "bo")];
    const rated = async (author: number, count: number, firstAt = morning) => {
      const id = await addPost(database, author, `post-${count}`);
      const settled = { ...tallyWith().settled, firstAt };
      await transaction(() => tallies.save(id, tallyWith({ counts: [count, 0, 0, 0, 0, 0], settled })));
      return id;
    };
    await rated(ada, 11);
    await rated(ada, 12);
    await rated(ada, 9);
    await rated(ada, 13, morning + 1);
    await rated(bo, 14);
    const deleted = await rated(bo, 15);
    await transaction(() => posts.markDeleted(deleted, morning));
    const examples = async (limit: number) =>
      (await tallies.examples({ fewest: 10, firstRatedBefore: morning + 1, limit })).map(
        ({ counts }) => counts[0],
      );
    expect(await examples(9)).toEqual([14, 12]);
    expect(await examples(1)).toEqual([14]);
  });
}
