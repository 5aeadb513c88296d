/**
 * A rating by hand: the statements of `lib/ratings`, prepared once on bare better-sqlite3, with no more around them
 * than they need. It shows what the app's layers cost, so it leaves out what they are for: it checks no input, knows
 * one limit, and cannot refuse.
 */
import type { Database as Sqlite } from "better-sqlite3";

export interface RawRating {
  verb: "create" | "update";
  slug: string;
  userId: number;
  score: number;
  now: number;
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
  const findRating = sqlite.prepare<[number, number], { score: number }>(
    "select score, created_at, updated_at from ratings where post_id = ? and user_id = ?",
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
    `insert into attempts (post_id, user_id, at, verb, score, allowed, policy, reason, level)
     values (?, ?, ?, ?, ?, 1, 'rating.post', ?, ?)`,
  );
  const insertRating = sqlite.prepare(
    "insert into ratings (post_id, user_id, score, created_at, updated_at) values (?, ?, ?, ?, ?)",
  );
  const updateRating = sqlite.prepare(
    "update ratings set score = ?, updated_at = ? where post_id = ? and user_id = ?",
  );
  const moveCounters = sqlite.prepare(
    `update posts set count_0 = count_0 + ?, count_1 = count_1 + ?, count_2 = count_2 + ?,
     count_3 = count_3 + ?, count_4 = count_4 + ?, count_5 = count_5 + ? where id = ?`,
  );
  // The bucket counts in thousandths of a request, of which `leakPerSecond` leak in a millisecond.
  const unitsPerRequest = 1_000;

  const save = sqlite.transaction(({ verb, slug, userId, score, now }: RawRating) => {
    const post = findPost.get(slug);
    if (!post) throw new Error("no such post");
    const existing = findRating.get(post.id, userId);
    if ((verb === "create") === (existing !== undefined)) throw new Error(`cannot ${verb}`);

    const key = `rating.post:leaky-bucket:${post.id}`;
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
    recordAttempt.run(post.id, userId, now, verb, score, JSON.stringify(reason), levelBefore);

    const change = (of: number) => Number(of === score) - Number(of === existing?.score);
    if (existing) updateRating.run(score, now, post.id, userId);
    else insertRating.run(post.id, userId, score, now, now);
    moveCounters.run(change(0), change(1), change(2), change(3), change(4), change(5), post.id);
  });
  return (rating) => save.immediate(rating);
}
