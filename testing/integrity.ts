/**
 * What must hold of any database at any time, crashed or not; for tests that kill a process and look at what it
 * left behind.
 */

import { type Counts, countsFrom } from "../db/counts.ts";
import type { Database } from "../db/index.ts";
import type { SqliteDatabase } from "../db/sqlite/index.ts";

/** A rating as it was sent. */
export interface SentRating {
  slug: string;
  userId: number;
  score: number;
}

/** Every fault found, each a line; none in a sound database. */
export async function integrityFaults(database: SqliteDatabase): Promise<string[]> {
  const { sqlite } = database;
  const check = sqlite.prepare<[], string>("pragma integrity_check").pluck().all();
  const dangling = sqlite.prepare<[], unknown>("pragma foreign_key_check").all();
  return [
    ...check.filter((line) => line !== "ok").map((line) => `integrity_check: ${line}`),
    ...dangling.map((row) => `foreign_key_check: ${JSON.stringify(row)}`),
    ...(await countersThatDisagree(database)),
  ];
}

/** The posts, flood windows and days whose six counters are not what a scan of the ratings finds, each a line. */
export async function countersThatDisagree(database: SqliteDatabase): Promise<string[]> {
  const slugs = database.sqlite.prepare<[], string>("select slug from posts order by id").pluck().all();
  const faults: string[] = [];
  for (const slug of slugs) {
    const post = await database.posts.bySlug(slug);
    if (!post) {
      faults.push(`post ${slug} cannot be read`);
      continue;
    }
    faults.push(...disagreement(`post ${slug}`, post.counts, await database.ratings.recount(post.id)));
    for (const { number, counts } of await database.floodWindows.all(post.id)) {
      const recount = await database.ratings.recountWindow(post.id, number);
      faults.push(...disagreement(`window ${number} of ${slug}`, counts, recount));
    }
    const days = await sumOfDays(database, post.id);
    faults.push(...disagreement(`days of ${slug}`, days, allRatings(database, post.id)));
  }
  return faults;
}

function disagreement(what: string, counts: Counts, recount: Counts): string[] {
  return counts.join() === recount.join()
    ? []
    : [`${what} counts ${counts.join()}, a recount finds ${recount.join()}`];
}

async function sumOfDays(database: Database, postId: number): Promise<Counts> {
  const days = await database.ratings.days(postId);
  return countsFrom((score) => days.reduce((sum, { counts }) => sum + counts[score], 0));
}

function allRatings({ sqlite }: SqliteDatabase, postId: number): Counts {
  const count = sqlite
    .prepare<[number, number], number>("select count(*) from ratings where post_id = ? and score = ?")
    .pluck();
  return countsFrom((score) => count.get(postId, score) ?? 0);
}

/**
 * The acknowledged ratings that the database does not have, each a line. Of several for one post by one user the
 * last counts; where a later one was sent and never answered, either may be there.
 */
export async function lostRatings(
  database: Database,
  acknowledged: readonly SentRating[],
  unanswered: readonly SentRating[] = [],
): Promise<string[]> {
  const last = new Map(acknowledged.map((rating) => [`${rating.slug} ${rating.userId}`, rating]));
  const lost: string[] = [];
  for (const { slug, userId, score } of last.values()) {
    const post = await database.posts.idOf(slug);
    const saved = post && (await database.ratings.find(post.id, userId))?.score;
    const possible = [
      score,
      ...unanswered.filter((sent) => sent.slug === slug && sent.userId === userId).map((sent) => sent.score),
    ];
    if (saved === undefined || !possible.includes(saved))
      lost.push(`user ${userId} gave ${slug} ${possible.join(" or ")}, the database has ${saved}`);
  }
  return lost;
}
