/**
 * Whether a rating's cost on PostgreSQL depends on the post's number of ratings.
 * A million, or ten. As `scale.bench.ts` for SQLite. Both posts are in one database, with 1,100,000 users, the million
 * ratings and as many attempts. The million raters are spread over all users, so that a new rating falls anywhere in
 * the index, as it does in life. Both posts get the same new raters; after each round their ratings are withdrawn,
 * outside the measured time, so that ten stay ten.
 */
import { openPostgres } from "../db/dialects/postgres/index.ts";
import { startPostgres } from "../testing/postgres-server.ts";
import { morning } from "./databases.ts";
import { inTurns, inverseOf, ratioOf } from "./measure.ts";
import { addPost, addUsers, connect, type SqlClient } from "./nodes/databases.ts";
import { few, freeEvery, many, ratingSide, users } from "./scale-side.ts";
import type { Figure } from "./table.ts";

export const title = "On PostgreSQL, a rating of a post with 1,000,000 ratings / of one with 10 (time)";

const rounds = 20;
const ratingsPerRound = 40;

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
        many: ratingSide(database, { slug: "many", verb, ratingsPerRound }),
        few: ratingSide(database, { slug: "few", verb, ratingsPerRound }),
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
async function addRatings(sql: SqlClient, postId: number, upTo: number): Promise<void> {
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
 * Throws when the posts have not kept their ratings.
 * Then something else has been compared.
 */
async function requireTen(sql: SqlClient): Promise<void> {
  const rows = await sql<{ slug: string; rating_count: number }[]>`select slug, rating_count from posts`;
  for (const { slug, rating_count } of rows)
    if (rating_count !== { few, many }[slug])
      throw new Error(`The post ${slug} has ${rating_count} ratings.`);
}
