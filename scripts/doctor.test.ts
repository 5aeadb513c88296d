import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { backUp } from "../db/backup.ts";
import { databaseFile, openDatabase } from "../db/index.ts";
import { changeByHand } from "../testing/blog.ts";
import { jsonOf, runCommand } from "../testing/command.ts";
import { addPost, addUser } from "../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl, temporaryFolder } from "../testing/database.ts";
import { type PostgresServer, startPostgres } from "../testing/postgres-server.ts";
import { startRedis } from "../testing/redis-server.ts";
import { packageCheck } from "./doctor/surroundings.ts";

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres({ settings: { synchronous_commit: "off" } });
});
afterAll(() => postgres.stop());

/** What the doctor says of a blog, by what was looked at, with how many faults and warnings there are. */
async function examine(env: Record<string, string>) {
  const ended = await runCommand("doctor", ["--json"], { env });
  const { ok, faults, warnings, checks } = jsonOf(ended);
  expect(ended.code).toBe(ok === true ? 0 : 1);
  if (!Array.isArray(checks)) throw new Error("There are no checks.");
  const found = new Map<string, string>(checks.map(({ name, status, says }) => [name, `${status}: ${says}`]));
  return { faults, warnings, found };
}

/** The address of a blog with a post and two attempts, as the app leaves it. */
async function blog(): Promise<string> {
  const url = temporaryDatabaseUrl();
  const database = temporaryDatabase(url);
  const { id: postId } = await addPost(database, await addUser(database, "alder"), { now: Date.now() });
  const attempt = { verb: "create", score: 1, allowed: true, held: false, policy: null } as const;
  for (const at of [Date.now() - 1_000, Date.now()])
    await database.attempts.insert({ ...attempt, postId, userId: null, at, reason: null, level: null });
  return url;
}

test("A blog in good order has no faults, and its doctor changes nothing", async () => {
  const url = await blog();
  const { faults, warnings, found } = await examine({ DATABASE_URL: url });
  expect([faults, warnings]).toEqual([0, 0]);
  expect([...found.keys()]).toEqual([
    "settings",
    "node",
    "packages",
    "database",
    "migrations",
    "journal_mode",
    "synchronous",
    "foreign_keys",
    "integrity",
    "references",
    "counters",
    "old limiter states",
    "old attempts",
    "disk",
  ]);
  const { output, code } = await runCommand("doctor", [], { env: { DATABASE_URL: url } });
  expect(code).toBe(0);
  expect(output).toMatch(/^ok {7}settings: All are good\.\n.*\nFaults: 0\. Warnings: 0\.\n$/s);
});

test.each([
  ["a counter", "update posts set count_2 = 1", "counters", "fault: post 1: 0,0,1,0,0,0 too many"],
  [
    "a day's counter",
    "insert into rating_days (post_id, day, count_5) values (1, 20000, 2)",
    "counters",
    "fault: day 1, 20000: 0,0,0,0,0,2 too many",
  ],
  [
    "a window's counter",
    "insert into flood_windows (post_id, number, opened_at, last_at, usual_gap_ms, recent_gap_ms, status, decisions, count_0) values (1, 1, 0, 0, 1, 1, 'held', 0, 3)",
    "counters",
    "fault: window 1, 1: 3,0,0,0,0,0 too many",
  ],
  [
    "a rating that no counter has",
    "insert into ratings values (1, 1, 4, 0, 0, null)",
    "counters",
    "fault: post 1: 0,0,0,0,-1,0 too many",
  ],
  [
    "a reference to nothing",
    "pragma foreign_keys = off; insert into post_contents values (99, 'x')",
    "references",
    "fault: post_contents 99 refers to posts",
  ],
  [
    "a migration that is pending",
    "delete from __drizzle_migrations where id = (select max(id) from __drizzle_migrations)",
    "migrations",
    "warning: 1 to be applied",
  ],
  [
    "a database of a later version",
    "insert into __drizzle_migrations (hash, created_at) values ('x', 9e15)",
    "migrations",
    "fault: The database is of a later version",
  ],
  [
    "a limiter state that expired long ago",
    "insert into limiter_states values ('x', '[]', 1)",
    "old limiter states",
    "warning: 1 to be removed",
  ],
  [
    "an attempt of long ago",
    "update attempts set at = 1 where id = 1",
    "old attempts",
    "warning: 1 to be removed",
  ],
  [
    "another journal mode",
    "pragma journal_mode = delete",
    "journal_mode",
    "warning: It is delete and should be wal",
  ],
])("%s is found", async (_what, sql, name, said) => {
  const url = await blog();
  // Nothing else has it open, or it could not leave its journal.
  await backUp(url, `${databaseFile(url)}.copy`);
  const copy = `${url}.copy`;
  await changeByHand(copy, sql);
  const { faults, warnings, found } = await examine({ DATABASE_URL: copy });
  expect(found.get(name)).toContain(said);
  expect([faults, warnings]).toEqual(said.startsWith("fault") ? [1, 0] : [0, 1]);
  // Looking has not mended it.
  expect((await examine({ DATABASE_URL: copy })).found.get(name)).toContain(said);
});

test("Ratings in a window that counts are in the post's counters, and those in one that does not are not", async () => {
  const url = await blog();
  const window = (number: number, status: string, counter: string) =>
    `insert into flood_windows (post_id, number, opened_at, last_at, usual_gap_ms, recent_gap_ms, status, decisions, ${counter}) values (1, ${number}, 0, 0, 1, 1, '${status}', 0, 1)`;
  const user = (id: number) =>
    `insert into users (id, username, username_key, email, email_key, password_hash, created_at) values (${id}, 'u${id}', 'u${id}', 'e${id}', 'e${id}', 'x', 0)`;
  await changeByHand(
    url,
    [
      ...[11, 12, 13].map(user),
      window(1, "counted", "count_5"),
      window(2, "held", "count_0"),
      window(3, "excluded", "count_1"),
      "insert into ratings values (1, 11, 5, 0, 0, 1), (1, 12, 0, 0, 0, 2), (1, 13, 1, 0, 0, 3)",
      "insert into rating_days (post_id, day, count_0, count_1, count_5) values (1, 0, 1, 1, 1)",
      "update posts set count_5 = 1 where id = 1",
    ].join(";"),
  );
  expect((await examine({ DATABASE_URL: url })).found.get("counters")).toBe("ok: Nothing is wrong.");
});

test("A damaged file is found", async () => {
  const url = await blog();
  await backUp(url, `${databaseFile(url)}.copy`);
  const copy = openSync(`${databaseFile(url)}.copy`, "r+");
  writeSync(copy, Buffer.alloc(4_096, 7), 0, 4_096, 4 * 4_096);
  closeSync(copy);
  const { faults, found } = await examine({ DATABASE_URL: `${url}.copy` });
  expect(faults).toBeGreaterThan(0);
  expect(found.get("integrity")).toMatch(/^fault: .*npm run restore/);
});

test("Settings that are no good are named, all of them", async () => {
  const { faults, found } = await examine({ PORT: "http", LOG_LEVEL: "loud" });
  expect(faults).toBe(1);
  expect(found.get("settings")).toMatch(/^fault: PORT: .*; LOG_LEVEL: /);
  expect((await examine({ LIMITS: '{"rating.pots": {"mode": "off"}}' })).found.get("settings")).toContain(
    "LIMITS",
  );
});

test("A database that is not there, or none, is a fault that says what to do", async () => {
  const url = temporaryDatabaseUrl();
  expect((await examine({ DATABASE_URL: url })).found.get("database")).toMatch(
    /^fault: .*npm start makes it/,
  );
  writeFileSync(databaseFile(url), "something else, and long enough to be looked at");
  expect((await examine({ DATABASE_URL: url })).found.get("database")).toContain(
    "cannot be read as a database",
  );
  expect(
    (await examine({ DATABASE_URL: "postgres://weir:hush@127.0.0.1:1/weir" })).found.get("database"),
  ).toMatch(/^fault: PostgreSQL is out of reach/);
});

test("PostgreSQL is looked at as well, how it is set up and its counters", async () => {
  const url = await postgres.newDatabase();
  const database = await openDatabase(url);
  const { id } = await addPost(database, await addUser(database, "alder"), { now: Date.now() });
  await database.tallies.save(id, { ...(await database.tallies.find(id)), counts: [0, 0, 0, 0, 0, 9] });
  await database.close();
  const { faults, warnings, found } = await examine({ DATABASE_URL: url });
  expect([faults, warnings]).toEqual([1, 1]);
  expect(found.get("database")).toMatch(/^ok: PostgreSQL \d+/);
  expect(found.get("synchronous_commit")).toMatch(/^warning: It is off/);
  expect(found.get("counters")).toContain("post 1: 0,0,0,0,0,9 too many");
});

test("Redis is asked where it is used, and nothing tells its password", async () => {
  const redis = await startRedis({ password: "hush" });
  const DATABASE_URL = await blog();
  try {
    const env = { DATABASE_URL, LIMITER_STORE: "redis" };
    const REDIS_URL = redis.url.replace("//", "//:hush@");
    expect((await examine({ ...env, REDIS_URL })).found.get("redis")).toBe("ok: It answers.");
    const wrong = await runCommand("doctor", [], {
      env: { ...env, REDIS_URL: redis.url.replace("//", "//:silence@") },
    });
    expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining("FAULT    redis: ")]);
    expect(wrong.output + wrong.errors).not.toMatch(/silence|hush/);
    redis.pause();
    expect((await examine({ ...env, REDIS_URL })).found.get("redis")).toContain(
      "fault: It cannot be reached",
    );
  } finally {
    await redis.stop();
  }
});

test("A package of another version than package.json's is found", () => {
  const folder = temporaryFolder();
  writeFileSync(`${folder}/package.json`, '{"dependencies": {"next": "16.4.5"}}');
  expect(packageCheck(folder)).toMatchObject({
    status: "fault",
    says: expect.stringContaining("next is missing"),
  });
  expect(packageCheck(process.cwd()).status).toBe("ok");
});

test("What is given besides is wrong usage", async () => {
  const { code, errors } = await runCommand("doctor", ["now"]);
  expect([code, errors]).toEqual([2, expect.stringContaining("now is too much.")]);
});
