/**
 * Whether a rating's cost depends on the number of ratings.
 * It compares a post that has a million ratings with one that has ten.
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
import { addPost, addUsers, fill, inFolder, morning } from "./databases.ts";
import { inTurns, inverseOf, ratioOf } from "./measure.ts";
import { few, freeEvery, ratingSide, users } from "./scale-side.ts";
import type { Figure } from "./table.ts";

export const title = "A rating of a post with 1,000,000 ratings / of one with 10 (time)";

const rounds = 30;
const ratingsPerRound = 50;

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

function side(database: SqliteDatabase, slug: string, userCount: number, verb: "create" | "update") {
  // Unmeasured work need not wait for the disk.
  const unmeasured = (work: () => Promise<unknown>) => withoutWaiting(database, work);
  return ratingSide(database, { slug, verb, ratingsPerRound, userCount, unmeasured });
}

async function withoutWaiting({ sqlite }: SqliteDatabase, work: () => Promise<unknown>): Promise<void> {
  sqlite.pragma("synchronous = OFF");
  await work();
  sqlite.pragma("synchronous = FULL");
}
