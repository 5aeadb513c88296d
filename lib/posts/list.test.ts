import { expect, test } from "vitest";
import type { Database } from "../../db/index.ts";
import { addPost, addUser, addUsers, contextOf, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { createRating } from "../ratings/index.ts";
import { scoreFrom } from "../ratings/score/score.ts";
import { cursorFrom } from "./cursor.ts";
import { type ListedPost, listPosts, type Sort, sorts } from "./index.ts";

/**
 * Twenty posts with many ties.
 * Five have no rating, the others one to three of few different scores.
 */
async function blog() {
  const database = temporaryDatabase();
  const context = contextOf(database);
  const [author, ...raters] = await addUsers(database, 4);
  if (!author) throw new Error("There is no author.");
  let made = 0;
  const publish = () => {
    made += 1;
    return addPost(database, author, { title: `Post ${made}`, now: morning + made * 1_000_000 });
  };
  const rate = async (slug: string, rater: number, score: number) => {
    const user = raters[rater];
    if (!user) throw new Error(`There is no rater ${rater}.`);
    await createRating(context, { slug, user, address: "192.0.2.1", input: { score }, now: morning });
  };
  const posts: Awaited<ReturnType<typeof publish>>[] = [];
  for (let index = 0; index < 20; index += 1) {
    const post = await publish();
    for (let rater = 0; rater < index % 4; rater += 1) await rate(post.slug, rater, index % 3 === 0 ? 5 : 2);
    posts.push(post);
  }
  return { database, author, viewer: raters[0], publish, rate, posts };
}

async function pages(database: Database, sort: Sort, limit: number, between = async () => {}) {
  const found: ListedPost[] = [];
  let cursor: string | undefined;
  do {
    const page = await listPosts({ database }, { sort, limit, cursor });
    if (!page) throw new Error("The list's own cursor was refused.");
    found.push(...page.items);
    cursor = page.nextCursor ?? undefined;
    await between();
  } while (cursor !== undefined);
  return found;
}

const keyOf = {
  newest: (post: ListedPost) => post.publishedAt ?? 0,
  top: (post: ListedPost) => post.rankScore,
  "most-rated": (post: ListedPost) => scoreFrom(post.counts).count,
};

test.each(sorts)("lists every post once and in order, paged by %s with any page size", async (sort) => {
  const { database, posts } = await blog();
  const whole = (await listPosts({ database }, { sort, limit: 100 }))?.items.map(({ id }) => id);
  for (const limit of [1, 3, 7, 20, 21]) {
    const found = await pages(database, sort, limit);
    expect(found.map(({ id }) => id)).toEqual(whole);
    expect(new Set(found.map(({ id }) => id))).toEqual(new Set(posts.map(({ id }) => id)));
    const keys = found.map(keyOf[sort]);
    expect(keys).toEqual(keys.toSorted((a, b) => b - a));
  }
});

test.each(sorts)("repeats and loses no post by %s when posts are added between pages", async (sort) => {
  const { database, posts, publish, rate } = await blog();
  const arrive = async () => {
    const { slug } = await publish();
    for (const rater of [0, 1, 2]) await rate(slug, rater, 5);
  };
  let arrivals = 0;
  const found = await pages(database, sort, 3, async () => {
    if (arrivals < 5) await arrive();
    arrivals += 1;
  });
  const ids = found.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id } of posts) expect(ids).toContain(id);
});

test("reports the last page as the last, also when it is full", async () => {
  const { database } = await blog();
  expect((await listPosts({ database }, { sort: "newest", limit: 20 }))?.nextCursor).toBeNull();
  expect((await listPosts({ database }, { sort: "newest", limit: 19 }))?.nextCursor).not.toBeNull();
});

test("sorts the top by the average with the prior: one rating of 5 does not beat three", async () => {
  const { database, publish, rate } = await blog();
  const one = await publish();
  const three = await publish();
  await rate(one.slug, 0, 5);
  for (const rater of [0, 1, 2]) await rate(three.slug, rater, 5);
  const top = (await listPosts({ database }, { sort: "top", limit: 50 }))?.items ?? [];
  const place = (id: number) => top.findIndex((post) => post.id === id);
  expect(place(three.id)).toBeLessThan(place(one.id));
  expect(top.find(({ id }) => id === three.id)?.rankScore).toBeCloseTo((25 + 15) / 13, 12);
});

test("lists the viewer's scores and one author's posts, paged and searched", async () => {
  const { database, author, viewer, publish, rate } = await blog();
  const other = await addUser(database, "other");
  const { slug } = await addPost(database, other, { title: "Post of another", now: morning + 1e9 });
  await rate(slug, 0, 0);
  const listed = await listPosts({ database }, { sort: "newest", limit: 2, viewerId: viewer?.id });
  expect(listed?.items.map(({ slug, myScore }) => ({ slug, myScore }))).toEqual([
    { slug, myScore: 0 },
    { slug: "post-20", myScore: 2 },
  ]);
  expect((await listPosts({ database }, { sort: "newest", limit: 1 }))?.items[0]?.myScore).toBeNull();
  await publish();
  const own = await listPosts({ database }, { sort: "top", limit: 50, authorId: author.id, search: "post" });
  expect(own?.items).toHaveLength(21);
  const first = await listPosts(
    { database },
    { sort: "top", limit: 15, authorId: author.id, search: "post" },
  );
  const cursor = first?.nextCursor ?? undefined;
  const second = await listPosts(
    { database },
    { sort: "top", limit: 15, authorId: author.id, search: "post", cursor },
  );
  expect([...(first?.items ?? []), ...(second?.items ?? [])].map(({ id }) => id)).toEqual(
    own?.items.map(({ id }) => id),
  );
});

test("refuses a malformed cursor and a cursor of another sort", async () => {
  const { database } = await blog();
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  for (const cursor of [
    "",
    "x",
    "🌊",
    "%00",
    "null",
    "W10",
    "x".repeat(100_000),
    encode(null),
    encode(["newest", 1]),
    encode(["newest", 1, 0]),
    encode(["newest", 1, 1.5]),
    encode(["newest", "1", 1]),
    encode(["newest", null, 1]),
    encode(["oldest", 1, 1]),
    // As earlier versions made it.
    encode(["newest", 16, 16]),
    encode(["newest", 1, 1, 1]),
    encode({ 0: "newest", 1: 1, 2: 1 }),
    Buffer.from('["newest",1e999,1]').toString("base64url"),
  ])
    expect(await listPosts({ database }, { sort: "newest", limit: 5, cursor }), cursor).toBeNull();
  const cursor = (await listPosts({ database }, { sort: "newest", limit: 5 }))?.nextCursor ?? "";
  expect(cursorFrom(cursor, "newest")).toEqual({ key: morning + 16 * 1_000_000, id: 16 });
  for (const sort of ["top", "most-rated"] as const)
    expect(await listPosts({ database }, { sort, limit: 5, cursor })).toBeNull();
});
