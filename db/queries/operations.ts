/** The nodes' reports, and the number of each limit's decisions by kind. */
import { eq, gte, lt, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { Tables } from "../schema/index.ts";

const { placeholder } = sql;

/** A node's report on itself, which is JSON-serialisable. */
export type SavedNode = Omit<Tables["nodes"]["$inferSelect"], "report"> & { report: unknown };

/** A policy's decisions within an hour, on all nodes. */
export type LimitCounts = Tables["limitCounts"]["$inferSelect"];

/** The latest trusted time, and the pending clock, if there is one. */
export interface SavedTrustedTime {
  at: number;
  pending: PendingClock | null;
}

/** A clock that must run on for a while before it is trusted. */
export interface PendingClock {
  /** Its time at the beginning. */
  from: number;
  /** Its time at the latest check. */
  last: number;
  /** How long servers ran with it. */
  ranMs: number;
}

export function operationQueries({ statements, tables: { limitCounts, nodes, trustedTime } }: Dialect) {
  const all = statements.select().from(nodes).orderBy(nodes.name, nodes.id).prepare("nodes");
  const roundOf = statements
    .select({ round: nodes.round })
    .from(nodes)
    .where(eq(nodes.id, placeholder("id")))
    .prepare("round of node");
  const countsFrom = statements
    .select()
    .from(limitCounts)
    .where(gte(limitCounts.hour, placeholder("hour")))
    .orderBy(limitCounts.hour, limitCounts.policy)
    .prepare("limit counts");
  const theRow = 1;

  return {
    /** Undefined before the first. */
    async trustedTime(): Promise<SavedTrustedTime | undefined> {
      const [row] = await statements.select().from(trustedTime);
      if (!row) return undefined;
      const { at, pendingFrom: from, pendingLast: last, pendingRanMs: ranMs } = row;
      return {
        at,
        pending: from === null || last === null || ranMs === null ? null : { from, last, ranMs },
      };
    },
    async saveTrustedTime({ at, pending }: SavedTrustedTime) {
      const columns = {
        at,
        pendingFrom: pending?.from ?? null,
        pendingLast: pending?.last ?? null,
        pendingRanMs: pending?.ranMs ?? null,
      };
      await statements
        .insert(trustedTime)
        .values({ id: theRow, ...columns })
        .onConflictDoUpdate({ target: trustedTime.id, set: columns });
    },
    /** Saves a node's report in place of the one before. */
    async saveNode({ report, ...node }: SavedNode) {
      const columns = { ...node, report: JSON.stringify(report) };
      await statements.insert(nodes).values(columns).onConflictDoUpdate({ target: nodes.id, set: columns });
    },
    async removeNode(id: string) {
      await statements.delete(nodes).where(eq(nodes.id, id));
    },
    /** Every node, by name. */
    nodes: async (): Promise<SavedNode[]> =>
      (await all.execute()).map(({ report, ...node }) => ({ ...node, report: JSON.parse(report) })),
    /** The round of a node; undefined when there is no such node. */
    roundOf: async (id: string) => (await roundOf.execute({ id }))[0]?.round,
    async removeNodesNotSeenSince(at: number) {
      await statements.delete(nodes).where(lt(nodes.seenAt, at));
    },
    /**
     * Adds to the counts of each policy and hour.
     * Each pair of policy and hour occurs at most once in a call.
     */
    async addLimitCounts(counts: readonly LimitCounts[]) {
      if (counts.length === 0) return;
      await statements
        .insert(limitCounts)
        // Each row is locked from here on: all nodes take them in the same order.
        .values(counts.toSorted((a, b) => a.hour - b.hour || (a.policy < b.policy ? -1 : 1)))
        .onConflictDoUpdate({
          target: [limitCounts.hour, limitCounts.policy],
          set: {
            allowed: sql`${limitCounts.allowed} + excluded.allowed`,
            refused: sql`${limitCounts.refused} + excluded.refused`,
            held: sql`${limitCounts.held} + excluded.held`,
            shadowWouldRefuse: sql`${limitCounts.shadowWouldRefuse} + excluded.shadow_would_refuse`,
          },
        });
    },
    /** The counts from an hour on, by hour and then policy. */
    limitCountsFrom: (hour: number) => countsFrom.execute({ hour }),
    async removeLimitCountsBefore(hour: number) {
      await statements.delete(limitCounts).where(lt(limitCounts.hour, hour));
    },
  };
}
