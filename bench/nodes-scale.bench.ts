/**
 * Whether a rating's cost on PostgreSQL depends on the post's number of ratings.
 * A million, or ten. As `scale.bench.ts` for SQLite. Both posts are in one database, with 1,100,000 users, the million
 * ratings and as many attempts. The million raters are spread over all users, so that a new rating falls anywhere in
 * the index, as it does in life. Both posts get the same new raters; after each round their ratings are withdrawn,
 * outside the measured time, so that ten stay ten.
 */
import { openPostgres } from "../db/dialects/postgres/index.ts";
import type { Database } from "../db/index.ts";
import { createGuard } from "../lib/limits/guard.ts";
import { limitsFrom } from "../lib/limits/index.ts";
import { createRating, updateRating, withdrawRating } from "../lib/ratings/index.ts";
import { parseSettings } from "../lib/settings/env.ts";
import { startPostgres } from "../testing/postgres-server.ts";
import { morning } from "./databases.ts";
import { inTurns, inverseOf, ratioOf, speedOf } from "./measure.ts";
import { addPost, addUsers, type Client, connect } from "./nodes/databases.ts";
import type { Figure } from "./table.ts";

export const title = "On PostgreSQL, a rating of a post with 1,000,000 ratings / of one with 10 (time)";

const rounds = 20;
const ratingsPerRound = 40;
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

export async function run(): Promise<Figure[]> {
  // Much more is filled in beforehand than is measured; none of it is to be written to disk meanwhile.
  const server = await startPostgres({ settings: { max_wal_size: "8GB", checkpoint_timeout: "1h" } });
  try {
    const url = await server.newDatabase();
    const database = await openPostgres(url, { poolSize: 1 });
    const sql = connect(url);
    await addUsers(sql, users);
    await addRatings(sql, await addPost(sql, "many"), users);
    await addRatings(sql, await addPost(sql, "few"), few);
    await sql`vacuum analyze`;
    await sql`checkpoint`;
    const figures: Figure[] = [];
    for (const verb of ["create", "update"] as const) {
      const speeds = await inTurns(rounds, {
        many: side(database, "many", verb),
        few: side(database, "few", verb),
      });
      figures.push({
        name: verb,
        value: inverseOf(ratioOf(speeds.many, speeds.few)),
        target: { within: 1.2 },
      });
    }
    await requireTen(sql);
    await Promise.all([database.close(), sql.end()]);
    return figures;
  } finally {
    await server.stop();
  }
}

/**
 * Ratings by the first `upTo` users, but for every eleventh.
 * With an attempt for each, and counted.
 */
async function addRatings(sql: Client, postId: number, upTo: number): Promise<void> {
  const raters = `from generate_series(1, ${upTo}) as id where id % ${freeEvery} <> 0`;
  // Without looking up for each row whether there is such a post and such a user, which there are.
  await sql.unsafe(`
    set session_replication_role = replica;
    insert into ratings (post_id, user_id, score, created_at, updated_at)
    select ${postId}, id, id % 6, ${morning}, ${morning} + id ${raters};
    insert into attempts (post_id, user_id, at, verb, score, allowed, policy, reason)
    select ${postId}, id, ${morning} + id, 'create', id % 6, true, 'rating.post', '{}' ${raters};
    set session_replication_role = origin;
    update posts set ${[0, 1, 2, 3, 4, 5]
      .map(
        (score) =>
          `count_${score} = (select count(*) from ratings where post_id = ${postId} and score = ${score})`,
      )
      .join()} where id = ${postId}`);
}

/**
 * One side: a round of ratings by users spread over all that are free.
 * An update changes ratings made just before.
 */
function side(database: Database, slug: string, verb: "create" | "update") {
  const context = { database, limits, guard: createGuard({ database }) };
  const freeUsers = users / freeEvery;
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
    if (verb === "update") await rateAll(createRating, round % 6);
    const speed =
      verb === "create"
        ? await rateAll(createRating, round % 6)
        : await rateAll(updateRating, (round + 1) % 6);
    for (const userId of raters) await withdrawRating({ database }, { slug, userId, now });
    return speed;
  };
}

/**
 * Throws when the posts have not kept their ratings.
 * Then something else has been compared.
 */
async function requireTen(sql: Client): Promise<void> {
  const rows = await sql<{ slug: string; rating_count: number }[]>`select slug, rating_count from posts`;
  for (const { slug, rating_count } of rows)
    if (rating_count !== { few, many }[slug])
      throw new Error(`The post ${slug} has ${rating_count} ratings.`);
}
