/**
 * A node's status report, shared through the database.
 * Contains no address and no client input.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { z } from "zod";
import type { PoolFigures } from "../../db/index.ts";
import { type HealthPart, ready } from "./health.ts";
import type { RouteClock } from "./route-times.ts";

const count = z.number().nonnegative();

/** Checked on reading, because another version of the app may have written it. */
export const nodeReportSchema = z.object({
  /** The build's id; null in development. */
  version: z.string().nullable(),
  database: z.object({
    kind: z.enum(["SQLite", "PostgreSQL"]),
    /** Null for SQLite, which has one connection. */
    pool: z.object({ size: count, busy: count, waiting: count }).nullable(),
  }),
  limiterStore: z.object({
    kind: z.enum(["database", "memory", "redis"]),
    /** Why the store cannot be used, without secrets; null when it can. */
    fault: z.string().nullable(),
  }),
  /** The 99th percentile of the event loop's delay since the previous report. */
  eventLoopP99Ms: count,
  memoryBytes: count,
  routes: z.array(
    z.object({
      method: z.string(),
      route: z.string(),
      count,
      totalMs: count,
      buckets: z.array(z.tuple([count, count])),
    }),
  ),
});

export type NodeReport = z.infer<typeof nodeReportSchema>;

interface NodeFacts {
  version: string | null;
  databaseKind: NodeReport["database"]["kind"];
  poolFigures?: (() => PoolFigures) | undefined;
  limiterStoreKind: NodeReport["limiterStore"]["kind"];
  /** Health checks of the store; empty when it needs none. */
  limiterStoreParts: readonly HealthPart[];
  routeClock: RouteClock;
}

const storeTimeoutMs = 1_500;
/** Sampling interval of the event loop; measured delays include it. */
const sampleEveryMs = 10;

/**
 * Starts measuring this process.
 * The returned function makes its report at `now` (milliseconds).
 */
export function nodeReporting(facts: NodeFacts): (now: number) => Promise<NodeReport> {
  const loop = monitorEventLoopDelay({ resolution: sampleEveryMs });
  loop.enable();
  return async (now) => {
    const [fault] = await ready(facts.limiterStoreParts, storeTimeoutMs);
    const eventLoopP99Ms = Math.max(0, loop.percentile(99) / 1e6 - sampleEveryMs);
    loop.reset();
    return {
      version: facts.version,
      database: { kind: facts.databaseKind, pool: facts.poolFigures?.() ?? null },
      limiterStore: { kind: facts.limiterStoreKind, fault: fault?.reason ?? null },
      eventLoopP99Ms: Number.isFinite(eventLoopP99Ms) ? eventLoopP99Ms : 0,
      memoryBytes: process.memoryUsage.rss(),
      routes: facts.routeClock.times(now),
    };
  };
}
