import { expect, test } from "vitest";
import { addPost, addUser, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { bookmarksMaximum, isBookmarked, listBookmarks, setBookmark } from "./index.ts";

/** A post of an author, and a reader. */
async function blog() {
  const database = temporaryDatabase();
  const [author, user] = [await addUser(database, "author"), await addUser(database, "reader")];
  return { database, author, user, post: await addPost(database, author) };
}

test("saves a post once, removes it once more, and shows it to no other user", async () => {
  const { database, author, user, post } = await blog();
  const set = (isSaved: boolean, now: number) =>
    setBookmark({ database }, { user, slug: post.slug, isSaved, now });
  expect(await set(true, morning)).toEqual({ kind: "saved" });
  expect(await set(true, morning + 1)).toEqual({ kind: "saved" });
  expect(await isBookmarked({ database }, user, post)).toBe(true);
  expect(await isBookmarked({ database }, author, post)).toBe(false);
  expect((await listBookmarks({ database }, { user: author, limit: 9 }))?.items).toEqual([]);
  expect(await set(false, morning)).toEqual({ kind: "removed" });
  expect(await set(false, morning)).toEqual({ kind: "removed" });
  expect((await listBookmarks({ database }, { user, limit: 9 }))?.items).toEqual([]);
});

test("refuses posts that the user does not see, and users who are disabled", async () => {
  const { database, user, post } = await blog();
  const save = (slug: string) => setBookmark({ database }, { user, slug, isSaved: true, now: morning });
  expect(await save("none")).toEqual({ kind: "no-such-post" });
  await database.users.setDisabledAt(user.id, morning);
  expect(await save(post.slug)).toEqual({ kind: "not-logged-in" });
  await database.posts.setUnpublishedAt(post.id, morning);
  expect(await save(post.slug)).toEqual({ kind: "no-such-post" });
});

test("saves as many posts as the maximum, also of concurrent requests, and pages through all", async () => {
  const { database, author, user } = await blog();
  const kept = bookmarksMaximum - 2;
  database.sqlite.exec(`
    with recursive n(n) as (select 1 union all select n + 1 from n where n < ${kept})
    insert into posts (slug, title, author_id, created_at, updated_at)
      select 'post-' || n, 'Post', ${author.id}, ${morning}, ${morning} from n;
    insert into bookmarks select id, ${user.id}, ${morning} from posts where slug like 'post-%'`);
  const more = await Promise.all([1, 2, 3, 4].map(() => addPost(database, author)));
  const outcomes = await Promise.all(
    more.map(({ slug }) => setBookmark({ database }, { user, slug, isSaved: true, now: morning })),
  );
  expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual([
    "saved",
    "saved",
    "too-many-bookmarks",
    "too-many-bookmarks",
  ]);
  const seen = new Set<number>();
  let cursor: string | undefined;
  do {
    const page = await listBookmarks({ database }, { user, cursor, limit: 300 });
    for (const { id } of page?.items ?? []) seen.add(id);
    cursor = page?.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(seen.size).toBe(bookmarksMaximum);
  expect(await listBookmarks({ database }, { user, cursor: "1", limit: 9 })).toBeNull();
  const kind = { kind: "saved" };
  // One that is saved already does not count again.
  expect(await setBookmark({ database }, { user, slug: "post-1", isSaved: true, now: morning })).toEqual(
    kind,
  );
});
