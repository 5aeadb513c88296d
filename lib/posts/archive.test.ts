import { expect, test } from "vitest";
import type { Database } from "../../db/index.ts";
import { newDatabases } from "../../testing/both-databases.ts";
import { addUser } from "../../testing/content.ts";
import { archivedYears, neighboursOf, postsOfYear } from "./archive.ts";

const newYear = Date.UTC(2026);

/**
 * A post of each of these dates, by slug, and some that readers find in no list.
 * Resolves to the ids of the posts by slug.
 */
async function blog(database: Database, dates: Record<string, number>) {
  const { id: authorId } = await addUser(database, "author");
  const ids = new Map<string, number>();
  const add = async (slug: string, publishedAt: number | null, isUnlisted = false) => {
    const text = { title: slug, content: slug, html: "", renderer: 1, searchTitle: "", searchContent: "" };
    const post = { ...text, slug, authorId, createdAt: 0, publishedAt, isUnlisted };
    ids.set(slug, await database.transaction(() => database.posts.insert(post)));
  };
  for (const [slug, publishedAt] of Object.entries(dates)) await add(slug, publishedAt);
  await add("draft", null);
  await add("unlisted", newYear, true);
  await add("unpublished", newYear);
  await database.posts.setUnpublishedAt(ids.get("unpublished") ?? 0, newYear);
  return ids;
}

const dates = { "last-of-2025": newYear - 1, first: newYear, tied: newYear, later: newYear + 9 };

test.each(newDatabases)("on %s, the years count the posts that readers find", async (_, open) => {
  const database = await open();
  expect(await archivedYears({ database })).toEqual([]);
  await blog(database, { ...dates, "of-1999": Date.UTC(1999, 11, 31, 23, 59) });
  expect(await archivedYears({ database })).toEqual([
    { year: 2026, posts: 3 },
    { year: 2025, posts: 1 },
    { year: 1999, posts: 1 },
  ]);
});

test.each(newDatabases)("on %s, a year has its posts page by page, the newest first", async (_, open) => {
  const database = await open();
  await blog(database, { ...dates, "first-of-2027": Date.UTC(2027) });
  const listed: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await postsOfYear({ database }, { year: 2026, cursor, limit: 1 });
    listed.push(...(page?.items ?? []).map(({ slug }) => slug));
    cursor = page?.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(listed).toEqual(["later", "tied", "first"]);
  const other = `${Date.UTC(2028)}-1`;
  for (const wrong of [other, "x"])
    expect(await postsOfYear({ database }, { year: 2026, cursor: wrong, limit: 1 })).toBeNull();
});

test.each(newDatabases)("on %s, a post's neighbours are those that readers find", async (_, open) => {
  const database = await open();
  const ids = await blog(database, dates);
  const slugs = async (slug: string, publishedAt: number | null) => {
    const post = { id: ids.get(slug) ?? 0, publishedAt };
    const { older, newer } = await neighboursOf({ database }, post);
    return [older?.slug, newer?.slug];
  };
  expect(await slugs("first", newYear)).toEqual(["last-of-2025", "tied"]);
  expect(await slugs("tied", newYear)).toEqual(["first", "later"]);
  expect(await slugs("later", newYear + 9)).toEqual(["tied", undefined]);
  expect(await slugs("last-of-2025", newYear - 1)).toEqual([undefined, "first"]);
  expect(await slugs("draft", null)).toEqual([undefined, undefined]);
});
