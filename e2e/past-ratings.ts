/**
 * Ratings that a post had before a test begins.
 * They are saved in a server's database as the app would have saved them days ago.
 */
import { openSqlite } from "../db/dialects/sqlite/index.ts";
import { type Database, isPostgresUrl, openDatabase } from "../db/index.ts";
import { createRating } from "../lib/ratings/index.ts";
import { addUser, contextOf, limitsWith } from "../testing/content.ts";
import { newName } from "./people.ts";
import type { Server } from "./server.ts";

export interface PastRatings {
  /** One of each, over and over. */
  scores: readonly number[];
  count: number;
  /** How long ago the first one came, and how long after it each next one. */
  agoMs: number;
  everyMs: number;
}

/**
 * Gives a post these ratings, in order, each by a new user, with floods held.
 * Resolves to the id of the last one's user.
 */
export async function ratePast(
  server: Pick<Server, "databaseUrl">,
  slug: string,
  past: readonly PastRatings[],
): Promise<number> {
  const database = await openQuickly(server.databaseUrl);
  try {
    const context = contextOf(database, limitsWith({ RATING_OVERFLOW: "hold" }));
    const begin = Date.now();
    let userId = 0;
    for (const { scores, count, agoMs, everyMs } of past)
      for (let index = 0; index < count; index += 1) {
        const user = await addUser(database, newName("past"));
        userId = user.id;
        const outcome = await createRating(context, {
          slug,
          user,
          address: "192.0.2.1",
          input: { score: scores[index % scores.length] },
          now: begin - agoMs + index * everyMs,
        });
        if (outcome.kind !== "saved" && outcome.kind !== "held")
          throw new Error(`A rating of the past was ${outcome.kind}.`);
      }
    return userId;
  } finally {
    await database.close();
  }
}

async function openQuickly(url: string): Promise<Database> {
  if (isPostgresUrl(url)) return openDatabase(url);
  const database = openSqlite(url);
  // The tests do not concern power cuts, and waiting for the disk is slow.
  database.sqlite.pragma("synchronous = OFF");
  return database;
}
