/**
 * A cluster's blog for tests.
 * It has logged-in raters, posts, and invariants of its database.
 */
import postgres from "postgres";
import { type Database, openDatabase } from "../../db/index.ts";
import { inspect } from "../../db/inspect.ts";
import { countersThatDisagree } from "../../db/recount.ts";
import type { NodeSettings } from "../../scripts/cluster/cluster.ts";
import { patientTimeouts } from "../../testing/postgres-server.ts";
import { sessionCookie } from "../../testing/session-cookie.ts";
import { ratingPath } from "../people.ts";
import type { Answer, Client } from "./http-client.ts";

export interface Rater {
  id: number;
  cookie: string;
}

/** A rating that was acknowledged as saved. */
export interface Saved {
  slug: string;
  userId: number;
  score: number;
}

export interface Blog {
  raters: readonly Rater[];
  database: Database;
  /** Resolves to the slug of a new post. */
  newPost(): Promise<string>;
  /** Every fault found in the database, each a line; `saved` must be there. */
  faults(saved: readonly Saved[]): Promise<string[]>;
  close(): Promise<void>;
}

/** Creates logged-in raters without hashing passwords, which is slow on purpose. */
export async function newBlog(
  { DATABASE_URL: url = "", AUTH_SECRET: secret = "" }: NodeSettings,
  raterCount: number,
): Promise<Blog> {
  const database = await openDatabase(url, { timeouts: patientTimeouts });
  const raters: Rater[] = [];
  await database.transaction(async () => {
    for (let number = raters.length; number < raterCount; number += 1) {
      const name = `rater-${number}`;
      const email = `${name}@example.org`;
      const id = await database.users.insert({
        username: name,
        usernameKey: name,
        email,
        emailKey: email,
        passwordHash: "no login uses this",
        isAdministrator: number === 0,
        createdAt: Date.now(),
      });
      raters.push({ id, cookie: "" });
    }
  });
  for (const rater of raters) rater.cookie = await sessionCookie(database, secret, rater.id);
  let posts = 0;
  return {
    raters,
    database,
    async newPost() {
      posts += 1;
      const slug = `post-${posts}`;
      const title = `Post ${posts}`;
      await database.transaction(() =>
        database.posts.insert({
          slug,
          title,
          content: "Words.",
          html: "<p>Words.</p>",
          renderer: 1,
          searchTitle: "post",
          searchContent: "words",
          authorId: raters[0]?.id ?? 0,
          createdAt: Date.now(),
        }),
      );
      return slug;
    },
    faults: async (saved) => [
      ...(await miscounted(url)),
      ...(await halfWritten(url)),
      ...(await lost(url, saved)),
    ],
    close: () => database.close(),
  };
}

async function miscounted(url: string): Promise<string[]> {
  const { query, close } = await inspect(url);
  try {
    return await countersThatDisagree(query);
  } finally {
    await close();
  }
}

/** Gives a first rating at one of the nodes, or through nginx. */
export function rate(
  client: Client,
  origin: string,
  rater: Rater,
  slug: string,
  score: number,
): Promise<Answer> {
  return client.send(origin + ratingPath(slug), {
    method: "POST",
    headers: { Cookie: rater.cookie, "Content-Type": "application/json" },
    body: JSON.stringify({ score }),
  });
}

/**
 * Equal numbers of ratings, attempts and counts, without withdrawals or changes.
 * A rating, its attempt and its post's counts are one transaction.
 */
async function halfWritten(url: string): Promise<string[]> {
  const rows = await queryRows(
    url,
    (sql) => sql`
      select posts.slug,
        (select count(*) from ratings where ratings.post_id = posts.id)::int as ratings,
        (select coalesce(sum(count), 0) from attempts where attempts.post_id = posts.id and allowed and verb = 'create')::int as attempts
      from posts`,
  );
  return rows
    .filter(({ ratings, attempts }) => ratings !== attempts)
    .map(
      ({ slug, ratings, attempts }) =>
        `${slug} has ${ratings} ratings, and ${attempts} tries that were allowed`,
    );
}

async function lost(url: string, saved: readonly Saved[]): Promise<string[]> {
  const rows = await queryRows(
    url,
    (sql) => sql`select slug, user_id::int, score from ratings join posts on posts.id = ratings.post_id`,
  );
  const there = new Map(rows.map(({ slug, user_id, score }) => [`${slug} ${user_id}`, score]));
  return saved
    .filter(({ slug, userId, score }) => there.get(`${slug} ${userId}`) !== score)
    .map(
      ({ slug, userId, score }) =>
        `${userId} gave ${slug} ${score}, and ${there.get(`${slug} ${userId}`)} is saved`,
    );
}

/** Reads the database directly, not through the app. */
async function queryRows(
  url: string,
  query: (sql: postgres.Sql) => Promise<postgres.Row[]>,
): Promise<postgres.Row[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await query(sql);
  } finally {
    await sql.end();
  }
}
