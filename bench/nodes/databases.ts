/** PostgreSQL databases for the benchmarks, with thousands of people and posts. */
import postgres, { type Sql } from "postgres";
import { morning } from "../databases.ts";

export type SqlClient = Sql<{ bigint: number }>;

/** A client with one connection, which reads `bigint` as a number. To be ended. */
export function connect(url: string): SqlClient {
  return postgres(url, {
    max: 1,
    onnotice: () => {},
    types: { bigint: { to: 20, from: [20], serialize: String, parse: Number } },
  });
}

/** Users with the numbers from 1 to `count` in a new database; they cannot log in. */
export async function addUsers(sql: SqlClient, count: number): Promise<void> {
  await sql`
    insert into users (username, username_key, email, email_key, password_hash, created_at)
    select name, name, name || '@example.org', name || '@example.org', 'none', ${morning}
    from (select 'user-' || lpad(n::text, 8, '0') as name from generate_series(1, ${count}::int) as n)`;
}

/** A post of the first user, without a content; resolves to its number. */
export async function addPost(sql: SqlClient, slug: string): Promise<number> {
  const [post] = await sql<{ id: number }[]>`
    insert into posts (slug, title, author_id, created_at, updated_at)
    values (${slug}, ${`The post ${slug}`}, 1, ${morning}, ${morning}) returning id`;
  if (!post) throw new Error("A row that was inserted is returned");
  return post.id;
}

/** Whether commits wait for the disk, from each session's next transaction on. */
export async function setWaitForDisk(sql: SqlClient, waits: boolean): Promise<void> {
  await sql.unsafe(`alter system set synchronous_commit = ${waits ? "on" : "off"}`);
  await sql`select pg_reload_conf()`;
}
