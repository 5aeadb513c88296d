/**
 * Whether a rating's cost depends on the number of ratings.
 * On a post that has a million ratings, and on one that has ten.
 *
 * Both posts are in one file, which has 1,100,000 users, the million ratings and as many attempts: so nothing
 * differs but the post, and the small one gains nothing from a small file. The million raters are spread over all
 * users, so that a new rating falls anywhere in the index, as it does in life. Both posts get the same new raters;
 * after each round their ratings are withdrawn, outside the measured time, so that ten stay ten.
 *
 * The last lines compare the large post with one of ten ratings in a small file of its own: that is the cost of the
 * whole blog's size, the disk's cache included, and it has no target.
 */
import { join } from "node:path";
import type { Database as Sqlite } from "better-sqlite3";
import { openSqlite, type SqliteDatabase } from "../db/dialects/sqlite/index.ts";
import { createGuard } from "../lib/limits/guard.ts";
import { limitsFrom } from "../lib/limits/index.ts";
import { createRating, updateRating, withdrawRating } from "../lib/ratings/index.ts";
import { parseSettings } from "../lib/settings/env.ts";
import { addPost, addUsers, fill, inFolder, morning } from "./databases.ts";
import { inTurns, inverseOf, ratioOf, speedOf } from "./measure.ts";
import type { Figure } from "./table.ts";

export const title = "A rating of a post with 1,000,000 ratings / of one with 10 (time)";

const rounds = 30;
const ratingsPerRound = 50;
const few = 10;
const many = 1_000_000;
/** Of this many neighbouring users one has not rated. */
const freeEvery = 11;
const users = (many / (freeEvery - 1)) * freeEvery;

const limits = limitsFrom(
  parseSettings({
    LEAKY_BUCKET_CAPACITY: "1000000",
    LIMITS: '{"rating.user": {"mode": "off"}, "rating.change": {"mode": "off"}}',
  }),
);

export function run(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const large = openSqlite(`file:${join(folder, "large.db")}`);
    const small = openSqlite(`file:${join(folder, "small.db")}`);
    fill(large.sqlite, () => {
      addUsers(large.sqlite, users);
      addRatings(large.sqlite, addPost(large.sqlite, "many"), users);
      addRatings(large.sqlite, addPost(large.sqlite, "few"), few);
    });
    fill(small.sqlite, () => {
      addUsers(small.sqlite, users / 1_000);
      addRatings(small.sqlite, addPost(small.sqlite, "few"), few);
    });
    const verbs = ["create", "update"] as const;
    const figures: Figure[] = [];
    const explanations: Figure[] = [];
    for (const verb of verbs) {
      const speeds = await inTurns(rounds, {
        many: side(large, "many", users, verb),
        few: side(large, "few", users, verb),
        alone: side(small, "few", users / 1_000, verb),
      });
      figures.push({
        name: verb,
        value: inverseOf(ratioOf(speeds.many, speeds.few)),
        target: { within: 1.2 },
      });
      explanations.push({
        name: `${verb}, the ten in a small file`,
        value: inverseOf(ratioOf(speeds.many, speeds.alone)),
      });
    }
    await large.close();
    await small.close();
    return [...figures, ...explanations];
  });
}

/**
 * Ratings by the first `upTo` users, but for every eleventh.
 * With an attempt for each, and counted.
 */
function addRatings(sqlite: Sqlite, postId: number, upTo: number): void {
  const raters = `from users where id % ${freeEvery} <> 0 and id <= ${upTo}`;
  sqlite.exec(
    `insert into ratings (post_id, user_id, score, created_at, updated_at)
     select ${postId}, id, id % 6, ${morning}, ${morning} ${raters};
     insert into attempts (post_id, user_id, at, verb, score, allowed, policy, reason)
     select ${postId}, id, ${morning} + id, 'create', id % 6, 1, 'rating.post', '{}' ${raters};`,
  );
  for (const score of [0, 1, 2, 3, 4, 5])
    sqlite.exec(
      `update posts set count_${score} =
       (select count(*) from ratings where post_id = ${postId} and score = ${score}) where id = ${postId};`,
    );
}

/**
 * One side: a round of ratings by users spread over all that are free.
 * An update changes ratings made just before.
 */
function side(database: SqliteDatabase, slug: string, userCount: number, verb: "create" | "update") {
  const context = { database, limits, guard: createGuard({ database }) };
  const freeUsers = userCount / freeEvery;
  let now = morning + users;
  let round = 0;
  const rate = async (save: typeof createRating, userId: number, score: number) => {
    now += 1;
    const user = { id: userId, username: `user-${userId}` };
    const { kind } = await save(context, { slug, user, address: "192.0.2.1", input: { score }, now });
    if (kind !== "saved" && kind !== "held") throw new Error(`The rating was not saved: ${kind}`);
  };
  return async () => {
    // Strides of a prime number visit the free users far from each other, each once before any a second time.
    const raters = Array.from(
      { length: ratingsPerRound },
      (_, index) => freeEvery * (1 + (((round * ratingsPerRound + index) * 7_919) % freeUsers)),
    );
    round += 1;
    const rateAll = (save: typeof createRating, score: number) =>
      speedOf(ratingsPerRound, (index) => rate(save, raters[index] ?? 0, score));
    // Unmeasured work need not wait for the disk.
    if (verb === "update") await withoutWaiting(database, () => rateAll(createRating, round % 6));
    const speed =
      verb === "create"
        ? await rateAll(createRating, round % 6)
        : await rateAll(updateRating, (round + 1) % 6);
    await withoutWaiting(database, async () => {
      for (const userId of raters) await withdrawRating({ database }, { slug, userId, now });
    });
    return speed;
  };
}

async function withoutWaiting({ sqlite }: SqliteDatabase, work: () => unknown): Promise<void> {
  sqlite.pragma("synchronous = OFF");
  await work();
  sqlite.pragma("synchronous = FULL");
}
