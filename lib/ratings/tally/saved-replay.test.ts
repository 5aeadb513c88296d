import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Database } from "../../../db/index.ts";
import { runChild } from "../../../testing/child-process.ts";
import { addPost, addUser, contextOf, morning } from "../../../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl } from "../../../testing/database.ts";
import { integrityFaults } from "../../../testing/integrity.ts";
import { changeSelected, moveSomeRatings } from "../../account-changes/index.ts";
import { seededRandom } from "../../random/seeded-random.ts";
import { removeAll } from "../../removals/index.ts";
import { createRating, withdrawRating } from "../index.ts";
import { emptyReplay, type ReplayedRating, replayOrder, withReplayed } from "../score/replay.ts";
import { scores } from "../score/score.ts";
import { settledAt, settlingDefaults } from "../score/settled-score.ts";
import { replayRequested } from "./background-replay.ts";
import { ratingsPerTransaction } from "./saved-replay.ts";
import { scoringDefaults } from "./tally.ts";

const second = 1_000;
const now = morning + 100_000 * second;

/**
 * A post with this number of ratings that waits for a replay.
 * Several are at one instant, and a third of them is in a counted window.
 */
async function ratedPost(count: number, url = temporaryDatabaseUrl()) {
  const database = temporaryDatabase(url);
  const { sqlite } = database;
  sqlite.pragma("synchronous = OFF"); // no test here cuts the power
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

function fail(error: unknown): never {
  throw error;
}

const replay = (database: Database) => replayRequested(database, () => now, scoringDefaults, fail);

test("replays many ratings page by page to the same state as in one, to the last bit", async () => {
  const { database, id, ratings } = await ratedPost(11_000);
  expect(await replay(database)).toBe(1);
  expect((await database.tallies.find(id)).settled).toEqual(stateOf(ratings));
  expect(await database.replays.waiting(1)).toEqual([]);
  expect(await integrityFaults(database)).toEqual([]);
});

test("reports a post that fails, and replays the others", async () => {
  const { database, id } = await ratedPost(20);
  const author = await addUser(database, "another author");
  const broken = await addPost(database, author, { title: "Broken" });
  await database.replays.request(broken.id, -1);
  database.sqlite.exec(
    `create temp trigger fails before update on posts when old.id = ${broken.id} begin select raise(abort, 'broken'); end`,
  );
  const reported: unknown[] = [];
  expect(
    await replayRequested(
      database,
      () => now,
      scoringDefaults,
      (error) => reported.push(error),
    ),
  ).toBe(1);
  expect(reported).toMatchObject([{ message: "broken" }]);
  expect((await database.replays.waiting(9)).map(({ postId }) => postId)).toEqual([broken.id]);
  expect((await database.tallies.find(id)).settled.raters).toBe(20);
});

test("claims the next of many posts without naming those that were replayed", async () => {
  const { database } = await ratedPost(20);
  const author = await addUser(database, "another author");
  for (let number = 1; number <= 5; number += 1) {
    const { id } = await addPost(database, author);
    await database.replays.request(id, number);
  }
  const excludedCounts: number[] = [];
  const claim: Database["replays"]["claim"] = (name, leaseMs, excluded = []) => {
    excludedCounts.push(excluded.length);
    return database.replays.claim(name, leaseMs, excluded);
  };
  expect(await replay({ ...database, replays: { ...database.replays, claim } })).toBe(6);
  expect(excludedCounts).toEqual([0, 0, 0, 0, 0, 0, 0]);
});

test("a claim that lies in the future, because the clock was set back, does not last until then", async () => {
  const { database, id } = await ratedPost(20);
  expect(await database.replays.claim("a process of before", 60_000)).toMatchObject({ postId: id });
  expect(await replay(database)).toBe(0);
  database.sqlite.exec("update replay_claims set seen_at = seen_at + 86400000");
  expect(await replay(database)).toBe(1);
});

describe("a replay of more ratings than one transaction takes", () => {
  const many = ratingsPerTransaction + 2_000;

  /**
   * The database, with an action after each page of ratings read.
   * Only for pages that are read outside a transaction.
   */
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

  test("is left to the process that has begun it; after kill -9 another one begins it anew", async () => {
    const url = temporaryDatabaseUrl();
    const { database, id, ratings } = await ratedPost(many, url);
    const other = await addPost(database, await addUser(database, "another author"), { title: "Other" });
    await database.replays.request(other.id, now);
    const holding = runChild(join(import.meta.dirname, "../../../testing/replaying-child.ts"), [url]);
    onTestFinished(() => holding.kill("SIGKILL"));
    await holding.printed(1);
    // The other post only.
    expect(await replay(database)).toBe(1);
    expect(await database.replays.waiting(9)).toEqual([{ postId: id, at: 0 }]);
    holding.kill("SIGKILL");
    await holding.ended;
    await expect
      .poll(() => replayRequested(database, () => now, scoringDefaults, fail, { leaseMs: 1 }))
      .toBe(1);
    expect((await database.tallies.find(id)).settled).toEqual(stateOf(ratings));
    expect(await integrityFaults(database)).toEqual([]);
  });

  test("is not put in place by a process that has lost its claim", async () => {
    const { database, id } = await ratedPost(many);
    const before = await database.tallies.find(id);
    const busy = withBetween(database, async (page) => {
      if (page === 1) await database.replays.claim("another process", -1);
    });
    expect(await replay(busy)).toBe(0);
    expect(await database.tallies.find(id)).toEqual(before);
    expect(await database.replays.waiting(9)).toEqual([{ postId: id, at: 0 }]);
  });

  test("ends without a failure when its post is deleted meanwhile, or removed altogether", async () => {
    for (const remove of [
      async () => {},
      (database: Database) => removeAll({ database, scoring: scoringDefaults }, () => now, { pauseMs: 0 }),
    ]) {
      const { database, id } = await ratedPost(many);
      const busy = withBetween(database, async (page) => {
        if (page > 1) return;
        await database.transaction(() => database.posts.markDeleted(id, now));
        await remove(database);
      });
      expect(await replay(busy)).toBe(0);
      expect(await database.replays.waiting(9)).toEqual([]);
      await removeAll({ database, scoring: scoringDefaults }, () => now, { pauseMs: 0 });
      expect(await integrityFaults(database)).toEqual([]);
    }
  });

  test("stops when its process ends, and leaves the post to others", async () => {
    const { database, id } = await ratedPost(many);
    let isStopping = false;
    const busy = withBetween(database, async (page) => {
      isStopping ||= page === 2;
    });
    const options = { isStopping: () => isStopping };
    expect(await replayRequested(busy, () => now, scoringDefaults, fail, options)).toBe(0);
    expect(await replay(database)).toBe(1);
    expect((await database.tallies.find(id)).settled.raters).toBe(many);
  });

  test("ends as if nothing had happened when accounts are disabled and enabled meanwhile", async () => {
    const { database, id, ratings } = await ratedPost(many);
    const usernames = ratings.slice(0, 60).map(({ userId }) => `rater-${userId}`);
    const change = async (disabled: boolean) => {
      const outcome = await changeSelected(
        { database },
        { actor: null, input: { usernames, disabled }, now },
      );
      expect(outcome).toMatchObject({ kind: "done", ratings: 60, posts: 1 });
      while (await moveSomeRatings({ database, scoring: scoringDefaults }, now));
    };
    const busy = withBetween(database, async (page) => {
      if (page === 1) await change(true);
      if (page === 5) await change(false);
    });
    while ((await database.replays.waiting(1)).length > 0) await replay(busy);
    expect((await database.tallies.find(id)).settled).toEqual(stateOf(ratings));
    expect(await integrityFaults(database)).toEqual([]);
  });

  test("takes in ratings that come meanwhile, and leaves a new request for the next", async () => {
    const { database, id, slug, ratings } = await ratedPost(many);
    const context = contextOf(database);
    const newcomer = await addUser(database, "newcomer");
    const busy = withBetween(database, async (page) => {
      if (page > 1) return;
      const request = { slug, user: newcomer, address: "192.0.2.1", input: { score: 5 }, now };
      expect(await createRating(context, request)).toMatchObject({ kind: "saved" });
      await database.replays.request(id, now);
    });
    expect(await replay(busy)).toBe(1);
    const all = [...ratings, { userId: newcomer.id, at: now, score: 5 as const }];
    expect((await database.tallies.find(id)).settled).toEqual(stateOf(all));
    expect(await database.replays.waiting(9)).toEqual([{ postId: id, at: now }]);
  });

  test("starts over when more ratings are withdrawn meanwhile than matter little", async () => {
    const { database, id, slug, ratings } = await ratedPost(many);
    const gone = new Set<number>();
    const busy = withBetween(database, async (page) => {
      if (page > 6) return;
      for (let index = 0; index < 10; index += 1) {
        // The earliest, which the first page has.
        const { userId } = ratings[gone.size] ?? { userId: 0 };
        gone.add(userId);
        expect(await withdrawRating({ database, scoring: scoringDefaults }, { slug, userId, now })).toEqual({
          kind: "withdrawn",
        });
      }
    });
    expect(await replay(busy)).toBe(1);
    const left = ratings.filter(({ userId }) => !gone.has(userId));
    expect((await database.tallies.find(id)).settled).toEqual(stateOf(left));
    expect(await integrityFaults(database)).toEqual([]);
  });

  test("ends although a rating is withdrawn now and then, which only moves the mean", async () => {
    const { database, id, slug, ratings } = await ratedPost(many);
    let withdrawn = 0;
    const busy = withBetween(database, async () => {
      const { userId } = ratings[withdrawn] ?? { userId: 0 };
      withdrawn += 1;
      expect(await withdrawRating({ database, scoring: scoringDefaults }, { slug, userId, now })).toEqual({
        kind: "withdrawn",
      });
    });
    expect(await replay(busy)).toBe(1);
    const { settled, counts } = await database.tallies.find(id);
    expect(counts.reduce((sum, some) => sum + some)).toBe(many - withdrawn);
    expect(Math.abs((settled.score ?? 9) - (stateOf(ratings).score ?? 0))).toBeLessThan(0.01);
  });
});
