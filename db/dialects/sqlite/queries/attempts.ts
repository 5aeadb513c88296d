import { and, desc, eq, gte, sql } from "drizzle-orm";
import { reasonFrom } from "../../../rows.ts";
import type { AttemptQueries, Synchronous } from "../../../types.ts";
import type { Connection } from "../index.ts";
import { attempts, shadowDecisions, users } from "../schema.ts";

const { placeholder } = sql;

export function attemptQueries(connection: Connection): Synchronous<AttemptQueries> {
  const insert = connection
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
      level: placeholder("level"),
    })
    .prepare();
  const insertShadow = connection
    .insert(shadowDecisions)
    .values({
      attemptId: placeholder("attemptId"),
      policy: placeholder("policy"),
      allowed: placeholder("allowed"),
      reason: placeholder("reason"),
    })
    .prepare();
  const ofPost = eq(attempts.postId, placeholder("postId"));
  const latest = connection
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
    .leftJoin(users, eq(users.id, attempts.userId))
    .where(ofPost)
    .orderBy(desc(attempts.at), desc(attempts.id))
    .limit(placeholder("limit"))
    .prepare();
  const times = connection
    .select({ at: attempts.at })
    .from(attempts)
    .where(ofPost)
    .orderBy(desc(attempts.at))
    .limit(placeholder("limit"))
    .prepare();
  const span = connection
    .select({ first: sql<number | null>`min(${attempts.at})`, last: sql<number | null>`max(${attempts.at})` })
    .from(attempts)
    .where(ofPost)
    .prepare();
  // The driver binds a number beyond 32 bits as a real, and only a cast makes the quotient whole again.
  const interval = sql<number>`cast((${attempts.at} - ${placeholder("from")}) / ${placeholder("intervalMs")} as integer)`;
  const accepted = sql`(${attempts.allowed} and not ${attempts.held})`;
  const perInterval = connection
    .select({
      interval,
      accepted: sql<number>`sum(${accepted})`,
      held: sql<number>`sum(${attempts.held})`,
      refused: sql<number>`sum(not ${attempts.allowed})`,
      lowest: sql<number | null>`min(${attempts.level})`,
      highest: sql<number | null>`max(${attempts.level})`,
    })
    .from(attempts)
    .where(and(ofPost, gte(attempts.at, placeholder("from"))))
    .groupBy(sql`1`)
    .orderBy(sql`1`)
    .prepare();
  const shadowsOfLatest = connection
    .select()
    .from(shadowDecisions)
    .where(
      sql`${shadowDecisions.attemptId} in (select ${attempts.id} from ${attempts} where ${ofPost} order by ${attempts.at} desc, ${attempts.id} desc limit ${placeholder("limit")})`,
    )
    .orderBy(shadowDecisions.attemptId, shadowDecisions.policy)
    .prepare();
  const disagreements = connection
    .select({
      policy: shadowDecisions.policy,
      interval,
      wouldRefuse: sql<number>`sum(${accepted} and not ${shadowDecisions.allowed})`,
      wouldAccept: sql<number>`sum(${shadowDecisions.allowed} and not ${accepted})`,
      agreed: sql<number>`sum(${shadowDecisions.allowed} = ${accepted})`,
    })
    .from(attempts)
    .innerJoin(shadowDecisions, eq(shadowDecisions.attemptId, attempts.id))
    .where(and(ofPost, gte(attempts.at, placeholder("from"))))
    .groupBy(sql`1`, sql`2`)
    .orderBy(sql`1`, sql`2`)
    .prepare();
  const removeBefore = connection
    .delete(attempts)
    .where(
      // Numbers go up with time: nothing else has to be looked at, and no index on the time alone is needed.
      sql`${attempts.id} in (select ${attempts.id} from ${attempts} order by ${attempts.id} limit ${placeholder("limit")}) and ${attempts.at} < ${placeholder("at")}`,
    )
    .prepare();

  return {
    insert(attempt, shadows = []) {
      const { lastInsertRowid: attemptId } = insert.run({ ...attempt });
      for (const shadow of shadows) insertShadow.run({ ...shadow, attemptId });
    },
    latest: (postId: number, limit: number) => {
      const shadows = Map.groupBy(shadowsOfLatest.all({ postId, limit }), ({ attemptId }) => attemptId);
      return latest.all({ postId, limit }).map((row) => ({
        ...row,
        reason: row.reason === null ? null : reasonFrom(row.reason),
        shadows: (shadows.get(row.id) ?? []).map((shadow) => ({
          ...shadow,
          reason: reasonFrom(shadow.reason),
        })),
      }));
    },
    disagreements: (postId: number, from: number, intervalMs: number) =>
      disagreements.all({ postId, from, intervalMs }),
    times: (postId: number, limit: number) =>
      times
        .all({ postId, limit })
        .map(({ at }) => at)
        .reverse(),
    span: (postId: number) => span.get({ postId }) ?? { first: null, last: null },
    perInterval: (postId: number, from: number, intervalMs: number) =>
      perInterval.all({ postId, from, intervalMs }),
    removeBefore: (at, limit) => removeBefore.run({ at, limit }).changes,
  };
}
