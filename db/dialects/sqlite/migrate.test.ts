import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDatabase, temporaryFolder } from "../../../testing/database.ts";
import { integrityFaults } from "../../../testing/integrity.ts";
import { migrationsBefore } from "../../../testing/migrations.ts";
import { applicationVersion } from "../../migration-state.ts";
import { migrate, migrationState, migrationsFolder } from "./migrate.ts";

test("a blog from before scores settled keeps its scores, its order and its ratings by day", async () => {
  const file = join(temporaryFolder(), "weir.db");
  const before = new Sqlite(file);
  migrate(before, migrationsBefore("sqlite", "settled_scores"));
  const day = 86_400_000;
  before.exec(`
    insert into users (id, username, username_key, email, email_key, password_hash, created_at)
      values (1, 'a', 'a', 'a', 'a', 'x', 0), (2, 'b', 'b', 'b', 'b', 'x', 0), (3, 'c', 'c', 'c', 'c', 'x', 0);
    insert into posts (id, slug, title, author_id, created_at, updated_at, count_0, count_4, count_5)
      values (1, 'rated', 'Rated', 1, 0, 0, 1, 1, 1), (2, 'unrated', 'Unrated', 1, 0, 0, 0, 0, 0);
    insert into ratings values (1, 1, 0, ${2 * day}, ${9 * day}), (1, 2, 4, ${2 * day + 5}, ${2 * day + 5}), (1, 3, 5, ${4 * day}, ${4 * day});
  `);
  before.close();

  const database = temporaryDatabase(`file:${file}`);
  expect(await database.posts.bySlug("rated")).toMatchObject({
    counts: [1, 0, 0, 0, 1, 1],
    settled: { score: 3, velocity: 0, raters: 3, firstAt: 2 * day, lastRaterAt: 4 * day, at: 4 * day },
    rankScore: (25 + 9) / 13,
  });
  expect(await database.posts.bySlug("unrated")).toMatchObject({
    settled: { score: null, velocity: 0, raters: 0 },
    rankScore: 2.5,
  });
  expect(await database.ratings.days(1)).toEqual([
    { day: 2, counts: [1, 0, 0, 0, 1, 0] },
    { day: 4, counts: [0, 0, 0, 0, 0, 1] },
  ]);
  expect((await database.posts.list({ sort: "top", limit: 5 })).map(({ slug }) => slug)).toEqual([
    "rated",
    "unrated",
  ]);
  expect(await integrityFaults(database)).toEqual([]);
});

test.each([
  [
    "of a later version",
    "'9.8.7'",
    `The database was last migrated by Weir 9.8.7; this is Weir ${applicationVersion}, an earlier version. Update Weir`,
  ],
  [
    "of a version that did not record itself",
    "null",
    `by a later version of Weir, which it does not record; this is Weir ${applicationVersion}.`,
  ],
  [
    "between two releases",
    `'${applicationVersion}'`,
    `by a later build of Weir ${applicationVersion}; this is an earlier build.`,
  ],
])("refuses a database %s, naming what is known of both versions", (_, version, message) => {
  const sqlite = new Sqlite(join(temporaryFolder(), "weir.db"));
  onTestFinished(() => void sqlite.close());
  migrate(sqlite, migrationsFolder);
  sqlite.exec(`update __drizzle_migrations set version = ${version}`);
  expect(() => migrate(sqlite, migrationsBefore("sqlite", "moderators"))).toThrow(message);
});

test("records its version in a database from before versions were recorded", () => {
  const sqlite = new Sqlite(join(temporaryFolder(), "weir.db"));
  onTestFinished(() => void sqlite.close());
  migrate(sqlite, migrationsBefore("sqlite", "moderators"));
  sqlite.exec("alter table __drizzle_migrations drop column version");
  expect(migrationState(sqlite)).toMatchObject({ isNewer: false, version: undefined });
  migrate(sqlite, migrationsFolder);
  expect(migrationState(sqlite)).toMatchObject({ pending: 0, version: applicationVersion });
});

test("a blog from before moderators keeps its deciders: its author, an administrator, a deleted account", async () => {
  const file = join(temporaryFolder(), "weir.db");
  const before = new Sqlite(file);
  migrate(before, migrationsBefore("sqlite", "moderators"));
  before.exec(`
    insert into users (id, username, username_key, email, email_key, password_hash, created_at, is_administrator)
      values (1, 'author', 'a', 'a', 'a', 'x', 0, 0), (2, 'keeper', 'b', 'b', 'b', 'x', 0, 1);
    insert into posts (id, slug, title, author_id, created_at, updated_at) values (1, 'post', 'Post', 1, 0, 0);
    insert into window_decisions (post_id, "window", at, status, decided_by, user_id, ratings) values
      (1, 1, 1, 'excluded', 'person', 1, 9), (1, 1, 2, 'counted', 'person', 2, 9), (1, 1, 3, 'counted', 'person', null, 9),
      (1, 2, 4, 'counted', 'time', null, 9);
  `);
  before.close();

  const database = temporaryDatabase(`file:${file}`);
  const roles = (await database.floodWindows.decisionsOf(1, 9)).map(({ username, role }) => [username, role]);
  expect(roles).toEqual([
    [null, null],
    [null, null],
    ["keeper", "administrator"],
    ["author", "author"],
  ]);
});
