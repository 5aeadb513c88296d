/**
 * What must hold of any database at any time, crashed or not.
 * For tests that kill a process and look at what it left behind.
 */

import { type Counts, countsFrom } from "../db/counts.ts";
import type { SqliteDatabase } from "../db/dialects/sqlite/index.ts";
import type { Database } from "../db/index.ts";

/** A rating as it was sent. */
export interface SentRating {
  slug: string;
  userId: number;
  score: number;
}

/** More than any test makes. */
const postsMaximum = 100_000;

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
export async function countersThatDisagree(database: Database): Promise<string[]> {
  const faults: string[] = [];
  for (const { slug } of await database.posts.recent(postsMaximum)) {
    const post = await database.posts.bySlug(slug);
    if (!post) {
      faults.push(`post ${slug} cannot be read`);
      continue;
    }
    faults.push(...disagreement(`post ${slug}`, post.counts, await database.ratings.recount(post.id)));
    const recounts = [await database.ratings.recount(post.id)];
    for (const { number, counts, status } of await database.floodWindows.all(post.id)) {
      const recount = await database.ratings.recountWindow(post.id, number);
      faults.push(...disagreement(`window ${number} of ${slug}`, counts, recount));
      if (status !== "counted") recounts.push(recount);
    }
    const days = await database.ratings.days(post.id);
    const all = sum(days.map(({ counts }) => counts));
    faults.push(...disagreement(`days of ${slug}`, all, sum(recounts)));
  }
  return faults;
}

function disagreement(what: string, counts: Counts, recount: Counts): string[] {
  return counts.join() === recount.join()
    ? []
    : [`${what} counts ${counts.join()}, a recount finds ${recount.join()}`];
}

function sum(all: readonly Counts[]): Counts {
  return countsFrom((score) => all.reduce((sum, counts) => sum + counts[score], 0));
}

/**
 * The acknowledged ratings that the database does not have, each a line.
 * Of several for one post by one user the last counts; where a later one was sent and never answered, either may be
 * there.
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
