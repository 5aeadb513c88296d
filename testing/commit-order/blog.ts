/** The blog that the writers change, with the same rows whenever it is made. */
import { openPostgres, type PostgresDatabase } from "../../db/dialects/postgres/index.ts";
import { databaseFile, openSqlite } from "../../db/dialects/sqlite/index.ts";
import { type Database, isPostgresUrl, isUnavailable } from "../../db/index.ts";
import { createRating } from "../../lib/ratings/index.ts";
import { scoringDefaults, type TallySettings } from "../../lib/ratings/tally/tally.ts";
import { dayMs, minuteMs } from "../../lib/time/units.ts";
import { addPost, addUser, addUsers, contextOf, limitsWith, morning } from "../content.ts";
import { patientTimeouts } from "../postgres-server.ts";

/** Held windows expire while the writers run. */
export const scoring: TallySettings = { ...scoringDefaults, holdMs: 8 * minuteMs };
export const attemptsKeptMs = 30 * minuteMs;

/** Limits by the seed: floods are held or refused, by each algorithm in turn. */
export function limitsOf(seed: number) {
  const algorithms = ["leaky-bucket", "ema", "gcra", "sliding-log", "token-bucket", "fixed-window"];
  return limitsWith({
    RATING_OVERFLOW: seed % 2 === 0 ? "reject" : "hold",
    RATING_LIMITER: algorithms[seed % algorithms.length] ?? "leaky-bucket",
    LEAKY_BUCKET_CAPACITY: "4",
    LEAKY_BUCKET_LEAK_PER_SECOND: "0.2",
    GCRA_CAPACITY: "4",
    GCRA_RATE_PER_SECOND: "0.2",
    SLIDING_LOG_LIMIT: "5",
    SLIDING_LOG_SECONDS: "20",
    TOKEN_BUCKET_CAPACITY: "4",
    TOKEN_BUCKET_REFILL_PER_SECOND: "0.2",
    FIXED_WINDOW_LIMIT: "5",
    FIXED_WINDOW_SECONDS: "20",
    LIMITS: '{"rating.change": {"capacity": 20}}',
  });
}

/** A statement of the test itself, in the transaction that it is called in. */
export type Run = (text: string, values?: readonly (string | number)[]) => Promise<unknown[][]>;

export interface OpenBlog {
  database: Database;
  run: Run;
  isPostgres: boolean;
}

/**
 * Opens a database.
 * On PostgreSQL limits go by the server's clock, of which this process's is `aheadMs` ahead.
 */
export async function openBlog(url: string, aheadMs: () => number = () => 0): Promise<OpenBlog> {
  if (isPostgresUrl(url)) {
    const database = await openedPatiently(url, () => Date.now() + aheadMs());
    const run: Run = async (text, values) => (await database.run(text, values)).rows;
    return { database, run, isPostgres: true };
  }
  const database = openSqlite(`file:${databaseFile(url)}`);
  database.sqlite.pragma("synchronous = OFF"); // no power failure is tested here
  const run: Run = async (text, values = []) => {
    const statement = database.sqlite.prepare<unknown[], unknown[]>(text);
    if (statement.reader) return statement.raw().all(...values);
    statement.run(...values);
    return [];
  };
  return { database, run, isPostgres: false };
}

/** Tries again as long as a busy machine is not quick enough for a connection. */
async function openedPatiently(url: string, nodeClock: () => number): Promise<PostgresDatabase> {
  for (;;)
    try {
      return await openPostgres(url, { poolSize: 2, timeouts: patientTimeouts, nodeClock });
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
}

export interface CastMember {
  id: number;
  username: string;
}

export interface Cast {
  administrator: CastMember;
  moderators: CastMember[];
  raters: CastMember[];
  /** Each with its author; the first `keptPosts` stay, and their authors. */
  posts: { slug: string; author: CastMember }[];
  /** The number of raters, from the first on, whose accounts are not deleted. */
  keptRaters: number;
  keptPosts: number;
}

/**
 * Adds old posts with ratings, and new posts that the writers rate first.
 * The site's prior is computed from the old ones. The guard has no clock here, so that the limiter's states are the
 * same each time.
 */
export async function makeBlog(database: Database): Promise<Cast> {
  const administrator = await addUser(database, "keeper", { isAdministrator: true });
  const moderators = [
    await addUser(database, "mod-1", { isModerator: true }),
    await addUser(database, "mod-2", { isModerator: true }),
  ];
  const authors = [];
  for (let number = 1; number <= 6; number += 1) authors.push(await addUser(database, `author-${number}`));
  const raters = await addUsers(database, 70);
  const posts = [];
  for (const [index, author] of authors.entries()) {
    const isOld = index % 2 === 0;
    const { slug } = await addPost(database, author, {
      title: `Post ${index + 1}`,
      now: isOld ? morning - 3 * dayMs : morning,
    });
    posts.push({ slug, author });
  }
  const context = { ...contextOf(database, limitsWith({ RATING_LIMITER: "none" })), scoring };
  const liked = [5, 4, 5, 3, 5, 4, 2, 5, 4, 5, 1, 5];
  for (const [index, { slug }] of posts.entries())
    for (const [number, score] of liked.entries()) {
      const user = raters[(number * 3 + index) % raters.length];
      if (index % 2 === 1 || !user) continue;
      const at = morning - 2 * dayMs + number * 20 * minuteMs + index;
      await createRating(context, { slug, user, address: "192.0.2.1", input: { score }, now: at });
    }
  return { administrator, moderators, raters, posts, keptRaters: 50, keptPosts: 4 };
}
