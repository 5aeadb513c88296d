// Over 200 lines: the statements of one table.

import { and, desc, eq, gt, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import { reasonFrom } from "../rows.ts";
import { attemptCountQueries, type NewAttempt, type NewShadowDecision } from "./attempt-counts.ts";

const { placeholder } = sql;

/** Posts whose old attempts one statement looks for. */
const postsPerStepDefault = 1_000;

export function attemptQueries(dialect: Dialect) {
  const {
    statements,
    tables: { attempts, posts, shadowDecisions, users },
    session,
    oldAttempts,
    findsOldAttemptsByPost,
  } = dialect;
  const counts = attemptCountQueries(dialect);
  const record = () =>
    statements
      .insert(attempts)
      .values({
        postId: placeholder("postId"),
        userId: placeholder("userId"),
        at: placeholder("at"),
        verb: placeholder("verb"),
        score: placeholder("score"),
        allowed: placeholder("allowed"),
        held: placeholder("held"),
        policy: placeholder("policy"),
        reason: placeholder("reason"),
        network: placeholder("network"),
      })
      .onConflictDoUpdate({
        target: [
          attempts.userId,
          attempts.postId,
          attempts.minute,
          attempts.verb,
          attempts.allowed,
          attempts.held,
        ],
        set: {
          count: sql`${attempts.count} + 1`,
          at: sql`case when excluded.at > ${attempts.at} then excluded.at else ${attempts.at} end`,
          lastedMs: sql`case when excluded.at > ${attempts.at} then ${attempts.lastedMs} + excluded.at - ${attempts.at} when ${attempts.at} - excluded.at > ${attempts.lastedMs} then ${attempts.at} - excluded.at else ${attempts.lastedMs} end`,
          score: sql`excluded.score`,
          policy: sql`excluded.policy`,
          reason: sql`excluded.reason`,
          network: sql`excluded.network`,
        },
      });
  const saveAttempt = session.rowWriter<Omit<NewAttempt, "level">>({
    table: "attempts",
    // By the user alone: the rest of the row's key includes the minute, which the database computes.
    keyOf: ({ userId }) => `${userId}`,
    statement: record().prepare("record attempt"),
  });
  const insertForShadows = record().returning({ id: attempts.id }).prepare("record attempt with shadows");
  const ofPost = eq(attempts.postId, placeholder("postId"));
  const latest = statements
    .select({
      id: attempts.id,
      at: attempts.at,
      count: attempts.count,
      lastedMs: attempts.lastedMs,
      verb: attempts.verb,
      score: attempts.score,
      allowed: attempts.allowed,
      held: attempts.held,
      policy: attempts.policy,
      reason: attempts.reason,
      username: users.username,
    })
    .from(attempts)
    .leftJoin(users, and(eq(users.id, attempts.userId), isNull(users.deletedAt)))
    .where(ofPost)
    .orderBy(desc(attempts.at), desc(attempts.id))
    .limit(placeholder("limit"))
    .prepare("latest attempts");
  const times = statements
    .select({ at: attempts.at, count: attempts.count, lastedMs: attempts.lastedMs })
    .from(attempts)
    .where(ofPost)
    .orderBy(desc(attempts.at))
    .limit(placeholder("limit"))
    .prepare("times of attempts");
  // Each by itself: of both in one query, SQLite reads every row.
  const extreme = (direction: SQL) =>
    sql<
      number | null
    >`(select at from attempts where post_id = ${placeholder("postId")} order by at ${direction} limit 1)`;
  const span = statements
    .select({ first: extreme(sql`asc`), last: extreme(sql`desc`) })
    .from(sql`(select 1)`)
    .prepare("span of attempts");
  const shadowsOfLatest = statements
    .select()
    .from(shadowDecisions)
    .where(
      sql`${shadowDecisions.attemptId} in (select ${attempts.id} from ${attempts} where ${ofPost} order by ${attempts.at} desc, ${attempts.id} desc limit ${placeholder("limit")})`,
    )
    .orderBy(shadowDecisions.attemptId, shadowDecisions.policy)
    .prepare("shadows of latest attempts");
  const removeBefore = statements
    .delete(attempts)
    .where(inArray(attempts.id, oldAttempts))
    .returning({ id: attempts.id })
    .prepare("remove attempts");
  const lastPostOfStep = statements
    .select({ id: posts.id })
    .from(posts)
    .where(gt(posts.id, placeholder("after")))
    .orderBy(posts.id)
    .limit(1)
    .offset(placeholder("others"))
    .prepare("last post of step");

  async function insertWithShadows(
    attempt: Omit<NewAttempt, "level">,
    shadows: readonly NewShadowDecision[],
  ) {
    const [row] = await insertForShadows.execute({ network: null, ...attempt });
    if (!row) throw new Error("A row that was inserted is returned");
    const attemptId = row.id;
    await statements
      .insert(shadowDecisions)
      .values(shadows.map((shadow) => ({ ...shadow, attemptId })))
      .onConflictDoUpdate({
        target: [shadowDecisions.attemptId, shadowDecisions.policy],
        set: { allowed: sql`excluded.allowed`, reason: sql`excluded.reason` },
      });
    await counts.addShadows(attempt, shadows);
  }

  return {
    /**
     * Records an attempt, and the decisions of policies in shadow.
     * Call it in a transaction.
     */
    async insert({ level, ...attempt }: NewAttempt, shadows: readonly NewShadowDecision[] = []) {
      await Promise.all([
        shadows.length > 0 ? insertWithShadows(attempt, shadows) : saveAttempt({ network: null, ...attempt }),
        counts.add({ ...attempt, level }),
      ]);
    },
    /**
     * The newest attempts at a post, newest first.
     * Each with the limiter's reason and the decisions of shadow policies.
     */
    async latest(postId: number, limit: number) {
      const [rows, shadowRows] = await Promise.all([
        latest.execute({ postId, limit }),
        shadowsOfLatest.execute({ postId, limit }),
      ]);
      const shadows = Map.groupBy(shadowRows, ({ attemptId }) => attemptId);
      return rows.map((row) => ({
        ...row,
        reason: row.reason === null ? null : reasonFrom(row.reason),
        shadows: (shadows.get(row.id) ?? []).map((shadow) => ({
          ...shadow,
          reason: reasonFrom(shadow.reason),
        })),
      }));
    },
    /**
     * The times of a post's newest attempts, oldest first.
     * Of more than two of one user within a minute, those between the first and the last are spread evenly.
     */
    async times(postId: number, limit: number) {
      const found: number[] = [];
      for (const row of await times.execute({ postId, limit })) {
        if (found.length >= limit) break;
        found.push(...spread(row, limit));
      }
      return found.sort((a, b) => a - b).slice(-limit);
    },
    /** The times of a post's first and last attempt; null when there was none. */
    span: async (postId: number) => (await span.execute({ postId }))[0] ?? { first: null, last: null },
    perInterval: counts.perInterval,
    disagreements: counts.disagreements,
    /**
     * Removes attempts from before `at`, at most `limit` rows.
     *
     * Resolves to their number, and to the place from which the next call continues (its `after`); undefined at the
     * end. In any order of the rows, a row that stays keeps none behind it from being removed.
     */
    async removeBefore(at: number, limit: number, after = 0, postsPerStep = postsPerStepDefault) {
      const others = postsPerStep - 1;
      const [step] = findsOldAttemptsByPost ? await lastPostOfStep.execute({ after, others }) : [];
      const last = step?.id ?? Number.MAX_SAFE_INTEGER;
      const removed = (await removeBefore.execute({ at, limit, after, last })).length;
      return { removed, next: removed < limit ? step?.id : after };
    },
    removeCountsBefore: counts.removeBefore,
  };
}

/**
 * The times of a row's attempts, the latest `limit` of them.
 * The first and the last are known.
 */
function spread({ at, count, lastedMs }: { at: number; count: number; lastedMs: number }, limit: number) {
  const gapMs = count > 1 ? lastedMs / (count - 1) : 0;
  return Array.from({ length: Math.min(count, limit) }, (_, index) => Math.round(at - index * gapMs));
}
