// Over 200 lines: a list, of the statements of one rating by hand.

/**
 * A rating by hand, on bare better-sqlite3: the statements of `lib/ratings`.
 *
 * They are prepared once, without any layer. It shows the cost of the app's layers, so it leaves out their work: it
 * checks no input, can neither refuse nor hold, and is given the flood detector's state.
 */
import type { Database as Sqlite } from "better-sqlite3";
import type { Score } from "../lib/ratings/score/score.ts";
import { type Counts, withRating } from "../lib/ratings/score/score.ts";
import { settledByChange, settledByNewRating, settledMovesAt } from "../lib/ratings/score/settled-score.ts";

export interface RawRating {
  verb: "create" | "update";
  slug: string;
  userId: number;
  score: Score;
  now: number;
  /** The flood detector's state of the post after this rating, as JSON. */
  detector: string;
}

interface Bucket {
  key: string;
  capacity: number;
  /** Units per request, of which `unitsPerMs` leak in a millisecond. */
  unitsPerRequest: number;
  unitsPerMs: number;
}

export interface TallyRow {
  id: number;
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

interface RaterRow {
  score: Score | null;
  created_at: number;
  window: number | null;
}

interface BucketState {
  level: number;
  unitsPerRequest: number;
  updatedAt: number;
}

/**
 * Creates a function that saves one rating on this connection.
 * Under the default limits, which must not be exceeded.
 */
export function rawRatings(sqlite: Sqlite): (rating: RawRating) => void {
  // The plus signs keep SQLite from planning the joins again for each rating.
  const findPost = sqlite.prepare<[string], TallyRow>(
    `select id, author_id, count_0, count_1, count_2, count_3, count_4, count_5, settled_score, settled_velocity, settled_at,
     rater_count, first_rated_at, last_rater_at, window_count, detector, due_at from posts where slug = +? and
     deleted_at is null and exists (select 1 from users where users.id = author_id and users.deleted_at is null)`,
  );
  const findRater = sqlite.prepare<[number, number, string, number], RaterRow>(
    `select users.created_at as registered_at, ratings.score, ratings.created_at, updated_at, ratings.window,
     former_raters.window as former_window, state
     from users left join ratings on ratings.post_id = +? and ratings.user_id = users.id
     left join former_raters on former_raters.post_id = +? and former_raters.user_id = users.id
     left join limiter_states on limiter_states.key = +?
     where users.id = +? and deleted_at is null and disabled_at is null`,
  );
  const loadState = sqlite
    .prepare<[string], string>("select state from limiter_states where key = ?")
    .pluck();
  const findExpired = sqlite
    .prepare<[number], string>("select key from limiter_states where expires_at <= ? limit 2")
    .pluck();
  const dropState = sqlite.prepare<[string]>("delete from limiter_states where key = ?");
  const rewriteState = sqlite.prepare<[string, string, number, number]>(
    "update limiter_states set state = ? where key = ? and expires_at between ? and ?",
  );
  const writeState = sqlite.prepare<[string, string, number]>(
    `insert into limiter_states (key, state, expires_at) values (?, ?, ?)
     on conflict (key) do update set state = excluded.state, expires_at = excluded.expires_at`,
  );
  const recordAttempt = sqlite.prepare(
    `insert into attempts (post_id, user_id, at, verb, score, allowed, held, policy, reason)
     values (?, ?, ?, ?, ?, 1, 0, 'rating.post', ?)
     on conflict (user_id, post_id, minute, verb, allowed, held) do update set count = count + 1,
     lasted_ms = lasted_ms + excluded.at - at, at = excluded.at, score = excluded.score, policy = excluded.policy,
     reason = excluded.reason`,
  );
  const countAttempt = sqlite.prepare(
    `insert into attempt_counts (post_id, interval_ms, begins_at, accepted, held, refused, lowest, highest)
     values (@postId, 60000, @minute, 1, 0, 0, @level, @level), (@postId, 3600000, @hour, 1, 0, 0, @level, @level)
     on conflict (post_id, interval_ms, begins_at) do update set accepted = accepted + excluded.accepted,
     lowest = min(lowest, excluded.lowest), highest = max(highest, excluded.highest)`,
  );
  const insertRating = sqlite.prepare(
    "insert into ratings (post_id, user_id, score, created_at, updated_at, window) values (?, ?, ?, ?, ?, ?)",
  );
  const updateRating = sqlite.prepare(
    "update ratings set score = ?, updated_at = ?, window = ? where post_id = ? and user_id = ?",
  );
  const moveOnDay = sqlite.prepare(
    `insert into rating_days (post_id, day, count_0, count_1, count_2, count_3, count_4, count_5)
     values (?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (post_id, day) do update set count_0 = count_0 + excluded.count_0,
     count_1 = count_1 + excluded.count_1, count_2 = count_2 + excluded.count_2,
     count_3 = count_3 + excluded.count_3, count_4 = count_4 + excluded.count_4,
     count_5 = count_5 + excluded.count_5`,
  );
  const saveTally = sqlite.prepare(
    `update posts set count_0 = ?, count_1 = ?, count_2 = ?, count_3 = ?, count_4 = ?, count_5 = ?, settled_score = ?,
     settled_velocity = ?, settled_at = ?, rater_count = ?, first_rated_at = ?, last_rater_at = ?, window_count = ?, detector = ?, due_at = ? where id = ?`,
  );

  const save = sqlite.transaction(({ verb, slug, userId, score, now, detector }: RawRating) => {
    const post = findPost.get(slug);
    if (!post) throw new Error("no such post");
    const rater = findRater.get(post.id, post.id, `rating.backoff:${userId}`, userId);
    if (!rater) throw new Error("no such user");
    const from = rater.score;
    if ((verb === "create") === (from !== null)) throw new Error(`cannot ${verb}`);

    const { ofUser, ofPost } = bucketsOf(verb, post.id, userId);
    const userLevel = levelIn(loadState.get(ofUser.key), ofUser, now);
    const postLevel = levelIn(loadState.get(ofPost.key), ofPost, now);
    for (const expired of findExpired.all(now)) dropState.run(expired);
    saveFilled(ofUser, userLevel, now);
    saveFilled(ofPost, postLevel, now);

    const levelBefore = postLevel / ofPost.unitsPerRequest;
    recordAttempt.run(post.id, userId, now, verb, score, reasonOf(ofPost, levelBefore));
    const [minute, hour] = [now - (now % 60_000), now - (now % 3_600_000)];
    countAttempt.run({ postId: post.id, minute, hour, level: levelBefore });

    const change = (of: number) => Number(of === score) - Number(of === from);
    const moves = [change(0), change(1), change(2), change(3), change(4), change(5)];
    if (from === null) insertRating.run(post.id, userId, score, now, now, null);
    else updateRating.run(score, now, null, post.id, userId);
    moveOnDay.run(post.id, Math.floor((from === null ? now : rater.created_at) / 86_400_000), ...moves);
    const { counts, next, dueAt } = moved(post, now, from, score);
    saveTally.run(
      ...counts,
      next.score,
      next.velocity,
      next.at,
      next.raters,
      next.firstAt,
      next.lastRaterAt,
      post.window_count,
      detector,
      dueAt,
      post.id,
    );
  });
  return (rating) => save.immediate(rating);

  function saveFilled(bucket: Bucket, level: number, now: number) {
    const { state, until, lastsMs } = filled(bucket, level, now);
    // The indexed column, when a row may go, is written only now and then.
    if (rewriteState.run(state, bucket.key, until, until + 2 * lastsMs).changes === 0)
      writeState.run(bucket.key, state, until + lastsMs);
  }
}

/** The default limits: the rater's own, and the post's. */
export function bucketsOf(verb: RawRating["verb"], postId: number, userId: number) {
  const post = `rating.post:leaky-bucket:${postId}`;
  const ofPost = { capacity: 20, unitsPerRequest: 1_000, unitsPerMs: 10 };
  return verb === "create"
    ? {
        ofUser: {
          key: `rating.user:leaky-bucket:${userId}`,
          capacity: 30,
          unitsPerRequest: 1_000,
          unitsPerMs: 1,
        },
        ofPost: { ...ofPost, key: post },
      }
    : {
        ofUser: {
          key: `rating.change:leaky-bucket:${userId}`,
          capacity: 10,
          unitsPerRequest: 30_000,
          unitsPerMs: 1,
        },
        ofPost: { ...ofPost, key: `${post}:changes` },
      };
}

/** A bucket's level at `now`, by its saved state. */
export function levelIn(saved: string | undefined, { unitsPerMs }: Bucket, now: number): number {
  const [state, expiresAt]: [BucketState?, number?] = saved === undefined ? [] : JSON.parse(saved);
  if (!state || expiresAt === undefined || expiresAt <= now) return 0;
  return Math.max(0, state.level - (now - state.updatedAt) * unitsPerMs);
}

/** The saved state of a bucket after one more request. */
export function filled({ key, capacity, unitsPerRequest, unitsPerMs }: Bucket, leaked: number, now: number) {
  const level = leaked + unitsPerRequest;
  if (level > capacity * unitsPerRequest) throw new Error(`${key} is full`);
  const lastsMs = Math.ceil(level / unitsPerMs);
  const until = now + lastsMs;
  return { state: JSON.stringify([{ level, unitsPerRequest, updatedAt: now }, until, now]), until, lastsMs };
}

/** The reason of a bucket's decision, as JSON. */
export function reasonOf({ capacity, unitsPerRequest, unitsPerMs }: Bucket, level: number): string {
  const leakPerSecond = (unitsPerMs / unitsPerRequest) * 1_000;
  return JSON.stringify({ algorithm: "leaky-bucket", neverFits: false, level, capacity, leakPerSecond });
}

/**
 * A post's counters and settled score after a rating.
 * And when the score is due for an update.
 */
export function moved(row: TallyRow, now: number, from: Score | null, to: Score) {
  const before: Counts = [row.count_0, row.count_1, row.count_2, row.count_3, row.count_4, row.count_5];
  const settled = {
    score: row.settled_score,
    velocity: row.settled_velocity,
    raters: row.rater_count,
    firstAt: row.first_rated_at,
    lastRaterAt: row.last_rater_at,
    at: row.settled_at,
  };
  const counts = withRating(from === null ? before : withRating(before, from, -1), to, 1);
  const next =
    from === null
      ? settledByNewRating(settled, now, before, to)
      : settledByChange(settled, now, before, counts);
  return { counts, next, dueAt: settledMovesAt(next, counts, 0.005) };
}
