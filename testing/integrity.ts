/**
 * The invariants of any database at any time, crashed or not.
 * For tests that kill a process and check the database afterwards.
 */

import { blogFaults } from "../db/dialects/sqlite/check.ts";
import type { SqliteDatabase } from "../db/dialects/sqlite/index.ts";
import type { Database } from "../db/index.ts";

/** A rating as it was sent. */
export interface SentRating {
  slug: string;
  userId: number;
  score: number;
}

/** Every fault found, each a line; none in a sound database. */
export function integrityFaults(database: SqliteDatabase): Promise<string[]> {
  return blogFaults(database.sqlite);
}

/**
 * The acknowledged ratings that the database does not have, each a line.
 * Of a user's ratings of one post, the last counts. When a later one was sent and never answered, either may be saved.
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
