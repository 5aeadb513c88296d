/** Status for administrators: nodes, decisions per limit, slowest routes. */
import type { Database, LimitCounts, SavedNode } from "../../db/index.ts";
import type { PolicyName } from "../limits/default-limits.ts";
import type { Limit, Limits } from "../limits/index.ts";
import { hourMs, minuteMs } from "../time/units.ts";
import type { User } from "../users/index.ts";
import { noCounts } from "./limit-counters.ts";
import { type NodeReport, nodeReportSchema } from "./node-report.ts";
import { mergeTimes, percentileMs } from "./route-times.ts";

export const hoursShown = 24;
/** A node is silent after about four missed heartbeats. */
const silentAfterMs = minuteMs;

export interface NodeStatus extends Omit<SavedNode, "report" | "round"> {
  /** Null when another version of the app wrote it in another shape. */
  report: NodeReport | null;
  isSilent: boolean;
}

/** A policy and its decisions in the hours shown. */
export interface LimitStatus {
  name: string;
  /** Undefined when the policy is no longer configured. */
  policy: Limit | undefined;
  sums: Omit<LimitCounts, "policy" | "hour">;
  /** One per hour, oldest first. */
  hours: readonly LimitCounts[];
}

export interface RouteStatus {
  method: string;
  route: string;
  count: number;
  meanMs: number;
  /** 95th percentile of the response time. */
  p95Ms: number;
}

type Overview =
  | { kind: "forbidden" }
  | {
      kind: "found";
      nodes: readonly NodeStatus[];
      limits: readonly LimitStatus[];
      /** Names of limits without a policy. */
      off: readonly PolicyName[];
      /** On nodes that are not silent, slowest first. */
      routes: readonly RouteStatus[];
    };

/**
 * The overview at `now` (milliseconds).
 * Hours are UTC, and the last one is incomplete.
 */
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
    off: namesOf(limits).filter((name) => limits[name].length === 0),
    routes: slowestRoutes(nodes),
  };
}

function namesOf(limits: Limits): PolicyName[] {
  // A `Limits` has these names only.
  return Object.keys(limits) as PolicyName[];
}

function statusOf({ report, round: _, ...node }: SavedNode, now: number): NodeStatus {
  const { data = null } = nodeReportSchema.safeParse(report);
  return { ...node, report: data, isSilent: now - node.seenAt > silentAfterMs };
}

/** Configured policies, then former ones that still have counts. */
function limitStatuses(limits: Limits, counts: readonly LimitCounts[], firstHour: number): LimitStatus[] {
  const policies = Object.values(limits).flat();
  const byName = Map.groupBy(counts, ({ policy }) => policy);
  const former = [...byName.keys()].filter((name) => !policies.some((policy) => policy.name === name));
  const status = (name: string, policy?: Limit): LimitStatus => {
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
  return mergeTimes(times)
    .map((each) => ({
      method: each.method,
      route: each.route,
      count: each.count,
      meanMs: each.totalMs / each.count,
      p95Ms: percentileMs(each, 0.95),
    }))
    .toSorted((a, b) => b.p95Ms - a.p95Ms || b.meanMs - a.meanMs);
}
