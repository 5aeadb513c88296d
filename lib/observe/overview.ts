/** How the app does, for administrators: its nodes, its limits and how often each has bitten, its slowest routes. */
import type { Database, LimitCounts, SavedNode } from "../../db/index.ts";
import type { Limits, Policy } from "../limits.ts";
import type { User } from "../users/index.ts";
import { hourMs, noCounts } from "./limit-tally.ts";
import { type NodeReport, nodeReportSchema } from "./node-report.ts";
import { summed, withinMs } from "./route-times.ts";

export const hoursShown = 24;
/** A node says how it does every fifteen seconds: one that was silent for this long has not said it a few times. */
const silentAfterMs = 60_000;

export interface NodeStatus extends Omit<SavedNode, "report" | "round"> {
  /** Null when it says something that only another version of the app understands. */
  report: NodeReport | null;
  isSilent: boolean;
}

/** A policy, and what it has decided in the hours that are shown. */
export interface LimitStatus {
  name: string;
  /** Undefined when it is on no more. */
  policy: Policy | undefined;
  sums: Omit<LimitCounts, "policy" | "hour">;
  /** One for each hour, the oldest first. */
  hours: readonly LimitCounts[];
}

export interface RouteStatus {
  method: string;
  route: string;
  count: number;
  meanMs: number;
  /** Of 100 requests, 95 were answered within this time. */
  p95Ms: number;
}

export type Overview =
  | { kind: "forbidden" }
  | {
      kind: "found";
      nodes: readonly NodeStatus[];
      limits: readonly LimitStatus[];
      /** The names of what is on without any policy. */
      off: readonly string[];
      /** On the nodes that are not silent, the slowest first. */
      routes: readonly RouteStatus[];
    };

/** All of it as of `now` (milliseconds); hours are those of UTC, the last one being under way. */
export async function overviewFor(
  { database, limits }: { database: Pick<Database, "operations">; limits: Limits },
  user: Pick<User, "isAdministrator">,
  now: number,
): Promise<Overview> {
  if (!user.isAdministrator) return { kind: "forbidden" };
  const firstHour = Math.floor(now / hourMs) - hoursShown + 1;
  const [saved, counts] = await Promise.all([
    database.operations.nodes(),
    database.operations.limitCountsFrom(firstHour),
  ]);
  const nodes = saved.map((node) => statusOf(node, now));
  return {
    kind: "found",
    nodes,
    limits: limitStatuses(limits, counts, firstHour),
    off: Object.entries(limits).flatMap(([name, policies]) => (policies.length === 0 ? [name] : [])),
    routes: slowestRoutes(nodes),
  };
}

function statusOf({ report, round: _, ...node }: SavedNode, now: number): NodeStatus {
  const { data = null } = nodeReportSchema.safeParse(report);
  return { ...node, report: data, isSilent: now - node.seenAt > silentAfterMs };
}

/** Those that are on, and then those that have decided something and are on no more. */
function limitStatuses(limits: Limits, counts: readonly LimitCounts[], firstHour: number): LimitStatus[] {
  const policies = Object.values(limits).flat();
  const byName = Map.groupBy(counts, ({ policy }) => policy);
  const former = [...byName.keys()].filter((name) => !policies.some((policy) => policy.name === name));
  const status = (name: string, policy?: Policy): LimitStatus => {
    const counted = new Map(byName.get(name)?.map((each) => [each.hour, each]));
    const hours = Array.from(
      { length: hoursShown },
      (__, index) => counted.get(firstHour + index) ?? noCounts(name, firstHour + index),
    );
    const sum = (what: keyof LimitStatus["sums"]) => hours.reduce((total, each) => total + each[what], 0);
    const sums = {
      allowed: sum("allowed"),
      refused: sum("refused"),
      held: sum("held"),
      shadowWouldRefuse: sum("shadowWouldRefuse"),
    };
    return { name, policy, sums, hours };
  };
  return [
    ...policies.map((policy) => status(policy.name, policy)),
    ...former.toSorted().map((name) => status(name)),
  ];
}

function slowestRoutes(nodes: readonly NodeStatus[]): RouteStatus[] {
  const times = nodes.flatMap(({ report, isSilent }) => (report && !isSilent ? report.routes : []));
  return summed(times)
    .map((each) => ({
      method: each.method,
      route: each.route,
      count: each.count,
      meanMs: each.totalMs / each.count,
      p95Ms: withinMs(each, 0.95),
    }))
    .toSorted((a, b) => b.p95Ms - a.p95Ms || b.meanMs - a.meanMs);
}
