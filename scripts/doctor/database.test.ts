import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { backUp } from "../../db/backup.ts";
import { databaseFile, openDatabase } from "../../db/index.ts";
import { dayMs } from "../../lib/time/units.ts";
import { changeByHand, newBlogUrl } from "../../testing/blog.ts";
import { addPost, addUser } from "../../testing/content.ts";
import { temporaryDatabaseUrl, temporaryFolder } from "../../testing/database.ts";
import { patientTimeouts } from "../../testing/postgres-server.ts";
import { type PostgresServer, startPostgres } from "../cluster/start-postgres.ts";
import { databaseChecks } from "./database.ts";
import { packageCheck } from "./surroundings.ts";

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres({ settings: { synchronous_commit: "off" } });
});
afterAll(() => postgres.stop());

/** The findings in a database, by part, with the number of faults and warnings. */
async function examine(url: string) {
  const { checks } = await databaseChecks(url, {
    attemptsKeptMs: 90 * dayMs,
    mailsKeptMs: 7 * dayMs,
    canConfirm: () => true,
  });
  const count = (wanted: string) => checks.filter(({ status }) => status === wanted).length;
  const found = new Map(checks.map(({ name, status, finding }) => [name, `${status}: ${finding}`]));
  return { faults: count("fault"), warnings: count("warning"), found };
}

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
    "a time in the future",
    `update posts set settled_at = ${Date.UTC(2100, 0, 1)} where id = 1`,
    "times",
    "fault: posts.settled_at: 1, up to 2100-01-01",
  ],
  [
    "a saved setting that is none",
    "insert into site_settings values ('SITE_NAME', 'Still Water'), ('HOME_LAYOUT', 'cards')",
    "site settings",
    "warning: 2 saved on /admin/settings. Settings that this version cannot read and ignores: HOME_LAYOUT",
  ],
  [
    "a reference to nothing",
    "pragma foreign_keys = off; insert into post_contents (post_id, content) values (99, 'x')",
    "references",
    "fault: post_contents 99 refers to posts",
  ],
  [
    "a text that is too intricate",
    "update post_contents set html = null where post_id = 1",
    "texts",
    "warning: 0 to be rendered, which a running server does. 1 too intricate",
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
    "fault: The database was last migrated by a later version of Weir",
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
    "an email that was sent long ago",
    "insert into mails (message_id, kind, address, address_key, locale, data, created_at, expires_at, finished_at) values ('x', 'test', 'a@b.example', 'a@b.example', 'en', '{}', 0, 1, 1)",
    "old mails",
    "warning: 1 to be removed, some for more than an hour",
  ],
  ...[
    "insert into pending_registrations (token_hash, username, email, email_key, password_hash, created_at, expires_at) values ('x', 'ada', 'a@b.example', 'a@b.example', 'x', 0, 1)",
    "insert into email_changes (user_id, email, email_key, token_hash, created_at, expires_at) values (1, 'a@b.example', 'a@b.example', 'x', 0, 1)",
    "insert into mail_links (token_hash, kind, user_id, address_key, created_at, expires_at) values ('x', 'confirm-email', 1, 'a@b.example', 0, 1)",
  ].map((sql) => [
    `an address whose link expired long ago: ${sql.split(" ", 3).at(-1)}`,
    sql,
    "old unconfirmed addresses",
    "warning: 1 to be removed, some for more than an hour",
  ]),
  [
    "a scheduled post that is overdue",
    "update posts set published_at = null, publish_at = 1 where id = 1",
    "scheduled posts",
    "warning: 1 to be published, 0 missed because their authors could not write then. 1 overdue",
  ],
  [
    "a subscriber whose next mail is far away",
    `insert into subscribers (email, email_key, locale, created_at, mailed_until, due_at) values ('a@b.example', 'a@b.example', 'en', 0, 0, ${Date.UTC(2100, 0, 1)})`,
    "times",
    "fault: subscribers.due_at: 1, up to 2100-01-01",
  ],
  [
    "a subscription to decisions that waits for one that is not there",
    "insert into decision_subscriptions (user_id, locale, after_decision, due_at) values (1, 'en', 99, 0)",
    "subscriptions",
    "1 wait for decisions that are not there",
  ],
  [
    "another journal mode",
    "pragma journal_mode = delete",
    "journal_mode",
    "warning: It is delete and should be wal",
  ],
])("finds %s", async (_what, sql, name, expected) => {
  const url = await newBlogUrl();
  // Nothing else has it open, or it could not leave its journal.
  await backUp(url, `${databaseFile(url)}.copy`);
  const copy = `${url}.copy`;
  await changeByHand(copy, sql);
  const { faults, warnings, found } = await examine(copy);
  expect(found.get(name)).toContain(expected);
  expect([faults, warnings]).toEqual(expected.startsWith("fault") ? [1, 0] : [0, 1]);
  // Looking has not repaired it.
  expect((await examine(copy)).found.get(name)).toContain(expected);
});

test("counts the ratings of a counted window, and not those of a held or excluded one", async () => {
  const url = await newBlogUrl();
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
  expect((await examine(url)).found.get("counters")).toBe("ok: Nothing is wrong.");
});

test("finds a damaged file", async () => {
  const url = await newBlogUrl();
  await backUp(url, `${databaseFile(url)}.copy`);
  const copy = openSync(`${databaseFile(url)}.copy`, "r+");
  writeSync(copy, Buffer.alloc(4_096, 7), 0, 4_096, 4 * 4_096);
  closeSync(copy);
  const { faults, found } = await examine(`${url}.copy`);
  expect(faults).toBeGreaterThan(0);
  expect(found.get("integrity")).toMatch(/^fault: .*npm run restore/);
});

test("a missing, unreadable or unreachable database is a fault with its remedy", async () => {
  const url = temporaryDatabaseUrl();
  expect((await examine(url)).found.get("database")).toMatch(/^fault: .*npm start makes it/);
  writeFileSync(databaseFile(url), "something else, and long enough to be looked at");
  expect((await examine(url)).found.get("database")).toContain("cannot be read as a database");
  expect((await examine("postgres://weir:hush@127.0.0.1:1/weir")).found.get("database")).toMatch(
    /^fault: PostgreSQL is out of reach/,
  );
});

test("checks the settings and counters of PostgreSQL too", async () => {
  const url = await postgres.newDatabase();
  const database = await openDatabase(url, { timeouts: patientTimeouts });
  const { id } = await addPost(database, await addUser(database, "alder"), { now: Date.now() });
  await database.tallies.save(id, { ...(await database.tallies.find(id)), counts: [0, 0, 0, 0, 0, 9] });
  await database.close();
  const { faults, warnings, found } = await examine(url);
  expect([faults, warnings]).toEqual([1, 1]);
  expect(found.get("database")).toMatch(/^ok: PostgreSQL \d+/);
  expect(found.get("synchronous_commit")).toMatch(/^warning: It is off/);
  expect(found.get("counters")).toContain("post 1: 0,0,0,0,0,9 too many");
});

test("finds a package of another version than package.json's", () => {
  const folder = temporaryFolder();
  writeFileSync(`${folder}/package.json`, '{"dependencies": {"next": "16.4.5"}}');
  expect(packageCheck(folder)).toMatchObject({
    status: "fault",
    finding: expect.stringContaining("next is missing"),
  });
  expect(packageCheck(process.cwd()).status).toBe("ok");
});
