/**
 * How long another request waits while a post with many ratings is deleted.
 *
 * In one statement with its cascades, as earlier, and marked and removed in batches. Each as a ratio to the same
 * request's wait while nothing is deleted. SQLite, one process.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openSqlite, type SqliteDatabase } from "../db/dialects/sqlite/index.ts";
import { scoringDefaults } from "../lib/ratings/tally/tally.ts";
import { removeAll } from "../lib/removals/index.ts";
import { addPost, addUsers, inFolder, morning } from "./databases.ts";
import type { Figure } from "./table.ts";

export const title =
  "The longest wait of a request while a post with 200,000 ratings is deleted / while none is";

const ratings = 200_000;
const everyMs = 5;

export function run(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const database = openSqlite(`file:${join(folder, "removal.db")}`);
    addUsers(database.sqlite, ratings);
    const idle = await longestWait(database, () => sleep(2_000));
    const atOnce = await longestWait(database, async (postId) => {
      await database.transaction(() => database.posts.remove(postId));
    });
    const inBatches = await longestWait(database, async (postId) => {
      await database.transaction(() => database.posts.markDeleted(postId, morning));
      await removeAll({ database, scoring: scoringDefaults }, () => morning);
    });
    await database.close();
    return [
      { name: "deleted in one statement", value: atOnce / idle },
      { name: "marked, and removed in batches", value: inBatches / idle },
      { name: "one statement / batches", value: atOnce / inBatches },
    ];
  });
}

/**
 * The longest time from when a request was due to its answer, during `work`.
 * In milliseconds, on a full post.
 */
async function longestWait(
  database: SqliteDatabase,
  work: (postId: number) => Promise<unknown>,
): Promise<number> {
  const postId = fullPost(database);
  let isOver = false;
  let longest = 0;
  const probing = (async () => {
    for (let due = performance.now(); !isOver; due = Math.max(due + everyMs, performance.now())) {
      await sleep(Math.max(0, due - performance.now()));
      await database.transaction(() => database.users.active(1));
      longest = Math.max(longest, performance.now() - due);
    }
  })();
  await work(postId);
  isOver = true;
  await probing;
  return longest;
}

function fullPost({ sqlite }: SqliteDatabase): number {
  const postId = addPost(sqlite, `full-${crypto.randomUUID()}`);
  sqlite.exec(`insert into ratings (post_id, user_id, score, created_at, updated_at)
    select ${postId}, id, id % 6, ${morning} + id, ${morning} + id from users`);
  return postId;
}
