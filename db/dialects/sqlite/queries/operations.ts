/** How the app does: what its nodes say of themselves, and how often limits decided what. */
import { eq, gte, lt, sql } from "drizzle-orm";
import type { OperationQueries, Synchronous } from "../../../types.ts";
import type { Connection } from "../index.ts";
import { limitCounts, nodes } from "../schema.ts";

const { placeholder } = sql;

export function operationQueries(connection: Connection): Synchronous<OperationQueries> {
  const all = connection.select().from(nodes).orderBy(nodes.name, nodes.id).prepare();
  const roundOf = connection
    .select({ round: nodes.round })
    .from(nodes)
    .where(eq(nodes.id, placeholder("id")))
    .prepare();
  const countsFrom = connection
    .select()
    .from(limitCounts)
    .where(gte(limitCounts.hour, placeholder("hour")))
    .orderBy(limitCounts.hour, limitCounts.policy)
    .prepare();

  return {
    saveNode({ report, ...node }) {
      const columns = { ...node, report: JSON.stringify(report) };
      connection.insert(nodes).values(columns).onConflictDoUpdate({ target: nodes.id, set: columns }).run();
    },
    removeNode: (id) => void connection.delete(nodes).where(eq(nodes.id, id)).run(),
    nodes: () => all.all().map(({ report, ...node }) => ({ ...node, report: JSON.parse(report) })),
    roundOf: (id) => roundOf.get({ id })?.round,
    removeNodesNotSeenSince: (at) => void connection.delete(nodes).where(lt(nodes.seenAt, at)).run(),
    addLimitCounts(counts) {
      if (counts.length === 0) return;
      connection
        .insert(limitCounts)
        .values([...counts])
        .onConflictDoUpdate({
          target: [limitCounts.hour, limitCounts.policy],
          set: {
            allowed: sql`${limitCounts.allowed} + excluded.allowed`,
            refused: sql`${limitCounts.refused} + excluded.refused`,
            held: sql`${limitCounts.held} + excluded.held`,
            shadowWouldRefuse: sql`${limitCounts.shadowWouldRefuse} + excluded.shadow_would_refuse`,
          },
        })
        .run();
    },
    limitCountsFrom: (hour) => countsFrom.all({ hour }),
    removeLimitCountsBefore: (hour) =>
      void connection.delete(limitCounts).where(lt(limitCounts.hour, hour)).run(),
  };
}
