/**
 * Waits for a post's lock on PostgreSQL while an account is deleted.
 * The account has 10,000 ratings. It is deleted in one transaction, as earlier, or marked and removed a few ratings at
 * a time. Each as a ratio to the wait while nothing is deleted.
 */
import { openPostgres } from "../db/dialects/postgres/index.ts";
import { eraseRating } from "../lib/ratings/index.ts";
import { scoringDefaults } from "../lib/ratings/tally/tally.ts";
import { removeAll } from "../lib/removals/index.ts";
import { startPostgres } from "../scripts/cluster/start-postgres.ts";
import { patientTimeouts } from "../testing/postgres-server.ts";
import { morning } from "./databases.ts";
import { connect } from "./nodes/databases.ts";
import type { Figure } from "./table.ts";
import { waitsAgainstIdle } from "./waits.ts";

export const title = "Waits for a post's lock while an account is deleted / while none is";

const postsOfAccount = 10_000;
const ratersOfEach = 20;
const now = morning + 86_400_000;
/** Waiting requests are to be measured, not given up. */
const patient = { timeouts: patientTimeouts };

export async function run(): Promise<Figure[]> {
  const server = await startPostgres();
  try {
    const url = await server.newDatabase();
    const [database, prober] = [await openPostgres(url, patient), await openPostgres(url, patient)];
    const sql = connect(url);
    const account = ratersOfEach + 1;
    await sql.unsafe(`
      insert into users (username, username_key, email, email_key, password_hash, created_at)
        select n, n, n, n, 'none', ${morning} from (select 'user-' || n as n from generate_series(1, ${account + 1}) as n);
      insert into posts (slug, title, author_id, created_at, updated_at, count_3, settled_score, rater_count, settled_at,
        first_rated_at, last_rater_at)
        select 'post-' || n, 'Post', 1, ${morning}, ${morning}, ${account + 1}, 3, ${account + 1}, ${morning}, ${morning}, ${morning}
        from generate_series(1, ${postsOfAccount}) as n;
      insert into ratings (post_id, user_id, score, created_at, updated_at)
        select post, rater, 3, ${morning} + rater, ${morning} + rater
        from generate_series(1, ${postsOfAccount}) as post, generate_series(1, ${account + 1}) as rater;
      insert into rating_days (post_id, day, count_3)
        select post, ${Math.floor(morning / 86_400_000)}, ${account + 1} from generate_series(1, ${postsOfAccount}) as post;
      analyze`);
    let place = 0;
    const probe = () => {
      place = (place + 7_919) % postsOfAccount;
      return prober.transaction(() => prober.tallies.find(place + 1));
    };
    const figures = [
      ...(await waitsAgainstIdle("an account with 10,000 ratings, in one transaction", probe, () =>
        database.transaction(async () => {
          for (let postId = 1; postId <= postsOfAccount; postId += 1)
            await eraseRating(database, { postId, userId: account, now }, scoringDefaults);
        }),
      )),
      ...(await waitsAgainstIdle("an account with 10,000 ratings, a few at a time", probe, async () => {
        await database.transaction(() => database.users.markDeleted(account + 1, now));
        await removeAll({ database, scoring: scoringDefaults }, () => now);
      })),
    ];
    await Promise.all([database.close(), prober.close(), sql.end()]);
    return figures;
  } finally {
    await server.stop();
  }
}
