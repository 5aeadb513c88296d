/**
 * What must hold of any database at any time, crashed or not; for tests that kill a process and look at what it
 * left behind.
 */
import type { Database } from "../db/index.ts";
import { type Counts, countsFrom } from "../db/queries/counts.ts";

/** A rating as it was sent. */
export interface SentRating {
  slug: string;
  userId: number;
  score: number;
}

/** Every fault found, each a line; none in a sound database. */
export function integrityFaults(database: Database): string[] {
  const { sqlite } = database;
  const check = sqlite.prepare<[], string>("pragma integrity_check").pluck().all();
  const dangling = sqlite.prepare<[], unknown>("pragma foreign_key_check").all();
  return [
    ...check.filter((line) => line !== "ok").map((line) => `integrity_check: ${line}`),
    ...dangling.map((row) => `foreign_key_check: ${JSON.stringify(row)}`),
    ...countersThatDisagree(database),
  ];
}

/** The posts, flood windows and days whose six counters are not what a scan of the ratings finds, each a line. */
export function countersThatDisagree(database: Database): string[] {
  const slugs = database.sqlite.prepare<[], string>("select slug from posts order by id").pluck().all();
  return slugs.flatMap((slug) => {
    const post = database.posts.bySlug(slug);
    if (!post) return [`post ${slug} cannot be read`];
    const recount = database.ratings.recount(post.id);
    return [
      ...disagreement(`post ${slug}`, post.counts, recount),
      ...database.floodWindows
        .all(post.id)
        .flatMap(({ number, counts }) =>
          disagreement(
            `window ${number} of ${slug}`,
            counts,
            database.ratings.recountWindow(post.id, number),
          ),
        ),
      ...disagreement(`days of ${slug}`, sumOfDays(database, post.id), allRatings(database, post.id)),
    ];
  });
}

function disagreement(what: string, counts: Counts, recount: Counts): string[] {
  return counts.join() === recount.join()
    ? []
    : [`${what} counts ${counts.join()}, a recount finds ${recount.join()}`];
}

function sumOfDays(database: Database, postId: number): Counts {
  const days = database.ratings.days(postId);
  return countsFrom((score) => days.reduce((sum, { counts }) => sum + counts[score], 0));
}

function allRatings({ sqlite }: Database, postId: number): Counts {
  const count = sqlite
    .prepare<[number, number], number>("select count(*) from ratings where post_id = ? and score = ?")
    .pluck();
  return countsFrom((score) => count.get(postId, score) ?? 0);
}

/**
 * The acknowledged ratings that the database does not have, each a line. Of several for one post by one user the
 * last counts; where a later one was sent and never answered, either may be there.
 */
export function lostRatings(
  database: Database,
  acknowledged: readonly SentRating[],
  unanswered: readonly SentRating[] = [],
): string[] {
  const last = new Map(acknowledged.map((rating) => [`${rating.slug} ${rating.userId}`, rating]));
  return [...last.values()].flatMap(({ slug, userId, score }) => {
    const post = database.posts.idOf(slug);
    const saved = post && database.ratings.find(post.id, userId)?.score;
    const possible = [
      score,
      ...unanswered.filter((sent) => sent.slug === slug && sent.userId === userId).map((sent) => sent.score),
    ];
    return saved !== undefined && possible.includes(saved)
      ? []
      : [`user ${userId} gave ${slug} ${possible.join(" or ")}, the database has ${saved}`];
  });
}
