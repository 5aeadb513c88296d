/**
 * A rating by hand: the statements of `lib/ratings`, prepared once on bare better-sqlite3, with no more around them
 * than they need. It shows what the app's layers cost, so it leaves out what they are for: it checks no input, knows
 * one limit, and can neither refuse nor hold.
 */
import type { Database as Sqlite } from "better-sqlite3";
import { type Counts, withRating } from "../lib/ratings/score.ts";
import type { Score } from "../lib/ratings/scores.ts";
import { settledByChange, settledByNewRating, settledMovesAt } from "../lib/ratings/settled-score.ts";

export interface RawRating {
  verb: "create" | "update";
  slug: string;
  userId: number;
  score: Score;
  now: number;
}

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
}

interface BucketState {
  level: number;
  unitsPerRequest: number;
  updatedAt: number;
}

/** The function that saves one rating on this connection, under a leaky bucket that is never full. */
export function rawRatings(
  sqlite: Sqlite,
  { capacity, leakPerSecond }: { capacity: number; leakPerSecond: number },
): (rating: RawRating) => void {
  const findPost = sqlite.prepare<[string], { id: number }>("select id, author_id from posts where slug = ?");
  const findRating = sqlite.prepare<[number, number], { score: Score; created_at: number }>(
    "select score, created_at, updated_at, window from ratings where post_id = ? and user_id = ?",
  );
  const findFormer = sqlite.prepare<[number, number]>(
    "select window from former_raters where post_id = ? and user_id = ?",
  );
  const dropFormer = sqlite.prepare<[number, number]>(
    "delete from former_raters where post_id = ? and user_id = ?",
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
    "insert into ratings (post_id, user_id, score, created_at, updated_at) values (?, ?, ?, ?, ?)",
  );
  const updateRating = sqlite.prepare(
    "update ratings set score = ?, updated_at = ? where post_id = ? and user_id = ?",
  );
  const moveOnDay = sqlite.prepare(
    `insert into rating_days (post_id, day, count_0, count_1, count_2, count_3, count_4, count_5)
     values (?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (post_id, day) do update set count_0 = count_0 + excluded.count_0,
     count_1 = count_1 + excluded.count_1, count_2 = count_2 + excluded.count_2,
     count_3 = count_3 + excluded.count_3, count_4 = count_4 + excluded.count_4,
     count_5 = count_5 + excluded.count_5`,
  );
  const findTally = sqlite.prepare<[number], TallyRow>(
    `select count_0, count_1, count_2, count_3, count_4, count_5, settled_score, settled_velocity, settled_at, rater_count,
     first_rated_at, last_rater_at from posts where id = ?`,
  );
  const saveTally = sqlite.prepare(
    `update posts set count_0 = ?, count_1 = ?, count_2 = ?, count_3 = ?, count_4 = ?, count_5 = ?, settled_score = ?,
     settled_velocity = ?, settled_at = ?, rater_count = ?, first_rated_at = ?, last_rater_at = ?, due_at = ? where id = ?`,
  );
  // The bucket counts in thousandths of a request, of which `leakPerSecond` leak in a millisecond.
  const unitsPerRequest = 1_000;

  const save = sqlite.transaction(({ verb, slug, userId, score, now }: RawRating) => {
    const post = findPost.get(slug);
    if (!post) throw new Error("no such post");
    const existing = findRating.get(post.id, userId);
    if (loadState.get(`rating.backoff:${userId}`) !== undefined) throw new Error("the account waits");
    if ((verb === "create") === (existing !== undefined)) throw new Error(`cannot ${verb}`);

    const key = `rating.post:leaky-bucket:${post.id}${existing ? ":changes" : ""}`;
    const saved = loadState.get(key);
    const [before, expiresAt]: [BucketState?, number?] = saved === undefined ? [] : JSON.parse(saved);
    const state = expiresAt !== undefined && expiresAt > now ? before : undefined;
    const leaked = state ? Math.max(0, state.level - (now - state.updatedAt) * leakPerSecond) : 0;
    const level = leaked + unitsPerRequest;
    if (level > capacity * unitsPerRequest) throw new Error("the bucket is full");
    const lastsMs = Math.ceil(level / leakPerSecond);
    const until = now + lastsMs;
    const next = JSON.stringify([{ level, unitsPerRequest, updatedAt: now }, until]);
    for (const expired of findExpired.all(now)) dropState.run(expired);
    // The indexed column, when a row may go, is written only now and then.
    if (rewriteState.run(next, key, until, until + 2 * lastsMs).changes === 0)
      writeState.run(key, next, until + lastsMs);

    const levelBefore = leaked / unitsPerRequest;
    const reason = {
      algorithm: "leaky-bucket",
      neverFits: false,
      level: levelBefore,
      capacity,
      leakPerSecond,
    };
    recordAttempt.run(post.id, userId, now, verb, score, JSON.stringify(reason));
    const [minute, hour] = [now - (now % 60_000), now - (now % 3_600_000)];
    countAttempt.run({ postId: post.id, minute, hour, level: levelBefore });

    const change = (of: number) => Number(of === score) - Number(of === existing?.score);
    const moves = [change(0), change(1), change(2), change(3), change(4), change(5)];
    if (existing) updateRating.run(score, now, post.id, userId);
    else {
      findFormer.get(post.id, userId);
      insertRating.run(post.id, userId, score, now, now);
      dropFormer.run(post.id, userId);
    }
    moveOnDay.run(post.id, Math.floor((existing?.created_at ?? now) / 86_400_000), ...moves);

    moveTally(post.id, now, existing?.score, score);
  });
  return (rating) => save.immediate(rating);

  function moveTally(postId: number, now: number, from: Score | undefined, to: Score) {
    const row = findTally.get(postId);
    if (!row) throw new Error("no such post");
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
    const { raters, firstAt, lastRaterAt, at } = next;
    const dueAt = settledMovesAt(next, counts, 0.005);
    saveTally.run(...counts, next.score, next.velocity, at, raters, firstAt, lastRaterAt, dueAt, postId);
  }
}
