/**
 * A rating by hand on PostgreSQL, through postgres.js.
 *
 * The statements of `lib/ratings`.
 *
 * They run in the same transaction (pipelined where the app pipelines), prepared, without any layer. As
 * `raw-rating.ts`, it checks no input, can neither refuse nor hold, and is given the flood detector's state.
 */
import type { Sql } from "postgres";
import type { Score } from "../lib/ratings/score/score.ts";
import { dayMs } from "../lib/time/units.ts";
import { bucketsOf, filled, levelIn, moved, type RawRating, reasonOf, type TallyRow } from "./raw-rating.ts";

/**
 * Of the app's own lock for limiter states (`db/dialects/postgres/locks.ts`).
 * Both sides pay for the same.
 */
const limiterStates = 7_377_004;

/**
 * Creates a function that saves one rating through this client.
 * Under the default limits, which must not be exceeded.
 *
 * The client has one connection and reads `bigint` as a number.
 */
export function rawPostgresRatings(sql: Sql<{ bigint: number }>): (rating: RawRating) => Promise<void> {
  return save;

  async function save({ verb, slug, userId, score, now, detector }: RawRating): Promise<void> {
    await sql.unsafe("begin");
    const [post] = await sql<TallyRow[]>`
      select id, author_id, count_0, count_1, count_2, count_3, count_4, count_5, settled_score, settled_velocity,
        settled_at, rater_count, first_rated_at, last_rater_at, window_count, detector, due_at
      from posts where slug = ${slug} and deleted_at is null
        and exists (select 1 from users where users.id = posts.author_id and users.deleted_at is null)
      for no key update`;
    if (!post) throw new Error("no such post");
    const postId = post.id;
    const [rater] = await sql<{ score: Score | null; created_at: number }[]>`
      select users.created_at as registered_at, ratings.score, ratings.created_at, ratings.updated_at, ratings."window",
        former_raters.user_id, former_raters."window" as former_window, limiter_states.state
      from users left join ratings on ratings.post_id = ${postId} and ratings.user_id = users.id
      left join former_raters on former_raters.post_id = ${postId} and former_raters.user_id = users.id
      left join limiter_states on limiter_states.key = ${`rating.backoff:${userId}`}
      where users.id = ${userId} and users.deleted_at is null and users.disabled_at is null
      for key share of users`;
    if (!rater) throw new Error("no such user");
    const from = rater.score;
    if ((verb === "create") === (from !== null)) throw new Error(`cannot ${verb}`);

    const { ofUser, ofPost } = bucketsOf(verb, postId, userId);
    const keys = [ofUser.key, ofPost.key].sort();
    const [, saved] = await Promise.all([
      sql`select pg_advisory_xact_lock(hashtextextended(key, ${limiterStates})) from unnest(${keys}::text[]) as key`,
      sql<{ key: string; state: string }[]>`
        select key, state from limiter_states where key = any(${keys}::text[])`,
    ]);
    const stateOf = (key: string) => saved.find((row) => row.key === key)?.state;
    const postLevel = levelIn(stateOf(ofPost.key), ofPost, now);
    const ofKey = new Map([
      [ofUser.key, filled(ofUser, levelIn(stateOf(ofUser.key), ofUser, now), now)],
      [ofPost.key, filled(ofPost, postLevel, now)],
    ]);
    const next = keys.flatMap((key) => ofKey.get(key) ?? []);
    const states = next.map(({ state }) => state);
    const prunableAt = next.map(({ until, lastsMs }) => until + lastsMs);
    const stateSaved = sql`
      insert into limiter_states (key, state, expires_at)
      select * from unnest(${keys}::text[], ${states}::text[], ${prunableAt}::bigint[])
      on conflict (key) do update set state = excluded.state, expires_at = case
        when limiter_states.expires_at
          between excluded.expires_at - (excluded.expires_at - ${now}::bigint) / 2
          and excluded.expires_at + (excluded.expires_at - ${now}::bigint) / 2
        then limiter_states.expires_at
        else excluded.expires_at
      end`.execute();

    const change = (of: number) => Number(of === score) - Number(of === from);
    const day = Math.floor((from === null ? now : rater.created_at) / dayMs);
    const ratingSaved =
      from === null
        ? sql`insert into ratings (post_id, user_id, score, created_at, updated_at, "window")
            values (${postId}, ${userId}, ${score}, ${now}, ${now}, ${null})`
        : sql`update ratings set score = ${score}, updated_at = ${now}, "window" = ${null}
            where post_id = ${postId} and user_id = ${userId}`;
    const moveOnDay = sql`
      insert into rating_days (post_id, day, count_0, count_1, count_2, count_3, count_4, count_5)
      values (${postId}, ${day}, ${change(0)}, ${change(1)}, ${change(2)}, ${change(3)}, ${change(4)}, ${change(5)})
      on conflict (post_id, day) do update set count_0 = rating_days.count_0 + excluded.count_0,
        count_1 = rating_days.count_1 + excluded.count_1, count_2 = rating_days.count_2 + excluded.count_2,
        count_3 = rating_days.count_3 + excluded.count_3, count_4 = rating_days.count_4 + excluded.count_4,
        count_5 = rating_days.count_5 + excluded.count_5`;
    const { counts, next: settled, dueAt } = moved(post, now, from, score);
    const tallySaved = sql`
      update posts set count_0 = ${counts[0]}, count_1 = ${counts[1]}, count_2 = ${counts[2]}, count_3 = ${counts[3]},
        count_4 = ${counts[4]}, count_5 = ${counts[5]}, settled_score = ${settled.score},
        settled_velocity = ${settled.velocity}, settled_at = ${settled.at}, rater_count = ${settled.raters},
        first_rated_at = ${settled.firstAt}, last_rater_at = ${settled.lastRaterAt},
        window_count = ${post.window_count}, detector = ${detector}, due_at = ${dueAt} where id = ${postId}`;

    const levelBefore = postLevel / ofPost.unitsPerRequest;
    const recorded = sql`
      insert into attempts (post_id, user_id, at, verb, score, allowed, held, policy, reason)
      values (${postId}, ${userId}, ${now}, ${verb}, ${score}, ${true}, ${false}, ${"rating.post"},
        ${reasonOf(ofPost, levelBefore)})
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
    // Sent in this order: postgres.js sends a query when it is awaited.
    const written = [stateSaved, ratingSaved, moveOnDay, tallySaved, recorded, counted];
    const answers = await Promise.all([...written, committed]);
    const last = answers.at(-1);
    if (last?.command !== "COMMIT") throw new Error("PostgreSQL did not commit");
  }
}
