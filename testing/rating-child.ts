/**
 * Rates the given posts by the given users through lib/ratings until killed.
 * Its seed decides the random order. Prints `sent <slug> <user> <score>` before each try and `saved …` or `refused …`
 * after it; each line is written before the next action begins.
 */
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../db/index.ts";
import { seededRandom } from "../lib/random/seeded-random.ts";
import { createRating, type RatingRequest, updateRating } from "../lib/ratings/index.ts";
import { contextOf, limitsWith, morning } from "./content.ts";

export interface RaterOptions {
  /** The number of concurrent ratings, each by users of its own. */
  inFlight?: number;
  /** As many as possible unless set. */
  perSecond?: number;
  /** The time of the first rating, and the time between two. */
  from?: number;
  everyMs?: number;
}

const [url = "", seed = "", slugList = "", userList = "", options = "{}"] = process.argv.slice(2);
const { inFlight = 1, perSecond, from = morning, everyMs = 20 }: RaterOptions = JSON.parse(options);
// A database that cannot be used ends this process: that is not a refusal.
const report = (error: unknown) => {
  throw error;
};
const context = contextOf(await openDatabase(url), limitsWith(), { report });
const random = seededRandom(Number(seed));
const slugs = slugList.split(",");
const users = userList.split(",").map(Number);
const startedAt = performance.now();
let sent = 0;

for (let number = 0; number < inFlight; number += 1)
  void rate(users.filter((_, index) => index % inFlight === number));

async function rate(raters: readonly number[]): Promise<never> {
  const pick = <T>(choices: readonly T[]): T | undefined => choices[Math.floor(random() * choices.length)];
  for (;;) {
    const dueInMs = perSecond ? startedAt + (sent / perSecond) * 1_000 - performance.now() : 0;
    const now = from + sent * everyMs;
    sent += 1;
    if (dueInMs > 0) await sleep(dueInMs);
    const slug = pick(slugs) ?? "";
    const id = pick(raters) ?? 0;
    const score = Math.floor(random() * 6);
    const user = { id, username: `rater-${id}` };
    const request = { slug, user, address: "192.0.2.1", input: { score }, now };
    print("sent", request);
    const created = await createRating(context, request);
    const outcome = created.kind === "already-rated" ? await updateRating(context, request) : created;
    print(outcome.kind === "saved" ? "saved" : "refused", request);
  }
}

function print(word: string, { slug, user, input }: RatingRequest & { input: { score: number } }) {
  writeSync(1, `${word} ${slug} ${user.id} ${input.score}\n`);
}
