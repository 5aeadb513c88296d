import { expect, test } from "vitest";
import type { Database } from "../../db/index.ts";
import { addPost, addUser, contextOf, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { integrityFaults } from "../../testing/integrity.ts";
import { seededRandom } from "../lab/seeded-random.ts";
import { createRating, withdrawRating } from "./index.ts";
import { emptyReplay, type ReplayedRating, replayOrder, withReplayed } from "./replay.ts";
import { replayRequested } from "./saved-replay.ts";
import { scores } from "./scores.ts";
import { settledAt, settlingDefaults } from "./settled-score.ts";
import { scoringDefaults } from "./tally.ts";

const second = 1_000;
const now = morning + 100_000 * second;

/** A post with this number of ratings, several at one instant, a third of them in a counted window; it waits for a replay. */
async function ratedPost(count: number) {
  const database = temporaryDatabase();
  const { sqlite } = database;
  sqlite.pragma("synchronous = OFF"); // nobody pulls the plug here
  const author = await addUser(database, "author");
  const { id, slug } = await addPost(database, author);
  const random = seededRandom(1);
  const addRater = sqlite.prepare(
    "insert into users (id, username, username_key, email, email_key, password_hash, created_at) values (?, ?, ?, ?, ?, 'none', 0)",
  );
  const addRating = sqlite.prepare("insert into ratings values (?, ?, ?, ?, ?, ?)");
  const addDay = sqlite.prepare(
    `insert into rating_days (post_id, day, count_0, count_1, count_2, count_3, count_4, count_5)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const ratings: ReplayedRating[] = [];
  const windowCounts = [0, 0, 0, 0, 0, 0];
  const counts = [0, 0, 0, 0, 0, 0];
  sqlite.transaction(() => {
    for (let index = 0; index < count; index += 1) {
      const userId = 1_000 + index;
      const at = morning + Math.floor(random() * count) * second;
      const score = scores[Math.floor(random() * 6)] ?? 0;
      const window = index % 3 === 0 ? 1 : null;
      const name = `rater-${userId}`;
      addRater.run(userId, name, name, name, name);
      addRating.run(id, userId, score, morning, at, window);
      ratings.push({ userId, at, score });
      counts[score] = (counts[score] ?? 0) + 1;
      if (window) windowCounts[score] = (windowCounts[score] ?? 0) + 1;
    }
    sqlite
      .prepare(
        `insert into flood_windows values (?, 1, ?, ?, ?, 1, 1, ?, ?, ?, ?, ?, ?, 'counted', 'person', 1)`,
      )
      .run(id, morning, morning, morning, ...windowCounts);
    sqlite
      .prepare(
        `update posts set count_0 = ?, count_1 = ?, count_2 = ?, count_3 = ?, count_4 = ?, count_5 = ?, window_count = 1,
         settled_score = 1, rater_count = 1, replay_due_at = 0 where id = ?`,
      )
      .run(...counts, id);
    addDay.run(id, Math.floor(morning / 86_400_000), ...counts);
  })();
  ratings.sort(replayOrder);
  return { database, id, slug, ratings };
}

function stateOf(ratings: readonly ReplayedRating[]) {
  const { settled, counts } = withReplayed(emptyReplay, ratings, settlingDefaults);
  return settledAt(settled, now, counts);
}

test("replays many ratings page by page to the same state as in one, to the last bit", async () => {
  const { database, id, ratings } = await ratedPost(16_000);
  expect(await replayRequested(database, () => now, scoringDefaults)).toBe(1);
  expect((await database.tallies.find(id)).settled).toEqual(stateOf(ratings));
  expect(await database.tallies.replaysRequested(1)).toEqual([]);
  expect(await integrityFaults(database)).toEqual([]);
});

/** The database, in which something happens after each page of ratings that is read outside a transaction. */
function withBetween(database: Database, between: (page: number) => Promise<void>): Database {
  let page = 0;
  let isLocked = false;
  return {
    ...database,
    ratings: {
      ...database.ratings,
      inOrder: async (...request) => {
        const ratings = await database.ratings.inOrder(...request);
        page += 1;
        if (!isLocked) await between(page);
        return ratings;
      },
    },
    transaction: (work, options) =>
      database.transaction(async () => {
        isLocked = true;
        try {
          return await work();
        } finally {
          isLocked = false;
        }
      }, options),
  };
}

test("a replay in the background takes in ratings that come meanwhile", async () => {
  const { database, id, slug, ratings } = await ratedPost(12_000);
  const context = contextOf(database);
  const newcomer = await addUser(database, "newcomer");
  const busy = withBetween(database, async (page) => {
    if (page > 1) return;
    const request = { slug, user: newcomer, address: "192.0.2.1", input: { score: 5 }, now };
    expect(await createRating(context, request)).toMatchObject({ kind: "saved" });
  });
  await replayRequested(busy, () => now, scoringDefaults);
  const all = [...ratings, { userId: newcomer.id, at: now, score: 5 as const }];
  expect((await database.tallies.find(id)).settled).toEqual(stateOf(all));
});

test("a replay in the background starts over when a rating is withdrawn, and ends however often that happens", async () => {
  const { database, id, slug, ratings } = await ratedPost(12_000);
  const gone = new Set<number>();
  const busy = withBetween(database, async (page) => {
    const userId = 1_000 + page;
    gone.add(userId);
    expect(await withdrawRating({ database }, { slug, userId, now })).toEqual({ kind: "withdrawn" });
  });
  await replayRequested(busy, () => now, scoringDefaults);
  expect(gone.size).toBeGreaterThan(5);
  const left = ratings.filter(({ userId }) => !gone.has(userId));
  expect((await database.tallies.find(id)).settled).toEqual(stateOf(left));
  expect(await integrityFaults(database)).toEqual([]);
});
