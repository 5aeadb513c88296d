import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { SqliteDatabase } from "../../db/dialects/sqlite/index.ts";
import { listPosts } from "../../lib/posts/index.ts";
import { scoreFrom } from "../../lib/ratings/score/score.ts";
import { logIn } from "../../lib/users/index.ts";
import { runChild } from "../../testing/child-process.ts";
import { contextOf, morning } from "../../testing/content.ts";
import { temporaryDatabase, temporaryDatabaseUrl } from "../../testing/database.ts";
import { integrityFaults } from "../../testing/integrity.ts";
import { demoLogin } from "./plan.ts";
import { seed } from "./seed.ts";

test("The command fills an empty database, although nothing but the rendering keeps it alive", async () => {
  vi.stubEnv("DATABASE_URL", temporaryDatabaseUrl());
  const command = runChild(join(import.meta.dirname, "seed.ts"), []);
  vi.unstubAllEnvs();
  await command.ended;
  expect(command.lines).toEqual([expect.stringContaining(demoLogin.password)]);
});

test("The demo is the same for the same moment, sound, and as full as it is meant to be", async () => {
  const [first, second] = [temporaryDatabase(), temporaryDatabase()];
  await seed(first, morning);
  await seed(second, morning);
  expect(contentHash(first)).toBe(contentHash(second));
  expect(await integrityFaults(first)).toEqual([]);

  const posts = (await listPosts({ database: first }, { sort: "newest", limit: 100 }))?.items ?? [];
  expect(posts).toHaveLength(24);
  const ratings = posts.map(({ counts }) => scoreFrom(counts).count);
  expect(ratings.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(4_000);
  expect(posts.filter(({ counts }) => counts.join() === "0,0,0,0,0,0")).toHaveLength(1);
  expect(posts.filter(({ counts }) => counts.join() === "1,0,0,0,0,0")).toHaveLength(1);
  expect(posts.filter(({ title }) => /\p{Script=Arabic}/u.test(title))).toHaveLength(5);
  expect(posts.every(({ createdAt }) => createdAt < morning)).toBe(true);

  const flooded: typeof posts = [];
  for (const post of posts)
    if ((await first.attempts.latest(post.id, 1_000)).some(({ allowed }) => !allowed)) flooded.push(post);
  expect(flooded.map(({ author }) => author)).toEqual([demoLogin.author]);
  const held = posts.filter(({ windowCount }) => windowCount > 0);
  expect(held.map(({ author }) => author)).toEqual([demoLogin.author]);
  const windows = (await Promise.all(held.map(({ id }) => first.floodWindows.all(id)))).flat();
  expect(windows.map(({ status, counts }) => [status, counts[0]])).toEqual([["held", 130]]);
  for (const { id } of flooded) expect((await first.attempts.span(id)).last ?? 0).toBeLessThan(morning);

  for (const username of [demoLogin.author, demoLogin.administrator]) {
    const input = { username, password: demoLogin.password };
    const request = { input, address: "192.0.2.1", now: morning };
    expect(await logIn(contextOf(first), request)).toMatchObject({
      kind: "logged-in",
      user: { isAdministrator: username === demoLogin.administrator },
    });
  }
});

test.each([
  [
    "an error in the middle",
    "create trigger fails after insert on attempts when new.id = 2000 begin select raise(abort, 'no room'); end",
    "drop trigger fails",
    "no room",
  ],
  [
    "a disk that is full in the middle",
    "pragma max_page_count = 200",
    "pragma max_page_count = 1000000",
    "database or disk is full",
  ],
])(
  "After %s nothing of the demo is there, and another try fills it as ever",
  async (_, cause, end, message) => {
    const url = temporaryDatabaseUrl();
    const [database, onlooker] = [temporaryDatabase(url), temporaryDatabase(url)];
    database.sqlite.exec(cause);
    await expect(seed(database, morning)).rejects.toThrow(message);
    for (const { sqlite } of [database, onlooker])
      for (const table of tables) expect(sqlite.prepare(`select * from ${table}`).all(), table).toEqual([]);

    database.sqlite.exec(end);
    await seed(database, morning);
    const undisturbed = temporaryDatabase();
    await seed(undisturbed, morning);
    expect(contentHash(onlooker)).toBe(contentHash(undisturbed));
  },
  60_000,
);

const tables = [
  "users",
  "posts",
  "post_contents",
  "ratings",
  "former_raters",
  "rating_days",
  "flood_windows",
  "window_decisions",
  "attempts",
  "shadow_decisions",
  "attempt_counts",
  "shadow_counts",
  "limiter_states",
];

/** A hash over every row of every table. */
function contentHash({ sqlite }: SqliteDatabase): string {
  const hash = createHash("sha256");
  for (const table of tables)
    hash.update(JSON.stringify(sqlite.prepare(`select * from ${table} order by 1, 2`).all()));
  return hash.digest("hex");
}
