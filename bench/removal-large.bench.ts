/**
 * Waits of other requests on SQLite during large removals and replays.
 * As a ratio to the same request while nothing is removed:
 *
 * - the wait of a transaction while a post with a million ratings is deleted, in one statement, as it was, and in batches
 * - the answers of `/healthz` and the ratings of another post while a million ratings are replayed
 *
 * Takes minutes, so it runs only by its name.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { openSqlite, type SqliteDatabase } from "../db/dialects/sqlite/index.ts";
import { createGuard } from "../lib/limits/guard.ts";
import { limitsFrom } from "../lib/limits/index.ts";
import { createRating } from "../lib/ratings/index.ts";
import { replayRequested } from "../lib/ratings/tally/background-replay.ts";
import { scoringDefaults } from "../lib/ratings/tally/tally.ts";
import { removeAll } from "../lib/removals/index.ts";
import { parseSettings } from "../lib/settings/env.ts";
import { addPost, addUsers, fill, inFolder, morning } from "./databases.ts";
import type { Figure } from "./table.ts";
import { waitsAgainstIdle } from "./waits.ts";

export const title = "Waits while a million ratings are removed or replayed / while nothing is";

const many = 1_000_000;
const ratersOfOther = 100_000;
const now = morning + 2 * many;

export function run(): Promise<Figure[]> {
  return inFolder((folder) => onSqlite(openSqlite(`file:${join(folder, "large.db")}`)));
}

async function onSqlite(database: SqliteDatabase): Promise<Figure[]> {
  fill(database.sqlite, () => addUsers(database.sqlite, many));
  const probe = () => database.transaction(() => database.users.active(1));
  const one = fullPost(database, "one");
  const atOnce = await waitsAgainstIdle("a post with 1,000,000 ratings, in one statement", probe, () =>
    database.transaction(() => database.posts.remove(one)),
  );
  const other = fullPost(database, "other");
  const inBatches = await waitsAgainstIdle("a post with 1,000,000 ratings, in batches", probe, async () => {
    await database.transaction(() => database.posts.markDeleted(other, now));
    await removeAll({ database, scoring: scoringDefaults }, () => now);
  });
  const figures = [...atOnce, ...inBatches, ...(await whileReplayed(database))];
  await database.close();
  return figures;
}

/** Measures `/healthz`, and ratings of another post, during a large replay. */
async function whileReplayed(database: SqliteDatabase): Promise<Figure[]> {
  const limits = limitsFrom(parseSettings({ RATING_LIMITER: "none", RATING_FLOODS: "count" }));
  const context = { database, limits, scoring: scoringDefaults, guard: createGuard({ database }) };
  const replayed = fullPost(database, "replayed");
  addPost(database.sqlite, "rated");
  let rater = 0;
  const rate = async () => {
    rater += 1;
    const user = { id: rater, username: `user-${rater}` };
    const request = { slug: "rated", user, address: "192.0.2.1", input: { score: rater % 6 }, now };
    const { kind } = await createRating(context, request);
    if (kind !== "saved") throw new Error(`The rating was not saved: ${kind}`);
    if (rater > ratersOfOther) throw new Error("There are too few users.");
  };
  // Like the route, it answers without reading any data.
  const server = createServer((_, response) => void response.end("ok\n")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port.");
  const health = async () => void (await (await fetch(`http://127.0.0.1:${address.port}/`)).text());
  const replay = async () => {
    await database.replays.request(replayed, now);
    const failed = (error: unknown) => {
      throw error;
    };
    const done = await replayRequested(database, () => now, scoringDefaults, failed);
    if (done !== 1) throw new Error("The post was not replayed.");
  };
  const figures: Figure[] = [];
  for (const [name, probe] of Object.entries({ "/healthz": health, "rating another post": rate }))
    figures.push(...(await waitsAgainstIdle(`${name}, 1,000,000 ratings replayed`, probe, replay)));
  server.close();
  server.closeAllConnections();
  return figures;
}

/** A post that all users have rated, at one moment each. */
function fullPost({ sqlite }: SqliteDatabase, slug: string): number {
  let postId = 0;
  fill(sqlite, () => {
    postId = addPost(sqlite, slug);
    sqlite.exec(`insert into ratings (post_id, user_id, score, created_at, updated_at)
      select ${postId}, id, id % 6, ${morning} + id, ${morning} + id from users`);
    const counts = [0, 1, 2, 3, 4, 5].map(
      (score) =>
        `count_${score} = (select count(*) from ratings where post_id = ${postId} and score = ${score})`,
    );
    sqlite.exec(`update posts set ${counts.join()}, settled_score = 2.5, rater_count = ${many},
      settled_at = ${morning}, first_rated_at = ${morning}, last_rater_at = ${morning} where id = ${postId}`);
  });
  return postId;
}
