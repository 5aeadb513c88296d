/**
 * Whether a page of the list costs the same anywhere, with any number of posts.
 * Through `lib/posts`, 20 posts a page, the first page and a late one in a blog of 100 posts and in one of 100,000, in
 * every order, for a visitor and for a user with ratings of their own.
 *
 * All four pages are full and have a next one, so the late page of 100 posts is the fourth; that of 100,000 is the
 * hundredth. Pages are requested by cursor, as a reader does. The figure is the time of the slowest of the four to
 * that of the fastest, so that any two of them are within it.
 *
 * The counters and ratings are made up by arithmetic on the posts' numbers, in the same proportions in both.
 */
import { join } from "node:path";
import { openSqlite } from "../db/dialects/sqlite/index.ts";
import type { Database } from "../db/index.ts";
import { listPosts, type Sort, sorts } from "../lib/posts/index.ts";
import { addUsers, fill, inFolder, morning } from "./databases.ts";
import { inTurns, inverseOf, processorSpeedOf, type Ratio, ratioOf } from "./measure.ts";
import type { Figure } from "./table.ts";

export const title =
  "Pages of a list, the slowest / the fastest of first and late, of 100 and of 100,000 posts (CPU time)";

/** Many short rounds: one that another program has interrupted is an exception. */
const rounds = 200;
const pagesPerRound = 10;
const pageSize = 20;
const viewer = 7;

export function run(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const small = blog(join(folder, "small.db"), 100);
    const large = blog(join(folder, "large.db"), 100_000);
    const figures: Figure[] = [];
    for (const sort of sorts)
      for (const viewerId of [undefined, viewer]) figures.push(await compare(small, large, sort, viewerId));
    await small.close();
    await large.close();
    return figures;
  });
}

function blog(file: string, posts: number): Database {
  const database = openSqlite(`file:${file}`);
  const { sqlite } = database;
  fill(sqlite, () => {
    addUsers(sqlite, 100);
    sqlite.exec(
      `with recursive number(n) as (select 1 union all select n + 1 from number where n < ${posts})
       insert into posts
         (id, slug, title, author_id, created_at, updated_at, count_0, count_1, count_2, count_3, count_4, count_5)
       select n, printf('a-post-of-some-length-%08d', n), printf('A post of some length, number %08d', n),
         1 + n % 100, ${morning} + n, ${morning} + n,
         n % 3, n % 5, n % 7, n * 7 % 11, n * 5 % 13, n * 3 % 17 from number;
       insert into post_contents (post_id, content)
       select id, replace(hex(zeroblob(250)), '0', 'x') from posts;
       insert into ratings (post_id, user_id, score, created_at, updated_at)
       select id, ${viewer}, id % 6, ${morning} + id, ${morning} + id from posts where id % 3 = 0;`,
    );
  });
  return database;
}

async function compare(
  small: Database,
  large: Database,
  sort: Sort,
  viewerId: number | undefined,
): Promise<Figure> {
  const page = async (database: Database, number: number) => {
    const cursor = await cursorOf(database, sort, number);
    return () =>
      processorSpeedOf(pagesPerRound, async () => {
        const found = await listPosts({ database }, { sort, limit: pageSize, cursor, viewerId });
        if (found?.items.length !== pageSize || !found.nextCursor)
          throw new Error("The page is not a full one.");
      });
  };
  const speeds = await inTurns(rounds, {
    "first of 100": await page(small, 1),
    "fourth of 100": await page(small, 4),
    "first of 100,000": await page(large, 1),
    "hundredth of 100,000": await page(large, 100),
  });
  const slowestFirst = Object.entries(speeds)
    .map(([name, measured]) => ({
      name,
      measured,
      time: 1 / ratioOf(measured, speeds["first of 100"]).median,
    }))
    .sort((a, b) => b.time - a.time);
  const [slowest, fastest] = [slowestFirst[0], slowestFirst.at(-1)];
  if (!slowest || !fastest) throw new Error("Nothing was measured.");
  const value: Ratio = inverseOf(ratioOf(slowest.measured, fastest.measured));
  const who = viewerId === undefined ? "visitor" : "user";
  return { name: `${sort}, ${who}: ${slowest.name} / ${fastest.name}`, value, target: { within: 1.3 } };
}

/** The cursor of a page, found by turning the pages before it. */
async function cursorOf(database: Database, sort: Sort, number: number): Promise<string | undefined> {
  let cursor: string | undefined;
  for (let turned = 1; turned < number; turned += 1)
    cursor = (await listPosts({ database }, { sort, limit: pageSize, cursor }))?.nextCursor ?? undefined;
  return cursor;
}
