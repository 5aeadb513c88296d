/** Accounts of databases from before their names' lower case was compared, and before sessions were kept. */
import Sqlite from "better-sqlite3";
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { migrate as migratePostgres } from "../../db/dialects/postgres/migrate.ts";
import { databaseFile } from "../../db/dialects/sqlite/index.ts";
import { migrate as migrateSqlite } from "../../db/dialects/sqlite/migrate.ts";
import { openDatabase } from "../../db/index.ts";
import { userOf } from "../../testing/accounts.ts";
import { contextOf } from "../../testing/content.ts";
import { temporaryDatabaseUrl } from "../../testing/database.ts";
import { migrationsBefore } from "../../testing/migrations.ts";
import { sharedPostgres } from "../../testing/postgres-server.ts";
import { startSession } from "../sessions/index.ts";
import { fillSkeletons } from "./skeletons.ts";

const at = Date.UTC(2026, 2, 1, 9);
const before = "lower_case_skeletons";

/** Names with the skeletons that the previous version gave them; the last account is deleted. */
const accounts = `
  insert into users (id, username, username_key, email, email_key, password_hash, created_at, username_skeleton, deleted_at)
    values (1, 'ALICE', 'alice', 'a', 'a', 'x', ${at}, 'ALlCE', null),
    (2, 'al\u0131ce', 'al\u0131ce', 'b', 'b', 'x', ${at}, 'alice', null),
    (3, 'birch', 'birch', 'c', 'c', 'x', ${at}, null, null),
    (4, 'gone', 'gone', 'd', 'd', 'x', ${at}, 'gone', ${at});
`;

async function oldSqlite(): Promise<string> {
  const url = temporaryDatabaseUrl();
  const sqlite = new Sqlite(databaseFile(url));
  migrateSqlite(sqlite, migrationsBefore("sqlite", before));
  sqlite.exec(accounts);
  sqlite.close();
  return url;
}

async function oldPostgres(): Promise<string> {
  const url = await (await sharedPostgres()).newDatabase();
  await migratePostgres(url, migrationsBefore("postgres", before));
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await sql.unsafe(accounts);
  await sql.end();
  return url;
}

test.each([
  ["SQLite", oldSqlite],
  ["PostgreSQL", oldPostgres],
])(
  "computes the skeletons of accounts on %s from before anew, and they can start sessions",
  async (_, old) => {
    const database = await openDatabase(await old());
    onTestFinished(() => database.close());
    const { users } = database;
    expect((await users.withoutSkeleton(9)).map(({ id }) => id)).toEqual([1, 2, 3]);
    await fillSkeletons(database);
    expect(
      (await users.all()).map(({ id, usernameSkeleton, lowerCaseSkeleton }) => [
        id,
        usernameSkeleton,
        lowerCaseSkeleton,
      ]),
    ).toEqual([
      [1, "allce", "alice"],
      [2, "alice#2", "alice#2"],
      [3, "birch", "birch"],
    ]);
    const token = await startSession(database, { userId: 2, device: undefined, now: at });
    expect(await userOf(contextOf(database), token, at)).toMatchObject({ id: 2 });
  },
);
