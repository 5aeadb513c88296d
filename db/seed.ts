/**
 * Fills an empty database with a demo: posts, readers, ratings, and two floods of zeros that the limiter met. Ratings
 * go through lib/ratings at simulated times, so what the pages show has really been decided.
 *
 * Run as a command it fills the database of DATABASE_URL unless that has posts, and prints how to log in.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { env, parseSettings } from "../lib/env.ts";
import { limitsFrom } from "../lib/limits.ts";
import { createPost } from "../lib/posts/index.ts";
import { createRating, updateRating, withdrawRating } from "../lib/ratings/index.ts";
import type { User } from "../lib/users/index.ts";
import { comparisonKey } from "../lib/users/schema.ts";
import { demoLogin, loneZero, type PlannedPost, plannedPosts, readerName } from "./demo-plan.ts";
import { type Database, openDatabase } from "./index.ts";
import { seededRandom } from "./seeded-random.ts";

const readers = 320;
const floodSize = 130;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The limits that the app ships with, whatever this installation's own are: the demo is the same everywhere. */
const limits = limitsFrom(parseSettings({}));

interface Try {
  at: number;
  userId: number;
  act: "create" | "update" | "withdraw";
  score: number;
}

/** Fills an empty database, always the same for the same `now` (milliseconds), in one transaction. */
export function seed(database: Database, now: number): void {
  const random = seededRandom(2_718);
  database.transaction(() => {
    const authors = addAuthors(database, now);
    const readerIds = Array.from({ length: readers }, (_, index) =>
      addUser(database, readerName(index), now - 119 * dayMs + index * 4 * hourMs),
    );
    for (const planned of plannedPosts) {
      const createdAt = now - Math.round(planned.daysAgo * dayMs);
      const slug = publish(database, planned, authors, createdAt);
      const tries = triesOf(planned, shuffled(readerIds, random), { createdAt, now, random });
      for (const each of tries) carryOut(database, slug, each);
    }
  });
}

function addAuthors(database: Database, now: number): Map<string, User> {
  const { administrator } = demoLogin;
  const names = [administrator, ...new Set(plannedPosts.map(({ author }) => author))];
  return new Map(
    names.map((username) => {
      const isAdministrator = username === administrator;
      const id = addUser(database, username, now - 120 * dayMs, isAdministrator);
      return [username, { id, username, isAdministrator }];
    }),
  );
}

function addUser(database: Database, username: string, createdAt: number, isAdministrator = false): number {
  const usernameKey = comparisonKey(username);
  const email = `${encodeURIComponent(usernameKey).replaceAll("%", "").toLowerCase()}@example.org`;
  const { passwordHash } = demoLogin;
  return database.users.insert({
    username,
    usernameKey,
    email,
    emailKey: email,
    passwordHash,
    isAdministrator,
    createdAt,
  });
}

function publish(database: Database, planned: PlannedPost, authors: Map<string, User>, now: number): string {
  const text = readFileSync(join(import.meta.dirname, "demo-posts", `${planned.file}.md`), "utf8");
  const [, title, content] = /^# (.+)\n\n([\s\S]+)$/.exec(text) ?? [];
  const user = authors.get(planned.author);
  const outcome = user && createPost({ database, limits }, { user, input: { title, content }, now });
  if (outcome?.kind !== "created") throw new Error(`The post ${planned.file} was not created.`);
  return outcome.slug;
}

/** What readers do about a post, in the order of time. */
function triesOf(
  { file, share, spread, floodHoursAgo }: PlannedPost,
  readerIds: readonly number[],
  { createdAt, now, random }: { createdAt: number; now: number; random: () => number },
): Try[] {
  const raters = readerIds.slice(0, file === loneZero ? 1 : Math.round(share * readerIds.length));
  // Most come in the first days; the last ones a quarter of an hour ago.
  const span = now - createdAt - hourMs / 4;
  const tries = raters.flatMap((userId): Try[] => {
    const at = createdAt + Math.round(span * random() ** 2);
    const first: Try = { at, userId, act: "create", score: scoreBy(spread, random()) };
    const later = at + Math.round((now - at) * random());
    const change = random();
    if (change < 0.05)
      return [first, { ...first, at: later, act: "update", score: scoreBy(spread, random()) }];
    if (change < 0.06) return [first, { ...first, at: later, act: "withdraw" }];
    return [first];
  });
  if (floodHoursAgo !== undefined)
    for (const userId of readerIds.slice(-floodSize)) {
      const at = now - floodHoursAgo * hourMs + Math.round(2_000 * random());
      // Whoever is refused tries again a second later; who is not, and does it too, has rated already.
      tries.push(
        { at, userId, act: "create", score: 0 },
        { at: at + 1_000, userId, act: "create", score: 0 },
      );
    }
  return tries.toSorted((a, b) => a.at - b.at);
}

function carryOut(database: Database, slug: string, { at, userId, act, score }: Try): void {
  const request = { slug, userId, address: `192.0.2.${userId % 256}`, input: { score }, now: at };
  if (act === "withdraw") withdrawRating({ database }, request);
  else if (act === "update") updateRating({ database, limits }, request);
  else createRating({ database, limits }, request);
}

/** The score at `place`, 0 up to 1, when each has its share of the line between. */
function scoreBy(spread: readonly number[], place: number): number {
  let left = place * spread.reduce((sum, share) => sum + share, 0);
  return spread.findIndex((share) => {
    left -= share;
    return left < 0;
  });
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

if (import.meta.main) {
  const database = openDatabase(env.DATABASE_URL);
  if (database.posts.recent(1).length === 0) seed(database, Date.now());
  database.close();
  const { administrator, author, password } = demoLogin;
  process.stdout.write(
    `Log in as ${author} (author) or ${administrator} (administrator), password ${password}\n`,
  );
}
