/** The nodes' reports, and how often each limit decided what. */
import { eq, gte, lt, sql } from "drizzle-orm";
import type { Dialect } from "../dialect.ts";
import type { OperationQueries } from "../types.ts";

const { placeholder } = sql;

export function operationQueries({ statements, tables: { limitCounts, nodes } }: Dialect): OperationQueries {
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

  return {
    async saveNode({ report, ...node }) {
      const columns = { ...node, report: JSON.stringify(report) };
      await statements.insert(nodes).values(columns).onConflictDoUpdate({ target: nodes.id, set: columns });
    },
    async removeNode(id) {
      await statements.delete(nodes).where(eq(nodes.id, id));
    },
    nodes: async () =>
      (await all.execute()).map(({ report, ...node }) => ({ ...node, report: JSON.parse(report) })),
    roundOf: async (id) => (await roundOf.execute({ id }))[0]?.round,
    async removeNodesNotSeenSince(at) {
      await statements.delete(nodes).where(lt(nodes.seenAt, at));
    },
    async addLimitCounts(counts) {
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
    limitCountsFrom: (hour) => countsFrom.execute({ hour }),
    async removeLimitCountsBefore(hour) {
      await statements.delete(limitCounts).where(lt(limitCounts.hour, hour));
    },
  };
}
