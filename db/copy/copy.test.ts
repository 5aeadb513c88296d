import { getTableColumns, is, Table } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { seededRandom } from "../../lib/random/seeded-random.ts";
import { blogUrl, changeByHand } from "../../testing/blog.ts";
import { runChild } from "../../testing/child-process.ts";
import { addPost, addUser, morning } from "../../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl } from "../../testing/database.ts";
import { patientTimeouts, sharedPostgres } from "../../testing/postgres-server.ts";
import * as postgresSchema from "../dialects/postgres/schema.ts";
import * as sqliteSchema from "../dialects/sqlite/schema.ts";
import { openDatabase } from "../index.ts";
import { copyDatabase } from "./index.ts";
import { copiedTables } from "./tables.ts";

let postgres: Awaited<ReturnType<typeof sharedPostgres>>;
beforeAll(async () => {
  postgres = await sharedPostgres();
});

const child = new URL("../../testing/copy-child.ts", import.meta.url).pathname;

async function newDatabase(kind: string): Promise<string> {
  return kind === "sqlite" ? temporaryDatabaseUrl() : postgres.newDatabase();
}

/** The tables of a schema with their columns, those that are derived left out. */
function tablesOf(schema: Record<string, unknown>) {
  return Object.values(schema)
    .filter((value) => is(value, Table))
    .flatMap((table) =>
      Object.values(getTableColumns(table))
        .filter(({ generated }) => !generated)
        .map((column) => `${Reflect.get(table, Symbol.for("drizzle:Name"))}.${column.name}`),
    )
    .toSorted();
}

test("copies every column of both schemas, except the search index, which is rebuilt, and the state of running servers", () => {
  const copied = copiedTables.flatMap(({ name, columns }) =>
    columns.map((column) => `${name}.${column.name}`),
  );
  const inSqlite = tablesOf(sqliteSchema).filter(
    (column) => !/^(media_folder|nodes|replay_claims|trusted_time)\./.test(column),
  );
  const inPostgres = tablesOf(postgresSchema).filter(
    (column) => !/^(media_folder|nodes|posts_search|replay_claims|trusted_time)\./.test(column),
  );
  expect(copied.toSorted()).toEqual(inSqlite);
  expect(inPostgres).toEqual(inSqlite);
});

test("copies a blog to PostgreSQL and back without changing a row", async () => {
  const [from, there, back] = [await blogUrl(), await postgres.newDatabase(), temporaryDatabaseUrl()];
  const first = await copyDatabase(from, there);
  expect(first).toMatchObject({ found: 0, copied: first.tables.reduce((sum, { rows }) => sum + rows, 0) });
  expect(first.tables.filter(({ rows }) => rows === 0)).toEqual([]);
  const second = await copyDatabase(there, back);
  expect(second.tables).toEqual(first.tables);
  const rows = (url: string, sql: string) =>
    temporaryDatabase(url).sqlite.prepare<[], unknown[]>(sql).raw().all();
  for (const { name } of copiedTables) {
    if (name === "limiter_states") continue; // one key has a U+0000, which PostgreSQL cannot keep
    const all = `select * from "${name}" order by 1, 2`;
    expect(rows(back, all)).toEqual(rows(from, all));
  }
  const keys = "select key from limiter_states order by key";
  const kept = rows(from, keys).map(([key]) => Buffer.from(String(key).replace("\0", "\uFFFD")));
  expect(rows(back, keys)).toEqual(kept.toSorted(Buffer.compare).map((key) => [String(key)]));
});

test.each(["sqlite", "postgres"])(
  "finds the same posts on a copy in %s, and gives no old number again",
  async (kind) => {
    const from = await blogUrl();
    const to = await newDatabase(kind);
    await copyDatabase(from, to);
    const [before, after] = [
      await openDatabase(from, { timeouts: patientTimeouts }),
      await openDatabase(to, { timeouts: patientTimeouts }),
    ];
    try {
      for (const search of [["weir"], ["آب"], ["water", "mea"], ["nothing-of-it"]]) {
        const request = { sort: "newest", limit: 50, search } as const;
        const found = (await before.posts.list(request)).map(({ slug }) => slug);
        expect((await after.posts.list(request)).map(({ slug }) => slug)).toEqual(found);
      }
      const next = (await addUser(before, "next")).id;
      const user = await addUser(after, "next");
      expect(user.id).toBe(next);
      expect((await addPost(after, user, { title: "Next" })).id).toBe(
        (await addPost(before, user, { title: "Next" })).id,
      );
    } finally {
      await Promise.all([before.close(), after.close()]);
    }
  },
);

test.each(["sqlite", "postgres"])(
  "a copy to %s that is killed again and again is complete after a last run",
  async (kind) => {
    const from = await blogUrl();
    const to = await newDatabase(kind);
    const random = seededRandom(20);
    const found: number[] = [];
    for (let round = 0; round < 2; round += 1) {
      // 18 batches in all. The kill comes anywhere in the two that follow.
      const lines = 1 + Math.floor(random() * 2);
      const copying = runChild(child, [from, to, String(lines + 2)]);
      await copying.printed(lines);
      copying.kill("SIGKILL");
      await copying.ended;
      expect(copying.lines.some((line) => line.startsWith("verifying"))).toBe(false);
      found.push(Number(copying.lines.at(-1)?.split(" ")[1]));
    }
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    const last = await copyDatabase(from, to);
    expect(last.found).toBeGreaterThanOrEqual(found.at(-1) ?? 0);
    expect(last.copied).toBeGreaterThan(0);
    expect(last.tables).toEqual((await copyDatabase(from, await newDatabase(kind))).tables);
    expect(await copyDatabase(from, to)).toEqual({ ...last, found: last.found + last.copied, copied: 0 });
  },
);

test("refuses a target with other content, and leaves it unchanged", async () => {
  const from = await blogUrl();
  const to = temporaryDatabaseUrl();
  await addUser(temporaryDatabase(to), "stranger");
  await expect(copyDatabase(from, to)).rejects.toThrow(/holds what the source does not have \(users 1\)/);
  const users = () => temporaryDatabase(to).sqlite.prepare("select username from users").pluck().all();
  expect(users()).toEqual(["stranger"]);

  // Nor is a beginning of the blog as it was before a change.
  const begun = await blogUrl();
  await changeByHand(begun, "delete from limiter_states; delete from attempts where id > 10");
  await changeByHand(from, "update posts set title = 'Changed' where id = 3");
  await expect(copyDatabase(from, begun)).rejects.toThrow(/does not have \(posts 3\)/);
  expect(temporaryDatabase(begun).sqlite.prepare("select count(*) from attempts").pluck().get()).toBe(10);
});

test("rejects a copy that differs", async () => {
  const from = await blogUrl();
  const to = temporaryDatabaseUrl();
  await temporaryDatabase(to).close();
  await changeByHand(
    to,
    "create trigger lies after insert on ratings when new.user_id = 100 begin update ratings set score = 5 - new.score where post_id = new.post_id and user_id = 100; end",
  );
  await expect(copyDatabase(from, to)).rejects.toThrow(/The copy is not the same: ratings has \d+ rows/);
});

test("copies a consistent snapshot, without rows saved meanwhile", async () => {
  const from = await blogUrl();
  const to = await postgres.newDatabase();
  const source = temporaryDatabase(from);
  let isFirst = true;
  const onProgress = () => {
    if (isFirst) source.sqlite.exec(`insert into limiter_states values ('zzz', '[]', ${morning})`);
    isFirst = false;
  };
  const { tables } = await copyDatabase(from, to, { onProgress });
  const states = source.sqlite.prepare<[], number>("select count(*) from limiter_states").pluck().get() ?? 0;
  expect(tables.find(({ table }) => table === "limiter_states")).toMatchObject({ rows: states - 1 });
});

test("refuses a source of another version, and a missing one", async () => {
  const to = temporaryDatabaseUrl();
  await expect(copyDatabase(temporaryDatabaseUrl(), to)).rejects.toThrow("There is no file");
  await expect(copyDatabase(await postgres.newDatabase(), to)).rejects.toThrow("holds no blog");
  const older = await blogUrl();
  await changeByHand(
    older,
    "delete from __drizzle_migrations where id = (select max(id) from __drizzle_migrations)",
  );
  // `changeByHand` closes it as it is; nothing has opened it since.
  await expect(copyDatabase(older, to)).rejects.toThrow("of an earlier version");
  const newer = await blogUrl();
  await changeByHand(newer, "insert into __drizzle_migrations (hash, created_at) values ('x', 9e15)");
  await expect(copyDatabase(newer, to)).rejects.toThrow("by a later version");
});
