import { expect, test } from "vitest";
import { addPost, addUser, morning } from "../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl } from "../testing/database.ts";
import { userNamed } from "./contract/setting.ts";
import type { SqliteSettings } from "./dialects/sqlite/index.ts";
import { prune, startPruning } from "./pruning.ts";

const dayMs = 86_400_000;

async function databaseWith(attemptsDaysAgo: readonly number[], settings: SqliteSettings = {}) {
  const database = temporaryDatabase(temporaryDatabaseUrl(), settings);
  const { id: postId } = await addPost(database, await addUser(database, "alder"));
  await database.limiterStates.remove(["rating.post:1"]);
  database.sqlite.exec("delete from limiter_states");
  await database.transaction(async () => {
    for (const days of attemptsDaysAgo) {
      const at = morning - days * dayMs;
      const what = {
        userId: null,
        verb: "create",
        score: 1,
        policy: null,
        reason: null,
        level: null,
      } as const;
      const shadow = { policy: "p", allowed: true, reason: "{}" };
      await database.attempts.insert({ ...what, postId, at, allowed: true, held: false }, [shadow]);
    }
  });
  return database;
}

/** The rows that each transaction removed, as SQLite counts them. */
function batchesOf(database: ReturnType<typeof temporaryDatabase>) {
  const { sqlite, transaction } = database;
  const batches: number[] = [];
  const changes = () => sqlite.prepare<[], number>("select total_changes()").pluck().get() ?? 0;
  return {
    batches,
    counted: {
      ...database,
      transaction: async <T>(work: () => Promise<T>) => {
        const before = changes();
        const result = await transaction(work);
        batches.push(changes() - before);
        return result;
      },
    },
  };
}

test("removes old attempts and expired limiter states in batches, and keeps the others", async () => {
  const old = Array.from({ length: 25 }, (_, index) => 200 - index);
  const database = await databaseWith([...old, 90, 89.9, 1, 0]);
  const states = ["a", "b", "c", "d", "e"].map((key) => ({ key, state: 1, expiresAt: morning + 10 }));
  await database.limiterStates.save([...states, { key: "stays", state: 1 }], morning);
  const { batches, counted } = batchesOf(database);
  const removed = await prune(counted, morning + 100, { attemptsKeptMs: 90 * dayMs, batch: 10 });
  // The row of exactly 90 days before, and the state that expired twice as far ahead as it was saved for. Minutes are
  // kept for two days, hours as long as attempts, each for attempts and for shadows.
  expect(removed).toEqual({
    attempts: 26,
    attemptCounts: 2 * (27 + 26),
    limiterStates: 5,
    sessions: 0,
    mails: 0,
    mailLinks: 0,
    deliveries: 0,
  });
  const rows = (table: string) =>
    database.sqlite.prepare<[], number>(`select count(*) from ${table}`).pluck().get();
  expect([rows("attempts"), rows("shadow_decisions"), rows("limiter_states")]).toEqual([3, 3, 1]);
  expect([rows("attempt_counts"), rows("shadow_counts")]).toEqual([5, 5]);
  // At most ten of each kind; a shadow's decision goes with its attempt.
  expect(Math.max(...batches)).toBe(20);
});

test("limits the batches per round, and leaves the rest for the next", async () => {
  const database = await databaseWith(Array(25).fill(100));
  const settings = { attemptsKeptMs: 90 * dayMs, batch: 5, batchesAtMost: 2 };
  expect(await prune(database, morning, settings)).toMatchObject({ attempts: 10 });
  expect(await prune(database, morning, settings)).toMatchObject({ attempts: 10 });
  expect(await prune(database, morning, settings)).toMatchObject({ attempts: 5 });
  expect(await prune(database, morning, settings)).toMatchObject({ attempts: 0 });
});

test("removes old attempts also behind more than a batch with times of a clock that was ahead", async () => {
  const database = await databaseWith([...Array(12).fill(-365), 100, 99, -365, 98, 1]);
  const removed = await prune(database, morning, { attemptsKeptMs: 90 * dayMs, batch: 5 });
  expect(removed).toMatchObject({ attempts: 3 });
});

test("removes the old attempts at each of thousands of posts", async () => {
  const database = await databaseWith([]);
  const posts = "with recursive n(i) as (select 2 union all select i + 1 from n where i < 2500)";
  database.sqlite.exec(
    `${posts} insert into posts (id, slug, title, author_id, created_at, updated_at) select i, 's' || i, 't', 1, 0, 0 from n;
    ${posts} insert into attempts (post_id, at, verb, score, allowed) select i, i, 'create', 3, 1 from n where i % 500 = 0`,
  );
  const removed = await prune(database, morning, { attemptsKeptMs: 90 * dayMs, batch: 2 });
  expect(removed).toMatchObject({ attempts: 5 });
});

test("lets other writers in between two batches", async () => {
  const database = await databaseWith(Array(30).fill(100));
  const pruning = prune(database, morning, { attemptsKeptMs: 90 * dayMs, batch: 5 });
  const left = async () => (await database.attempts.times(1, 100)).length;
  const seen = new Set<number>();
  let written = 0;
  for (let length = await left(); length > 0; length = await left()) {
    seen.add(length);
    written += 1;
    await database.transaction(() => database.users.insert(userNamed(`writer-${written}`)));
  }
  await pruning;
  expect(seen.size).toBeGreaterThanOrEqual(4);
});

test("reports a failure, and retries the removal in the next round", async () => {
  const database = await databaseWith([100, 100, 0], { lockTimeoutMs: 0 });
  const other = temporaryDatabase(`file:${database.sqlite.name}`);
  other.sqlite.exec("begin immediate");
  const reported: unknown[] = [];
  const stop = startPruning(database, { attemptsKeptMs: 90 * dayMs }, (error) => void reported.push(error), {
    everyMs: 5,
    clock: () => morning,
  });
  await expect.poll(() => reported.length).toBeGreaterThan(1);
  expect((await database.attempts.times(1, 10)).length).toBe(3);
  other.sqlite.exec("rollback");
  await expect.poll(async () => (await database.attempts.times(1, 10)).length).toBe(1);
  await stop();
});

test("keeps attempts forever without a time, and still removes limiter states", async () => {
  const database = await databaseWith([5_000]);
  await database.limiterStates.save([{ key: "a", state: 1, expiresAt: morning + 10 }], morning);
  expect(await prune(database, morning + 100, {})).toEqual({
    attempts: 0,
    attemptCounts: 2,
    limiterStates: 1,
    sessions: 0,
    mails: 0,
    mailLinks: 0,
    deliveries: 0,
  });
});
