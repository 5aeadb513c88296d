/**
 * Runs random operations on a blog until it is killed.
 * Four run concurrently, so that transactions share commits. Its clock jumps up to ten minutes back and forth;
 * the seed decides the operations and times. Prints an operation's name, outcome and time once it is answered.
 */
import { writeSync } from "node:fs";
import { isUnavailable } from "../../db/index.ts";
import { seededRandom } from "../../lib/random/seeded-random.ts";
import { minuteMs } from "../../lib/time/units.ts";
import { type Cast, type CastMember, openBlog } from "./blog.ts";
import { type Entry, recorded } from "./journal.ts";
import { type BlogOperation, execute } from "./operations.ts";

const jumpMs = 10 * minuteMs;

const [url = "", name = "", seed = "", writerSeed = "", startAt = "", castText = ""] = process.argv.slice(2);
const cast: Cast = JSON.parse(castText);
const random = seededRandom(Number(writerSeed));
const below = (count: number) => Math.floor(random() * count);
const pick = <T>(choices: readonly T[]): T | undefined => choices[below(choices.length)];

let time = Number(startAt);
let aheadMs = 0;
const blog = await openBlog(url, () => aheadMs);
const underWay = 4;
let lastNumber = 0;

/** Some of the raters, each with the post. */
let rated: { slug: string; user: CastMember }[] = [];
/** Accounts that this writer has disabled. */
const disabledIds: number[] = [];
/** A flood of one score at one post, for this many more operations. */
let flood = { left: 0, slug: "", score: 0 };

for (let count = 0; count < underWay; count += 1) void operate();

/** Executes one operation after the other. */
async function operate(): Promise<never> {
  let current: Pick<Entry, "id" | "operation"> = { id: name, operation: { kind: "move", now: time } };
  const database = recorded(blog, () => current);

  async function answered(operation: BlogOperation, number: number): Promise<string> {
    current = { id: `${name} ${number} ${operation.kind}`, operation };
    const outcome = await execute(database, operation, Number(seed)).catch((error: unknown) => {
      if (!isUnavailable(error)) throw error;
      return "unavailable";
    });
    writeSync(1, `${JSON.stringify([current.id, outcome, time])}\n`);
    return outcome;
  }

  for (;;) {
    lastNumber += 1;
    const number = lastNumber;
    if (flood.left === 0 && random() < 0.03)
      flood = { left: 20 + below(40), slug: pick(cast.posts)?.slug ?? "", score: below(2) * 5 };
    const isFlood = flood.left > 0;
    if (isFlood) flood.left -= 1;
    time += isFlood ? below(100) : below(10_000);
    if (random() < 0.03) aheadMs = below(2 * jumpMs) - jumpMs;
    const operation = await next(isFlood, time + aheadMs, `${name} ${number}`);
    if (!operation) continue;
    const outcome = await answered(operation, number);
    if (operation.kind === "create" && outcome !== "no-such-post")
      rated = [operation, ...rated.slice(0, 40)].map(({ slug, user }) => ({ slug, user }));
    if (outcome === "already-rated" && operation.kind === "create")
      await answered({ ...operation, kind: "update" }, number);
  }
}

async function next(isFlood: boolean, now: number, why: string): Promise<BlogOperation | undefined> {
  const rater = pick(cast.raters);
  const post = pick(cast.posts);
  if (!rater || !post) return undefined;
  const act = random();
  if (isFlood && act < 0.8) return { kind: "create", slug: flood.slug, user: rater, score: flood.score, now };
  const { slug } = post;
  if (act < 0.45) return { kind: "create", slug, user: rater, score: below(6), now };
  if (act < 0.58) {
    const { slug, user } = pick(rated) ?? { slug: post.slug, user: rater };
    return { kind: "withdraw", slug, userId: user.id, now };
  }
  if (act < 0.65) return decision(now);
  if (act < 0.71) return { kind: "catch up", now };
  if (act < 0.8) return { kind: "move", now };
  if (act < 0.91) return { kind: "remove", now };
  if (act < 0.93) return { kind: "prune", now };
  if (act < 0.98) return accountChange(now, why);
  if (act < 0.997) {
    const leaving = pick(cast.raters.slice(cast.keptRaters));
    return leaving && { kind: "delete account", userId: leaving.id, now };
  }
  const gone = pick(cast.posts.slice(cast.keptPosts));
  return gone && { kind: "delete post", slug: gone.slug, user: gone.author, now };
}

async function decision(now: number): Promise<BlogOperation | undefined> {
  const windows = [];
  const { posts, floodWindows } = blog.database;
  for (const { slug } of cast.posts) {
    const post = await posts.idOf(slug);
    const all = post ? await floodWindows.all(post.id) : [];
    windows.push(...all.map(({ number, decisions }) => ({ slug, number, after: decisions })));
  }
  const window = pick(windows);
  const decider = pick(cast.moderators);
  const status = pick(["counted", "excluded"]);
  return window && decider && status
    ? { kind: "decide", ...window, userId: decider.id, status, now }
    : undefined;
}

function accountChange(now: number, why: string): BlogOperation {
  const isEnabling = disabledIds.length > 0 && random() < 0.6;
  const some: CastMember[] = [...cast.raters, ...cast.moderators];
  const userIds = isEnabling
    ? disabledIds.splice(0, 1 + below(3))
    : Array.from({ length: 1 + below(3) }, () => pick(some)?.id ?? 0);
  if (!isEnabling) disabledIds.push(...userIds);
  return {
    kind: "change accounts",
    disabled: !isEnabling,
    userIds,
    byUserId: cast.administrator.id,
    why,
    now,
  };
}
