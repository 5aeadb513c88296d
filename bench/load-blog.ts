/** The blog under load: an ordinary one, with accounts that have not rated yet. */
import { z } from "zod";
import { openSqlite } from "../db/dialects/sqlite/index.ts";
import { sessionCookie } from "../testing/session-cookie.ts";
import { addUsers, fill } from "./databases.ts";
import { fillBlog } from "./ordinary-blog.ts";

export interface LoadedBlog {
  slugs: string[];
  /** The post that is flooded. */
  hotPost: string;
  /** Cookies of sessions. */
  readers: string[];
  raters: string[];
  flooders: string[];
}

/** Accounts of the ordinary blog, all of whom have rated every post. */
const earlier = 100;
const readers = 20;
const raters = 100;
const sessionsAtOnce = 200;

const scoreAnswer = z.object({ average: z.number(), settled: z.number(), count: z.number() });

/** Fills a new database at this address. */
export async function addAccounts(url: string, secret: string, flooders: number): Promise<LoadedBlog> {
  await fillBlog(url);
  const database = openSqlite(url);
  const { sqlite } = database;
  const accounts = earlier + readers + raters + flooders;
  fill(sqlite, () => {
    addUsers(sqlite, accounts, earlier + 1);
    // A popular post; and all posts' ratings were given long ago, so their scores have settled on the average.
    sqlite.exec(`update ratings set score = 4 + user_id % 2 where post_id = 1;
      update posts set count_0 = 0, count_1 = 0, count_2 = 0, count_3 = 0, count_4 = ${earlier / 2}, count_5 = ${earlier / 2}
      where id = 1`);
    sqlite.exec(`update posts set settled_at = created_at, settled_score =
      (select avg(score) from ratings where post_id = posts.id)`);
  });
  const slugs = z
    .array(z.object({ slug: z.string() }))
    .parse(sqlite.prepare("select slug from posts order by id").all())
    .map(({ slug }) => slug);
  const [hotPost = ""] = slugs;
  const cookies: string[] = [];
  for (let id = earlier + 1; id <= accounts; id += sessionsAtOnce) {
    const ids = Array.from({ length: Math.min(sessionsAtOnce, accounts - id + 1) }, (_, index) => id + index);
    cookies.push(...(await Promise.all(ids.map((each) => sessionCookie(database, secret, each)))));
  }
  await database.close();
  return {
    slugs,
    hotPost,
    readers: cookies.slice(0, readers),
    raters: cookies.slice(readers, readers + raters),
    flooders: cookies.slice(readers + raters),
  };
}

/** How many ratings there are of accounts that had none before the load. */
export function ratingsOf(url: string): number {
  const database = openSqlite(url);
  try {
    const row = database.sqlite
      .prepare("select count(*) as count from ratings where user_id > ?")
      .get(earlier);
    return z.object({ count: z.number() }).parse(row).count;
  } finally {
    void database.close();
  }
}

export async function scoreOf(origin: string, slug: string): Promise<z.infer<typeof scoreAnswer>> {
  return scoreAnswer.parse(await (await fetch(`${origin}/api/posts/${slug}/score`)).json());
}
