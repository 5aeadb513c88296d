import { expect, test } from "vitest";
import { listStart } from "../types.ts";
import { addPost, addUser, morning, type Open, rating } from "./setting.ts";

/** Three posts of an author, and a reader. */
async function blog(open: Open) {
  const database = await open();
  const [author, reader] = [await addUser(database, "author"), await addUser(database, "reader")];
  const ids: number[] = [];
  for (const slug of ["one", "two", "three"]) ids.push(await addPost(database, author, slug));
  const [one = 0, two = 0, three = 0] = ids;
  const viewer = { id: reader, isAdministrator: false };
  return { database, author, reader, viewer, one, two, three };
}

/** The lists that a user alone sees. */
export function ownListContract(open: Open): void {
  test("lists a user's bookmarks from the latest on, also those saved at one instant, each once", async () => {
    const { database, author, reader, viewer, one, two, three } = await blog(open);
    const { bookmarks } = database;
    await bookmarks.add(reader, three, morning);
    await bookmarks.add(reader, one, morning + 1);
    await bookmarks.add(reader, two, morning + 1);
    await bookmarks.add(reader, three, morning + 9); // saved before: the first time stays
    await bookmarks.add(author, one, morning + 5);
    const listed: number[] = [];
    for (let after = listStart; ; ) {
      const [next] = await bookmarks.list(viewer, after, 1);
      if (!next) break;
      listed.push(next.id);
      after = { at: next.savedAt, id: next.id };
    }
    expect(listed).toEqual([two, one, three]);
    expect(await bookmarks.count(reader)).toBe(3);
    await bookmarks.remove(reader, two);
    expect(await bookmarks.has(reader, two)).toBe(false);
    expect(await bookmarks.has(author, one)).toBe(true);
  });

  test("leaves out of bookmarks and own ratings the posts that the user does not see", async () => {
    const { database, author, reader, viewer, one, two } = await blog(open);
    const { bookmarks, ownRatings, posts, ratings } = database;
    for (const id of [one, two]) {
      await bookmarks.add(reader, id, morning);
      await database.transaction(() => ratings.insert(rating(id, reader)));
    }
    await bookmarks.add(author, one, morning);
    await posts.setUnpublishedAt(one, morning);
    const slugs = async (user: typeof viewer) => [
      (await bookmarks.list(user, listStart, 9)).map(({ slug }) => slug),
      (await ownRatings.list(user, listStart, 9)).map(({ slug }) => slug),
    ];
    expect(await slugs(viewer)).toEqual([["two"], ["two"]]);
    expect(await slugs({ id: author, isAdministrator: false })).toEqual([["one"], []]);
    await database.transaction(() => posts.markDeleted(two, morning));
    expect(await slugs(viewer)).toEqual([[], []]);
  });

  test("lists a user's own ratings from the latest on, with their floods and when they count", async () => {
    const { database, author, reader, viewer, one, two, three } = await blog(open);
    const { floodWindows, ownRatings, ratings, waitingRatings } = database;
    const flood = { number: 1, openedAt: morning, lastAt: morning, closedAt: null, usualGapMs: 1 } as const;
    await database.transaction(async () => {
      await floodWindows.save(two, {
        ...flood,
        recentGapMs: 1,
        counts: [1, 0, 0, 0, 0, 0],
        status: "held",
        decidedBy: null,
        decisions: 0,
      });
      await ratings.insert(rating(one, reader, { score: 5 }));
      await ratings.insert(rating(two, reader, { score: 0, window: 1, now: morning + 2 }));
      await ratings.insert(rating(one, author, { now: morning + 9 }));
    });
    const waiting = { postId: three, userId: reader, score: 3, network: null } as const;
    await waitingRatings.save({ ...waiting, createdAt: morning + 1, countsFrom: morning + 50 });
    const expected = [
      { slug: "two", score: 0, at: morning + 2, status: "held", countsFrom: null },
      { slug: "three", score: 3, at: morning + 1, status: null, countsFrom: morning + 50 },
      { slug: "one", score: 5, at: morning, status: null, countsFrom: null },
    ];
    expect(await ownRatings.list(viewer, listStart, 9)).toMatchObject(expected);
    const [first] = await ownRatings.list(viewer, listStart, 1);
    expect(first).toMatchObject({ slug: "two", author: "author", lang: null });
    const rest = await ownRatings.list(viewer, { at: morning + 2, id: two }, 9);
    expect(rest).toMatchObject(expected.slice(1));
  });
}
