/** Sends this node's heartbeat from start to shutdown. */
import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import { hostname } from "node:os";
import { isPostgresUrl } from "../../db/index.ts";
import { limiterStoreParts } from "../app.ts";
import { database } from "../database.ts";
import { throttledLog } from "../logging/throttled-log.ts";
import type { Settings } from "../settings/env.ts";
import { currentTime, trustedTime } from "../time/current-time.ts";
import { minuteMs } from "../time/units.ts";
import { createHeartbeat, type Heartbeat } from "./heartbeat.ts";
import { limitCounters } from "./limit-counters.ts";
import { nodeReporting } from "./node-report.ts";
import { routeClock } from "./route-times.ts";

/** The interval varies by `jitter`, so that nodes do not write together. */
const heartbeatEveryMs = 15_000;
const jitter = 0.1;
const logEveryMs = minuteMs;

// On the global object, because Next.js may load this module more than once per process.
const shared: { weirNode?: { id: string; heartbeat: Heartbeat } } & typeof globalThis = globalThis;

/**
 * Starts the heartbeat.
 * `version` is the build's id. `leave` sends the last one, when the server ends.
 */
export function startReporting(
  { DATABASE_URL, LIMITER_STORE, PORT }: Pick<Settings, "DATABASE_URL" | "LIMITER_STORE" | "PORT">,
  version: string | undefined,
): { leave: () => Promise<void> } {
  const id = randomUUID();
  const { poolFigures } = database();
  const heartbeat = createHeartbeat({
    database: database(),
    node: { id, name: `${hostName()}:${PORT}`, startedAt: currentTime() },
    counters: limitCounters(),
    describe: nodeReporting({
      version: version || null,
      databaseKind: isPostgresUrl(DATABASE_URL) ? "PostgreSQL" : "SQLite",
      poolFigures,
      limiterStoreKind: LIMITER_STORE,
      limiterStoreParts: limiterStoreParts(),
      routeClock: routeClock(),
    }),
    trusted: trustedTime,
    report: throttledLog("the heartbeat could not be saved; the next one will include its counts", {
      everyMs: logEveryMs,
      level: "warn",
    }),
  });
  shared.weirNode = { id, heartbeat };
  const repeat = async () => {
    await heartbeat.beat(currentTime());
    setTimeout(repeat, heartbeatEveryMs * (1 + jitter * (2 * Math.random() - 1))).unref();
  };
  void repeat();
  return { leave: () => heartbeat.leave(currentTime()) };
}

/**
 * Sends a heartbeat now, so that the database has all counts.
 * Resolves to this node's id.
 */
export async function reportNow(now: number): Promise<string | undefined> {
  await shared.weirNode?.heartbeat.beat(now);
  return shared.weirNode?.id;
}

/** The machine's name; "node" when that is an address. */
function hostName(): string {
  const name = hostname();
  return isIP(name) ? "node" : name;
}
