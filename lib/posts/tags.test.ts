import { expect, test } from "vitest";
import type { Database } from "../../db/index.ts";
import { newDatabases } from "../../testing/both-databases.ts";
import { addUser, morning } from "../../testing/content.ts";
import { findTag, listTags, relatedPosts } from "./tags.ts";

/**
 * Adds posts one second apart, each with these tags.
 * Resolves to a function that finds them by slug.
 */
async function blog(database: Database, tagsBySlug: Record<string, string[]>) {
  const { id: authorId } = await addUser(database, "author");
  const posts = new Map<string, { id: number; publishedAt: number }>();
  let publishedAt = morning;
  for (const [slug, tags] of Object.entries(tagsBySlug)) {
    publishedAt += 1_000;
    const text = { title: slug, content: slug, html: "", renderer: 1, searchTitle: "", searchContent: "" };
    const post = { ...text, slug, authorId, createdAt: publishedAt, isUnlisted: slug.startsWith("unlisted") };
    const id = await database.transaction(async () => {
      const inserted = await database.posts.insert(post);
      await database.tags.setOf(
        inserted,
        tags.map((tag) => ({ slug: tag, name: tag.toUpperCase() })),
        { names: true },
      );
      return inserted;
    });
    posts.set(slug, { id, publishedAt });
  }
  return (slug: string) => posts.get(slug) ?? { id: 0, publishedAt: 0 };
}

test.each(newDatabases)(
  "on %s, posts that share the most tags are related, then those nearest in time, at most three",
  async (_, open) => {
    const database = await open();
    const find = await blog(database, {
      far: ["a"],
      both: ["a", "b"],
      near: ["b"],
      post: ["a", "b", "c"],
      "unlisted-near": ["a", "b", "c"],
      nearer: ["a"],
      other: ["d"],
    });
    const related = async (slug: string) =>
      (await relatedPosts({ database }, find(slug))).map((each) => each.slug);
    expect(await related("post")).toEqual(["both", "near", "nearer"]);
    expect(await related("other")).toEqual([]);
    expect(await relatedPosts({ database }, { ...find("post"), publishedAt: null })).toEqual([]);
  },
);

test.each(newDatabases)("on %s, readers find a tag only if a post in the lists has it", async (_, open) => {
  const database = await open();
  await blog(database, { post: ["a"], "unlisted-post": ["a", "b"] });
  expect(await findTag({ database }, "a")).toEqual({ slug: "a", name: "A" });
  expect(await findTag({ database }, "b")).toBeNull();
  expect(await findTag({ database }, "c")).toBeNull();
  expect(await database.tagLists.listedTags(9)).toEqual([{ slug: "a", name: "A" }]);
});

test.each(newDatabases)(
  "on %s, tags are listed page by page with their numbers of posts",
  async (_, open) => {
    const database = await open();
    await blog(database, { one: ["a", "c"], two: ["a", "آب"], "unlisted-post": ["a", "b"] });
    const first = await listTags({ database }, { limit: 2 });
    expect(first).toEqual({
      items: [
        { slug: "a", name: "A", posts: 2 },
        { slug: "c", name: "C", posts: 1 },
      ],
      nextCursor: "c",
    });
    expect(await listTags({ database }, { limit: 2, cursor: "c" })).toEqual({
      items: [{ slug: "آب", name: "آب", posts: 1 }],
      nextCursor: null,
    });
  },
);
