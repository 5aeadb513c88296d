import { and, desc, eq, gte, inArray, isNull, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import { reasonFrom } from "../rows.ts";
import type { AttemptQueries } from "../types.ts";

const { placeholder } = sql;

export function attemptQueries({
  statements,
  tables: { attempts, shadowDecisions, users },
  session,
  oldAttempts,
}: Dialect): AttemptQueries {
  const columns = {
    postId: placeholder("postId"),
    userId: placeholder("userId"),
    at: placeholder("at"),
    verb: placeholder("verb"),
    score: placeholder("score"),
    allowed: placeholder("allowed"),
    held: placeholder("held"),
    policy: placeholder("policy"),
    reason: placeholder("reason"),
    level: placeholder("level"),
  };
  const insert = statements.insert(attempts).values(columns).prepare("insert attempt");
  const insertForShadows = statements
    .insert(attempts)
    .values(columns)
    .returning({ id: attempts.id })
    .prepare("insert attempt with shadows");
  const ofPost = eq(attempts.postId, placeholder("postId"));
  const latest = statements
    .select({
      id: attempts.id,
      at: attempts.at,
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
    .select({ at: attempts.at })
    .from(attempts)
    .where(ofPost)
    .orderBy(desc(attempts.at))
    .limit(placeholder("limit"))
    .prepare("times of attempts");
  const span = statements
    .select({ first: sql<number | null>`min(${attempts.at})`, last: sql<number | null>`max(${attempts.at})` })
    .from(attempts)
    .where(ofPost)
    .prepare("span of attempts");
  // SQLite's driver binds a number beyond 32 bits as a real: only the cast makes the quotient whole again.
  const interval = sql<number>`cast((${attempts.at} - ${placeholder("from")}) / ${placeholder("intervalMs")} as bigint)`;
  const accepted = sql`(${attempts.allowed} and not ${attempts.held})`;
  const perInterval = statements
    .select({
      interval,
      accepted: sql<number>`count(*) filter (where ${accepted})`,
      held: sql<number>`count(*) filter (where ${attempts.held})`,
      refused: sql<number>`count(*) filter (where not ${attempts.allowed})`,
      lowest: sql<number | null>`min(${attempts.level})`,
      highest: sql<number | null>`max(${attempts.level})`,
    })
    .from(attempts)
    .where(and(ofPost, gte(attempts.at, placeholder("from"))))
    .groupBy(sql`1`)
    .orderBy(sql`1`)
    .prepare("attempts per interval");
  const shadowsOfLatest = statements
    .select()
    .from(shadowDecisions)
    .where(
      sql`${shadowDecisions.attemptId} in (select ${attempts.id} from ${attempts} where ${ofPost} order by ${attempts.at} desc, ${attempts.id} desc limit ${placeholder("limit")})`,
    )
    .orderBy(shadowDecisions.attemptId, shadowDecisions.policy)
    .prepare("shadows of latest attempts");
  const disagreements = statements
    .select({
      policy: shadowDecisions.policy,
      interval,
      wouldRefuse: sql<number>`count(*) filter (where ${accepted} and not ${shadowDecisions.allowed})`,
      wouldAccept: sql<number>`count(*) filter (where ${shadowDecisions.allowed} and not ${accepted})`,
      agreed: sql<number>`count(*) filter (where ${shadowDecisions.allowed} = ${accepted})`,
    })
    .from(attempts)
    .innerJoin(shadowDecisions, eq(shadowDecisions.attemptId, attempts.id))
    .where(and(ofPost, gte(attempts.at, placeholder("from"))))
    .groupBy(sql`1`, sql`2`)
    .orderBy(sql`1`, sql`2`)
    .prepare("disagreements");
  const removeBefore = statements
    .delete(attempts)
    .where(inArray(attempts.id, oldAttempts))
    .returning({ id: attempts.id })
    .prepare("remove attempts");

  return {
    async insert(attempt, shadows = []) {
      if (shadows.length === 0) return session.runUnawaited(() => insert.execute({ ...attempt }));
      await session.transaction(async () => {
        const [row] = await insertForShadows.execute({ ...attempt });
        if (!row) throw new Error("A row that was inserted is returned");
        const attemptId = row.id;
        await statements.insert(shadowDecisions).values(shadows.map((shadow) => ({ ...shadow, attemptId })));
      });
    },
    async latest(postId, limit) {
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
    disagreements: (postId, from, intervalMs) => disagreements.execute({ postId, from, intervalMs }),
    times: async (postId, limit) => (await times.execute({ postId, limit })).map(({ at }) => at).reverse(),
    span: async (postId) => (await span.execute({ postId }))[0] ?? { first: null, last: null },
    perInterval: (postId, from, intervalMs) => perInterval.execute({ postId, from, intervalMs }),
    removeBefore: async (at, limit) => (await removeBefore.execute({ at, limit })).length,
  };
}
