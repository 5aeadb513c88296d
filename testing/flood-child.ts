/**
 * Makes floods until it is killed, on the given post with the given users.
 * They rate, change and withdraw at a usual pace and in bursts; windows open and close, and count by themselves or by
 * a decision. Prints a line for each action; the seed decides the next one.
 */
import { writeSync } from "node:fs";
import { openDatabase } from "../db/index.ts";
import { seededRandom } from "../lib/lab/seeded-random.ts";
import { createRating, updateRating, withdrawRating } from "../lib/ratings/index.ts";
import { catchUp } from "../lib/ratings/saved-tally.ts";
import { scoringDefaults } from "../lib/ratings/tally.ts";
import { decideWindow } from "../lib/ratings/windows.ts";
import { contextOf, limitsWith, morning } from "./content.ts";

const [url = "", seed = "", slug = "", deciderId = "", userList = "", startAt = ""] = process.argv.slice(2);
const report = (error: unknown) => {
  throw error;
};
const limits = limitsWith({
  RATING_OVERFLOW: "hold",
  RATING_LIMITER: "leaky-bucket",
  LEAKY_BUCKET_CAPACITY: "3",
  LEAKY_BUCKET_LEAK_PER_SECOND: "0.1",
  LIMITS: '{"rating.user": {"mode": "off"}, "rating.change": {"mode": "off"}}',
});
const database = await openDatabase(url);
const context = { ...contextOf(database, limits, { report }), scoring: scoringDefaults };
const decider = { id: Number(deciderId) };
const random = seededRandom(Number(seed));
const users = userList.split(",").map(Number);
const pick = <T>(choices: readonly T[]): T | undefined => choices[Math.floor(random() * choices.length)];

let now = Number(startAt) || morning;
for (let round = 0; ; round += 1) {
  const burst = round % 3 === 2;
  for (let step = 0; step < 12; step += 1) {
    now += burst ? 50 : 60_000;
    const id = pick(users) ?? 0;
    const act = random();
    if (act < 0.15) print((await withdrawRating(context, { slug, userId: id, now })).kind);
    else if (act < 0.25) print(await decide());
    else print(await rate(id, burst ? 0 : 3 + Math.floor(random() * 3)));
  }
  if (round % 4 === 3) {
    now += random() < 0.5 ? 3_600_000 : 15 * 86_400_000;
    await catchUp(database, now, scoringDefaults, report);
    print("caught-up");
  }
}

async function rate(id: number, score: number): Promise<string> {
  const request = {
    slug,
    user: { id, username: `rater-${id}` },
    address: "192.0.2.1",
    input: { score },
    now,
  };
  const created = await createRating(context, request);
  return (created.kind === "already-rated" ? await updateRating(context, request) : created).kind;
}

async function decide(): Promise<string> {
  const post = await database.posts.idOf(slug);
  const window = post && pick(await database.floodWindows.all(post.id));
  if (!window) return "no-window";
  const input = { status: pick(["counted", "excluded"]), why: "A test decides.", after: window.decisions };
  return (await decideWindow(context, { slug, number: window.number, user: decider, input, now })).kind;
}

function print(word: string) {
  writeSync(1, `${word} ${now}\n`);
}
