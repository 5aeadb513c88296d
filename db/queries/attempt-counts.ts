/**
 * Counts of attempts by minute and by hour.
 * Reading them takes the same time for any number of attempts.
 */
import { and, type Column, eq, gte, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tables } from "../schema/index.ts";

const { placeholder } = sql;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const lengths = { minute: minuteMs, hour: hourMs };

/** An attempt to rate, allowed or not, with its decision and the reason. */
export type NewAttempt = Omit<
  Tables["attempts"]["$inferSelect"],
  "id" | "minute" | "count" | "lastedMs" | "network"
> & {
  /** The name of the rater's network; null when refused or unknown. */
  network?: string | null;
  /**
   * The level of the post's own policy before it decided, for the chart.
   *
   * Null when it measured nothing.
   *
   * A bucket's level, the tokens left, the used part of a window, a log or the day's quota, or the EMA's Z.
   */
  level: number | null;
};

/** The change of a post's counts of the minute and hour that begin then. */
type CountedAttempts = Pick<
  Tables["attemptCounts"]["$inferSelect"],
  "postId" | "accepted" | "held" | "refused" | "lowest" | "highest"
> &
  Record<keyof typeof lengths, number>;

/** The decision about an attempt that a policy in shadow would have made. */
export type NewShadowDecision = Omit<Tables["shadowDecisions"]["$inferSelect"], "attemptId">;

export function attemptCountQueries({
  statements,
  tables: { attemptCounts, shadowCounts },
  session,
  lockClause,
}: Dialect) {
  const add = statements
    .insert(attemptCounts)
    .values(
      Object.entries(lengths).map(([name, intervalMs]) => ({
        postId: placeholder("postId"),
        intervalMs,
        beginsAt: placeholder(name),
        accepted: placeholder("accepted"),
        held: placeholder("held"),
        refused: placeholder("refused"),
        lowest: placeholder("lowest"),
        highest: placeholder("highest"),
      })),
    )
    .onConflictDoUpdate({
      target: [attemptCounts.postId, attemptCounts.intervalMs, attemptCounts.beginsAt],
      set: {
        accepted: sql`${attemptCounts.accepted} + excluded.accepted`,
        held: sql`${attemptCounts.held} + excluded.held`,
        refused: sql`${attemptCounts.refused} + excluded.refused`,
        lowest: sql`case when ${attemptCounts.lowest} is null or excluded.lowest < ${attemptCounts.lowest} then excluded.lowest else ${attemptCounts.lowest} end`,
        highest: sql`case when ${attemptCounts.highest} is null or excluded.highest > ${attemptCounts.highest} then excluded.highest else ${attemptCounts.highest} end`,
      },
    })
    .prepare("count attempt");
  const saveCounts = session.rowWriter<CountedAttempts>({
    table: "attempt_counts",
    keyOf: ({ postId, minute }) => `${postId} ${minute}`,
    merged: (earlier, later) => ({
      ...later,
      accepted: earlier.accepted + later.accepted,
      held: earlier.held + later.held,
      refused: earlier.refused + later.refused,
      lowest: ofBoth(Math.min, earlier.lowest, later.lowest),
      highest: ofBoth(Math.max, earlier.highest, later.highest),
    }),
    statement: add,
  });

  type Counts = typeof attemptCounts | typeof shadowCounts;
  const since = (counts: Counts) =>
    and(
      eq(counts.postId, placeholder("postId")),
      eq(counts.intervalMs, placeholder("lengthMs")),
      gte(counts.beginsAt, placeholder("from")),
    );
  // SQLite's driver binds a number beyond 32 bits as a real: only the cast makes the quotient whole again.
  const interval = (counts: Counts) =>
    sql<number>`cast((${counts.beginsAt} - ${placeholder("from")}) / ${placeholder("intervalMs")} as bigint)`;
  const sum = (column: Column) => sql<number>`cast(sum(${column}) as bigint)`;
  const perInterval = statements
    .select({
      interval: interval(attemptCounts),
      accepted: sum(attemptCounts.accepted),
      held: sum(attemptCounts.held),
      refused: sum(attemptCounts.refused),
      lowest: sql<number | null>`min(${attemptCounts.lowest})`,
      highest: sql<number | null>`max(${attemptCounts.highest})`,
    })
    .from(attemptCounts)
    .where(since(attemptCounts))
    .groupBy(sql`1`)
    .orderBy(sql`1`)
    .prepare("attempts per interval");
  const disagreements = statements
    .select({
      policy: shadowCounts.policy,
      interval: interval(shadowCounts),
      wouldRefuse: sum(shadowCounts.wouldRefuse),
      wouldAccept: sum(shadowCounts.wouldAccept),
      agreed: sum(shadowCounts.agreed),
    })
    .from(shadowCounts)
    .where(since(shadowCounts))
    .groupBy(sql`1`, sql`2`)
    .orderBy(sql`1`, sql`2`)
    .prepare("disagreements");

  const removal = (counts: Counts) =>
    statements
      .delete(counts)
      .where(
        sql`(post_id, interval_ms, begins_at) in (select post_id, interval_ms, begins_at from ${counts} where interval_ms = ${placeholder("lengthMs")} and begins_at < ${placeholder("at")} order by begins_at, post_id limit ${placeholder("limit")}${lockClause("update")})`,
      )
      .returning({ postId: counts.postId });
  const removeAttemptCounts = removal(attemptCounts).prepare("remove counts of attempts");
  const removeShadowCounts = removal(shadowCounts).prepare("remove counts of shadows");

  return {
    add: ({ postId, at, allowed, held, level }: NewAttempt) =>
      saveCounts({
        postId,
        minute: at - (at % lengths.minute),
        hour: at - (at % lengths.hour),
        accepted: Number(allowed && !held),
        held: Number(held),
        refused: Number(!allowed),
        lowest: level,
        highest: level,
      }),
    async addShadows(
      { postId, at, allowed, held }: Omit<NewAttempt, "level">,
      shadows: readonly NewShadowDecision[],
    ) {
      const isAccepted = allowed && !held;
      await statements
        .insert(shadowCounts)
        .values(
          shadows.flatMap(({ policy, allowed: wouldAllow }) =>
            Object.values(lengths).map((intervalMs) => ({
              postId,
              intervalMs,
              beginsAt: at - (at % intervalMs),
              policy,
              agreed: Number(wouldAllow === isAccepted),
              wouldRefuse: Number(isAccepted && !wouldAllow),
              wouldAccept: Number(wouldAllow && !isAccepted),
            })),
          ),
        )
        .onConflictDoUpdate({
          target: [shadowCounts.postId, shadowCounts.intervalMs, shadowCounts.beginsAt, shadowCounts.policy],
          set: {
            agreed: sql`${shadowCounts.agreed} + excluded.agreed`,
            wouldRefuse: sql`${shadowCounts.wouldRefuse} + excluded.would_refuse`,
            wouldAccept: sql`${shadowCounts.wouldAccept} + excluded.would_accept`,
          },
        });
    },
    /**
     * Accepted, held and refused, and the lowest and highest level, per interval.
     *
     * By the number of each interval that had an attempt. An interval is a number of minutes, and of hours when `from` is
     * longer ago than minutes are kept.
     */
    perInterval: (postId: number, from: number, intervalMs: number) =>
      perInterval.execute({ postId, from, intervalMs, lengthMs: lengthFor(intervalMs) }),
    /**
     * How often each policy in shadow disagreed with the decision.
     * Counted by the intervals of `perInterval`.
     */
    disagreements: (postId: number, from: number, intervalMs: number) =>
      disagreements.execute({ postId, from, intervalMs, lengthMs: lengthFor(intervalMs) }),
    /**
     * Removes the counts of minutes, or of hours, from before `at`.
     * At most `limit` rows of each kind.
     */
    async removeBefore(interval: "minute" | "hour", at: number, limit: number) {
      const lengthMs = interval === "hour" ? hourMs : minuteMs;
      const removed = [
        await removeAttemptCounts.execute({ lengthMs, at, limit }),
        await removeShadowCounts.execute({ lengthMs, at, limit }),
      ];
      return removed.flat().length;
    },
  };
}

function ofBoth(of: (...values: number[]) => number, one: number | null, other: number | null) {
  return one === null || other === null ? (one ?? other) : of(one, other);
}

/** The longest counts of which an interval is made. */
function lengthFor(intervalMs: number): number {
  return intervalMs % hourMs === 0 ? hourMs : minuteMs;
}
