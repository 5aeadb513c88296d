/** What a node says of itself to the others, by way of the database. Names no address, and nothing that a client has made. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { z } from "zod";
import type { PoolFigures } from "../../db/index.ts";
import type { Part } from "./health.ts";
import { ready } from "./health.ts";
import type { RouteClock } from "./route-times.ts";

const count = z.number().nonnegative();

/** Another version of the app may say other things: what is read is checked. */
export const nodeReportSchema = z.object({
  /** The build that it runs; null in development. */
  version: z.string().nullable(),
  database: z.object({
    kind: z.enum(["SQLite", "PostgreSQL"]),
    /** Null where there is but one connection. */
    pool: z.object({ size: count, busy: count, waiting: count }).nullable(),
  }),
  limiterStore: z.object({
    kind: z.enum(["database", "memory", "redis"]),
    /** Why it cannot be used, in words that anybody may read; null when it can. */
    fault: z.string().nullable(),
  }),
  /** Of 100 turns of the event loop, how late 99 were at most since the report before. */
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

export interface NodeFacts {
  version: string | null;
  databaseKind: NodeReport["database"]["kind"];
  poolFigures?: (() => PoolFigures) | undefined;
  limiterStoreKind: NodeReport["limiterStore"]["kind"];
  /** Whom to ask whether the store can be used; empty when it always can. */
  limiterStoreParts: readonly Part[];
  routeClock: RouteClock;
}

/** Who asks waits this long for the store. */
const storeTimeoutMs = 1_500;
/** How often the event loop is looked at. What is measured is from one look to the next. */
const lookEveryMs = 10;

/** Watches this process from now on; what is given back tells how it does at `now` (milliseconds). */
export function nodeReporting(facts: NodeFacts): (now: number) => Promise<NodeReport> {
  const loop = monitorEventLoopDelay({ resolution: lookEveryMs });
  loop.enable();
  return async (now) => {
    const [fault] = await ready(facts.limiterStoreParts, storeTimeoutMs);
    const eventLoopP99Ms = Math.max(0, loop.percentile(99) / 1e6 - lookEveryMs);
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
