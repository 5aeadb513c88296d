/** The built server with a clock that is ahead changes no score and no flood. */

import { dayMs, hourMs } from "../lib/time/units.ts";
import { type PostgresServer, startPostgres } from "../scripts/cluster/start-postgres.ts";
import findFaketime, { installHint } from "../scripts/find-faketime.mjs";
import { gather } from "./crowd.ts";
import { ratePast } from "./past-ratings.ts";
import { newName, postPath } from "./people.ts";
import type { Server, ServerSettings } from "./server.ts";
import { test as base, expect } from "./test.ts";

const test = base.extend<{ postgres: PostgresServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from the pattern
  postgres: async ({}, use) => {
    const postgres = await startPostgres();
    await use(postgres);
    await postgres.stop();
  },
});

/** A score that has yet to settle, and a flood that is held for two weeks. */
const past = [
  { scores: [3, 4, 4, 3], count: 60, agoMs: 20 * dayMs, everyMs: 6 * hourMs },
  { scores: [0, 1], count: 20, agoMs: 5 * dayMs, everyMs: 6 * hourMs },
  { scores: [0], count: 100, agoMs: 4 * hourMs, everyMs: 1_200 },
];
const days = [15, 365];

test("on SQLite, a page view with a clock 15 days or a year ahead leaves the score and the held flood", ({
  startServer,
}) => leavesScores(startServer, {}));

test("on PostgreSQL, a page view with a clock 15 days or a year ahead leaves the score and the held flood", async ({
  startServer,
  postgres,
}) => leavesScores(startServer, { DATABASE_URL: await postgres.newDatabase() }));

async function leavesScores(
  startServer: (settings: ServerSettings) => Promise<Server>,
  settings: ServerSettings,
): Promise<void> {
  const library = findFaketime();
  if (library === undefined) throw new Error(installHint);
  const server = await startServer({ RATING_OVERFLOW: "hold", ...settings });
  const [author] = await gather(server, 1);
  if (!author) throw new Error("There is an author.");
  const posted = await author.send("POST", "/api/posts", { title: newName("Ahead"), content: "Words." });
  const { slug }: { slug: string } = await posted.json();
  await ratePast(server, slug, past);
  const before = await scoreOf(server, slug);
  expect(before.settling).toBe(true);
  expect(before.count).toBeLessThan(100); // of 180

  for (const ahead of days) {
    await server.kill();
    await server.start({
      LD_PRELOAD: library,
      FAKETIME: `+${ahead}d`,
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    });
    for (const path of ["/", postPath(slug), `/api/posts/${slug}/score`]) {
      const { status, headers } = await fetch(server.origin + path);
      expect(status, path).toBe(200);
      // The server's own clock is ahead.
      expect(Date.parse(headers.get("date") ?? "") - Date.now()).toBeGreaterThan((ahead - 1) * dayMs);
    }
  }
  await server.kill();
  await server.start();
  const { settled, ...after } = await scoreOf(server, slug);
  const { settled: settledBefore, ...others } = before;
  expect(after).toEqual(others);
  // An hour ahead is trusted at once; 15 days would end the settling.
  expect(Math.abs(settled - settledBefore)).toBeLessThan(0.01);
}

interface ScoreJson {
  count: number;
  settled: number;
  settling: boolean;
}

async function scoreOf({ origin }: Server, slug: string): Promise<ScoreJson> {
  return await (await fetch(`${origin}/api/posts/${slug}/score`)).json();
}
