/**
 * A rating by hand: the statements that `lib/ratings` has PostgreSQL run, in the same transaction (what it sends together is
 * sent together here), prepared, through postgres.js, with no more around them than they need. As `raw-rating.ts`, it
 * checks no input, knows one limit, and can neither refuse nor hold.
 */
import type { Sql } from "postgres";
import { type Counts, withRating } from "../lib/ratings/score.ts";
import type { Score } from "../lib/ratings/scores.ts";
import { settledByChange, settledByNewRating, settledMovesAt } from "../lib/ratings/settled-score.ts";
import type { RawRating } from "./raw-rating.ts";

interface TallyRow {
  count_0: number;
  count_1: number;
  count_2: number;
  count_3: number;
  count_4: number;
  count_5: number;
  settled_score: number | null;
  settled_velocity: number;
  settled_at: number;
  rater_count: number;
  first_rated_at: number;
  last_rater_at: number;
  window_count: number;
}

interface BucketState {
  level: number;
  unitsPerRequest: number;
  updatedAt: number;
}

/** Of the app's own lock for limiter states (`db/dialects/postgres/locks.ts`): both sides pay for the same. */
const limiterStates = 7_377_004;
const dayMs = 86_400_000;
// The bucket counts in thousandths of a request, of which `leakPerSecond` leak in a millisecond.
const unitsPerRequest = 1_000;

/**
 * The function that saves one rating through this client, under a leaky bucket that is never full. The client has one
 * connection and reads `bigint` as a number.
 */
export function rawPostgresRatings(
  sql: Sql<{ bigint: number }>,
  { capacity, leakPerSecond }: { capacity: number; leakPerSecond: number },
): (rating: RawRating) => Promise<void> {
  return save;

  async function save({ verb, slug, userId, score, now }: RawRating): Promise<void> {
    await sql.unsafe("begin");
    const [post] = await sql<{ id: number }[]>`
      select id, author_id from posts where slug = ${slug} for no key update`;
    if (!post) throw new Error("no such post");
    const postId = post.id;
    const [existing] = await sql<{ score: Score; created_at: number }[]>`
      select score, created_at, updated_at, "window" from ratings where post_id = ${postId} and user_id = ${userId}`;
    if ((verb === "create") === (existing !== undefined)) throw new Error(`cannot ${verb}`);

    const key = `rating.post:leaky-bucket:${postId}${existing ? ":changes" : ""}`;
    const [, [saved]] = await Promise.all([
      sql`select pg_advisory_xact_lock(hashtextextended(key, ${limiterStates})) from unnest(${[key]}::text[]) as key`,
      sql<{ state: string }[]>`select key, state from limiter_states where key = any(${[key]}::text[])`,
    ]);
    const [before, expiresAt]: [BucketState?, number?] = saved === undefined ? [] : JSON.parse(saved.state);
    const state = expiresAt !== undefined && expiresAt > now ? before : undefined;
    const leaked = state ? Math.max(0, state.level - (now - state.updatedAt) * leakPerSecond) : 0;
    const level = leaked + unitsPerRequest;
    if (level > capacity * unitsPerRequest) throw new Error("the bucket is full");
    const lastsMs = Math.ceil(level / leakPerSecond);
    const until = now + lastsMs;
    const next = JSON.stringify([{ level, unitsPerRequest, updatedAt: now }, until]);
    const stateSaved = sql`
      insert into limiter_states (key, state, expires_at)
      select * from unnest(${[key]}::text[], ${[next]}::text[], ${[until + lastsMs]}::bigint[])
      on conflict (key) do update set state = excluded.state, expires_at = case
        when limiter_states.expires_at
          between excluded.expires_at - (excluded.expires_at - ${now}::bigint) / 2
          and excluded.expires_at + (excluded.expires_at - ${now}::bigint) / 2
        then limiter_states.expires_at
        else excluded.expires_at
      end`.execute();

    if (!existing)
      await sql`select "window" from former_raters where post_id = ${postId} and user_id = ${userId}`;
    const [row] = await sql<TallyRow[]>`
      select count_0, count_1, count_2, count_3, count_4, count_5, settled_score, settled_velocity, settled_at,
        rater_count, first_rated_at, last_rater_at, window_count, due_at from posts where id = ${postId}
      for no key update`;
    if (!row) throw new Error("no such post");

    const change = (of: number) => Number(of === score) - Number(of === existing?.score);
    const day = Math.floor((existing?.created_at ?? now) / dayMs);
    const moveOnDay = sql`
      insert into rating_days (post_id, day, count_0, count_1, count_2, count_3, count_4, count_5)
      values (${postId}, ${day}, ${change(0)}, ${change(1)}, ${change(2)}, ${change(3)}, ${change(4)}, ${change(5)})
      on conflict (post_id, day) do update set count_0 = rating_days.count_0 + excluded.count_0,
        count_1 = rating_days.count_1 + excluded.count_1, count_2 = rating_days.count_2 + excluded.count_2,
        count_3 = rating_days.count_3 + excluded.count_3, count_4 = rating_days.count_4 + excluded.count_4,
        count_5 = rating_days.count_5 + excluded.count_5`;
    await Promise.all(
      existing
        ? [
            sql`update ratings set score = ${score}, updated_at = ${now}, "window" = ${null}
              where post_id = ${postId} and user_id = ${userId}`,
            moveOnDay,
          ]
        : [
            sql`insert into ratings (post_id, user_id, score, created_at, updated_at, "window")
              values (${postId}, ${userId}, ${score}, ${now}, ${now}, ${null})`,
            sql`delete from former_raters where post_id = ${postId} and user_id = ${userId}`,
            moveOnDay,
          ],
    );

    const { counts, next: settled, dueAt } = moved(row, now, existing?.score, score);
    const tallySaved = sql`
      update posts set count_0 = ${counts[0]}, count_1 = ${counts[1]}, count_2 = ${counts[2]}, count_3 = ${counts[3]},
        count_4 = ${counts[4]}, count_5 = ${counts[5]}, settled_score = ${settled.score},
        settled_velocity = ${settled.velocity}, settled_at = ${settled.at}, rater_count = ${settled.raters},
        first_rated_at = ${settled.firstAt}, last_rater_at = ${settled.lastRaterAt},
        window_count = ${row.window_count}, due_at = ${dueAt} where id = ${postId}`;

    const levelBefore = leaked / unitsPerRequest;
    const reason = {
      algorithm: "leaky-bucket",
      neverFits: false,
      level: levelBefore,
      capacity,
      leakPerSecond,
    };
    const recorded = sql`
      insert into attempts (post_id, user_id, at, verb, score, allowed, held, policy, reason)
      values (${postId}, ${userId}, ${now}, ${verb}, ${score}, ${true}, ${false}, ${"rating.post"},
        ${JSON.stringify(reason)})
      on conflict (user_id, post_id, minute, verb, allowed, held) do update set count = attempts.count + 1,
        lasted_ms = attempts.lasted_ms + excluded.at - attempts.at, at = excluded.at, score = excluded.score,
        policy = excluded.policy, reason = excluded.reason`;
    const [minute, hour] = [now - (now % 60_000), now - (now % 3_600_000)];
    const counted = sql`
      insert into attempt_counts (post_id, interval_ms, begins_at, accepted, held, refused, lowest, highest)
      values (${postId}, 60000, ${minute}, 1, 0, 0, ${levelBefore}, ${levelBefore}),
        (${postId}, 3600000, ${hour}, 1, 0, 0, ${levelBefore}, ${levelBefore})
      on conflict (post_id, interval_ms, begins_at) do update set
        accepted = attempt_counts.accepted + excluded.accepted,
        lowest = least(attempt_counts.lowest, excluded.lowest),
        highest = greatest(attempt_counts.highest, excluded.highest)`;
    const committed = sql.unsafe("commit");
    const answers = await Promise.all([stateSaved, tallySaved, recorded, counted, committed]);
    if (answers[4].command !== "COMMIT") throw new Error("PostgreSQL did not commit");
  }
}

/** What becomes of a post's tally. */
function moved(row: TallyRow, now: number, from: Score | undefined, to: Score) {
  const before: Counts = [row.count_0, row.count_1, row.count_2, row.count_3, row.count_4, row.count_5];
  const settled = {
    score: row.settled_score,
    velocity: row.settled_velocity,
    raters: row.rater_count,
    firstAt: row.first_rated_at,
    lastRaterAt: row.last_rater_at,
    at: row.settled_at,
  };
  const without = from !== undefined ? withRating(before, from, -1) : before;
  const counts = withRating(without, to, 1);
  const next =
    from !== undefined
      ? settledByChange(settled, now, before, counts)
      : settledByNewRating(settled, now, before, to);
  return { counts, next, dueAt: settledMovesAt(next, counts, 0.005) };
}
