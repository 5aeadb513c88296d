import { readFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { runChild } from "../../../testing/child-process.ts";
import { temporaryFolder } from "../../../testing/database.ts";
import { migrationsBefore } from "../../../testing/migrations.ts";
import { patientTimeouts, sharedPostgres } from "../../../testing/postgres-server.ts";
import { applicationVersion } from "../../migration-state.ts";
import { migrations as migrationsLock } from "./locks.ts";
import { migrate } from "./migrate.ts";

const folder = join(process.cwd(), "db/migrations/postgres");
const journal: { entries: unknown[] } = JSON.parse(readFileSync(join(folder, "meta/_journal.json"), "utf8"));
const count = journal.entries.length;
const upgrade = (url: string, from = folder) => migrate(url, from, patientTimeouts);

let server: Awaited<ReturnType<typeof sharedPostgres>>;
beforeAll(async () => {
  server = await sharedPostgres();
});

function connectTo(url: string) {
  const sql = postgres(url, { max: 2, onnotice: () => {} });
  onTestFinished(() => sql.end());
  return sql;
}

const applied = (sql: postgres.Sql) =>
  sql`select hash, created_at from __drizzle_migrations order by id`.then((rows) => rows.length);

test("applies each migration once when processes open an empty database at the same moment", async () => {
  const url = await server.newDatabase();
  const file = join(process.cwd(), "testing/postgres-open-child.ts");
  const barrierFolder = temporaryFolder();
  const children = Array.from({ length: 4 }, () => runChild(file, [url, barrierFolder, "4"]));
  await Promise.all(children.map(({ ended }) => ended));
  expect(children.map(({ lines }) => lines)).toEqual(children.map(() => ["ready"]));
  expect(await applied(connectTo(url))).toBe(count);
});

test("lets many concurrent migrations in one process all find the tables", async () => {
  const url = await server.newDatabase();
  await Promise.all(Array.from({ length: 10 }, () => upgrade(url)));
  expect(await applied(connectTo(url))).toBe(count);
});

test("opens an up-to-date database while another node migrates", async () => {
  const url = await server.newDatabase();
  await upgrade(url);
  const sql = connectTo(url);
  await sql.begin(async (other) => {
    await other`select pg_advisory_xact_lock(${migrationsLock})`;
    await upgrade(url);
  });
  expect(await applied(sql)).toBe(count);
});

test("refuses a database of a later version, naming both versions", async () => {
  const url = await server.newDatabase();
  await upgrade(url);
  await connectTo(url)`update __drizzle_migrations set version = '9.8.7'`;
  await expect(upgrade(url, migrationsBefore("postgres", "moderators"))).rejects.toThrow(
    `The database was last migrated by Weir 9.8.7; this is Weir ${applicationVersion}, an earlier version. Update Weir`,
  );
});

test("records its version in a database from before versions were recorded", async () => {
  const url = await server.newDatabase();
  await upgrade(url, migrationsBefore("postgres", "moderators"));
  const sql = connectTo(url);
  await sql`alter table __drizzle_migrations drop column version`;
  await upgrade(url);
  const [newest] = await sql`select version from __drizzle_migrations order by created_at desc limit 1`;
  expect(newest).toEqual({ version: applicationVersion });
});

test("migrates once when the server's default isolation is serializable", async () => {
  const url = await server.newDatabase();
  const sql = connectTo(url);
  const name = new URL(url).pathname.slice(1);
  await sql`alter database ${sql(name)} set default_transaction_isolation = serializable`;
  await Promise.all(Array.from({ length: 4 }, () => upgrade(url)));
  expect(await applied(sql)).toBe(count);
});

test("rolls back a migration that fails", async () => {
  const url = await server.newDatabase();
  const sql = connectTo(url);
  // The last of the tables by name is there already.
  await sql`create table window_decisions (id int)`;
  await expect(upgrade(url)).rejects.toThrow('relation "window_decisions" already exists');
  const tables = await sql`select table_name from information_schema.tables where table_schema = 'public'`;
  expect(tables.map(({ table_name }) => table_name)).toEqual(["window_decisions"]);
});

test("refuses a database with another encoding", async () => {
  const sql = connectTo(server.url("postgres"));
  await sql`create database latin encoding LATIN1 locale_provider libc locale 'C' template template0`;
  await expect(upgrade(server.url("latin"))).rejects.toThrow("UTF8, not LATIN1");
});

test("a post that a node of an earlier version saves is published when it is made, and a draft is not", async () => {
  const sql = connectTo(await server.newMigratedDatabase());
  const [user] =
    await sql`insert into users (username, username_key, email, email_key, password_hash, created_at)
    values ('ada', 'ada', 'a@example.org', 'a@example.org', '', 1) returning id`;
  const post = { title: "A post", author_id: user?.id, updated_at: 5, created_at: 5 };
  await sql`insert into posts ${sql({ ...post, slug: "earlier" })}`;
  await sql`insert into posts ${sql({ ...post, slug: "draft", published_at: null })}`;
  await sql`insert into posts ${sql({ ...post, slug: "dated", published_at: 3 })}`;
  const rows = await sql`select slug, published_at from posts order by id`;
  expect(rows.map(({ slug, published_at }) => [slug, published_at])).toEqual([
    ["earlier", "5"],
    ["draft", null],
    ["dated", "3"],
  ]);
});
