import { describe, expect, test } from "vitest";
import { newDatabases } from "../../testing/both-databases.ts";
import { addPost, addUser, morning } from "../../testing/content.ts";
import { readSiteMap, siteMap } from "./site-map.ts";

const origin = "https://blog.example";

describe.each(newDatabases)("the site map on %s", (_, open) => {
  test("has each listed post once, the newest first, in whatever parts it is read", async () => {
    const database = await open();
    const author = await addUser(database, "author");
    const paths: string[] = [];
    for (let number = 0; number < 7; number += 1) {
      // Several were published in one millisecond.
      const { slug } = await addPost(database, author, {
        title: `Post ${number}`,
        now: morning + Math.floor(number / 3),
      });
      paths.unshift(`${origin}/posts/${slug}`);
    }
    for (const part of [1, 2, 3, 7, 100]) {
      const text = await readSiteMap(database, origin, part);
      const found = [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url ?? "");
      expect(found.filter((url) => url.includes("/posts/"))).toEqual(paths);
      expect(found.slice(0, 2)).toEqual([`${origin}/`, `${origin}/how-scores-work`]);
      expect(text).toContain(`<lastmod>${new Date(morning).toISOString()}</lastmod>`);
    }
  });

  test("gives other work its turns between the parts", async () => {
    const database = await open();
    const author = await addUser(database, "author");
    for (const title of ["One", "Two", "Three"]) await addPost(database, author, { title });
    let turns = 0;
    let isRead = false;
    const turn = () => {
      turns += 1;
      if (!isRead) setImmediate(turn);
    };
    setImmediate(turn);
    await readSiteMap(database, origin, 1);
    isRead = true;
    expect(turns).toBeGreaterThanOrEqual(3);
  });
});

test("is kept until pages change, or for ten seconds", async () => {
  const database = await (newDatabases[0]?.[1] ?? expect.fail())();
  const author = await addUser(database, "author");
  let reads = 0;
  const counted = {
    ...database,
    posts: {
      ...database.posts,
      recent: (...parameters: Parameters<typeof database.posts.recent>) => {
        reads += 1;
        return database.posts.recent(...parameters);
      },
    },
  };
  const read = (changes: number, now: number) =>
    siteMap(counted, { origin: "https://kept.example", changes, now });
  const both = await Promise.all([read(1, morning), read(1, morning + 9_999)]);
  expect(both[0]).toBe(both[1]);
  expect(reads).toBe(1);
  const { slug } = await addPost(database, author, { title: "New" });
  expect(await read(2, morning)).toContain(`/posts/${slug}<`);
  await read(2, morning + 10_000);
  expect(reads).toBe(3);
  expect(await siteMap(counted, { origin: undefined, changes: 2, now: morning })).not.toContain("<url>");
});
