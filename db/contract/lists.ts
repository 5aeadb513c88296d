import { expect, test } from "vitest";
import type { Database, ListedPost, ListRequest, Sort } from "../index.ts";
import { addPost, addUser, morning, type Open, rating, setCounts } from "./setting.ts";

/** Twelve posts of two authors in turn, of which many tie in every order. */
async function twelvePosts(database: Database) {
  const authors = [await addUser(database, "one"), await addUser(database, "two")];
  const ids: number[] = [];
  for (let index = 0; index < 12; index++) {
    // In another order than their numbers.
    const createdAt = morning + (((index * 5) % 12) >> 1);
    const id = await addPost(database, authors[index % 2] ?? 0, `post-${index}`, { createdAt });
    ids.push(id);
    const fives = index % 3;
    if (index % 4 > 0) await setCounts(database, id, [0, 0, 0, 0, 0, fives], fives > 0 ? 5 : null);
  }
  return { authors, ids };
}

const keyOf = {
  newest: (post: ListedPost) => post.publishedAt ?? 0,
  top: (post: ListedPost) => post.rankScore,
  "most-rated": (post: ListedPost) => post.counts.reduce((sum, count) => sum + count, 0),
} as const;

async function allPages(database: Database, request: Omit<ListRequest, "after">): Promise<ListedPost[]> {
  const listed: ListedPost[] = [];
  for (let after: ListRequest["after"]; ; ) {
    const page = await database.posts.list({ ...request, after });
    listed.push(...page);
    const last = page.at(-1);
    if (!last) return listed;
    after = { key: keyOf[request.sort](last), id: last.id };
  }
}

export function listContract(open: Open): void {
  test.each<Sort>(["newest", "top", "most-rated"])(
    "Sorted by %s, page by page, each post comes once, those that tie from the newest on",
    async (sort) => {
      const database = await open();
      const { authors, ids } = await twelvePosts(database);
      const whole = await database.posts.list({ sort, limit: 100 });
      expect(new Set(whole.map(({ id }) => id))).toEqual(new Set(ids));
      const expected = whole.toSorted((a, b) => keyOf[sort](b) - keyOf[sort](a) || b.id - a.id);
      expect(whole.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      for (const limit of [1, 5]) expect(await allPages(database, { sort, limit })).toEqual(whole);
      const authorId = authors[1];
      expect(await allPages(database, { sort, limit: 2, authorId })).toEqual(
        whole.filter((post) => post.authorId === authorId),
      );
      expect(await allPages(database, { sort, limit: 2, search: ["word"] })).toEqual(whole);
    },
  );

  test("ranks a post by its settled score and the prior, to the last bit", async () => {
    const database = await open();
    const authorId = await addUser(database, "author");
    const id = await addPost(database, authorId, "post");
    const score = 3.3333333333333335;
    await setCounts(database, id, [1, 0, 0, 0, 0, 2], score);
    const [post] = await database.posts.list({ sort: "top", limit: 1 });
    expect(post?.rankScore).toBe((25 + 3 * score) / 13);
    expect(post?.settled.score).toBe(score);
  });

  test("shows a viewer's own scores in a list, 0 among them, and no other user's", async () => {
    const database = await open();
    const { ids } = await twelvePosts(database);
    const [viewer, other] = [await addUser(database, "viewer"), await addUser(database, "other")];
    const [rated = 0, otherwise = 0] = ids;
    await database.transaction(async () => {
      await database.ratings.insert(rating(rated, viewer, { score: 0 }));
      await database.ratings.insert(rating(otherwise, other));
    });
    const scores = async (viewerId?: number) =>
      (await database.posts.list({ sort: "newest", limit: 100, viewerId })).map(({ myScore }) => myScore);
    expect((await scores(viewer)).filter((score) => score !== null)).toEqual([0]);
    expect((await scores()).every((score) => score === null)).toBe(true);
  });
}
