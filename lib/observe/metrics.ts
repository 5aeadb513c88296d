/**
 * The figures of this process, for Prometheus: what `/metrics` answers. Names and labels are written here and nowhere
 * else; every label has few values, none of them made by a client.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { PoolFigures } from "../../db/index.ts";
import { within } from "./deadline.ts";

/** The flood windows that are held: those that go on, and those that are over and undecided. */
export interface FloodFigures {
  running: number;
  over: number;
}

/** How long what a scrape asks of others may take. */
const askMaximumMs = 2_000;

// Kept on the global object: the framework may load this module more than once in a process.
const kept: { weirMetrics?: ReturnType<typeof makeMetrics> } & typeof globalThis = globalThis;

export function metrics() {
  kept.weirMetrics ??= makeMetrics();
  return kept.weirMetrics;
}

/** For the adapter of the database: a transaction was tried again, for example because of a "serialization" failure. */
export function countDatabaseRetry(reason: string): void {
  metrics().retries.inc({ store: "database", reason });
}

/** For the store in Redis: another process was faster. */
export function countRedisRetry(): void {
  metrics().retries.inc({ store: "redis", reason: "conflict" });
}

/** A guard's `report` that also counts: by policy what state could not be had, without one that the database could not be used. */
export function countingOutages(report: (error: unknown, policy?: string) => void) {
  return (error: unknown, policy?: string): void => {
    if (policy === undefined) metrics().databaseOutages.inc();
    else metrics().limiterOutages.inc({ policy });
    report(error, policy);
  };
}

/** Whom to ask for the figures of the database's connections. Without, there are none. */
export function setPoolFigures(ask: () => PoolFigures): void {
  metrics().asked.pool = ask;
}

/** Whom to ask for the flood windows that are held. It may fail: a scrape leaves them out then. */
export function setFloodFigures(ask: () => Promise<FloodFigures>): void {
  metrics().asked.floods = ask;
}

/** All figures in Prometheus' text format. */
export async function scrape(): Promise<{ contentType: string; text: string }> {
  const { registry, asked, pool, floodWindows, scrapeErrors } = metrics();
  const connections = asked.pool?.();
  if (connections) {
    pool.set({ state: "open" }, connections.size);
    pool.set({ state: "busy" }, connections.busy);
    pool.set({ state: "waiting" }, connections.waiting);
  }
  try {
    const floods = asked.floods && (await within(askMaximumMs, asked.floods));
    if (floods) {
      floodWindows.set({ phase: "running" }, floods.running);
      floodWindows.set({ phase: "over" }, floods.over);
    }
  } catch {
    floodWindows.reset();
    scrapeErrors.inc({ part: "flood-windows" });
  }
  return { contentType: registry.contentType, text: await registry.metrics() };
}

function makeMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const asked: { pool?: () => PoolFigures; floods?: () => Promise<FloodFigures> } = {};
  return {
    registry,
    asked,
    requests: new Counter({
      name: "weir_http_requests_total",
      help: "Requests that have ended, by method, kind (page, action, api, file, static, operations) and class of the status.",
      labelNames: ["method", "kind", "status"],
      registers,
    }),
    requestSeconds: new Histogram({
      name: "weir_http_request_duration_seconds",
      help: "From a request's head to the end of its answer.",
      labelNames: ["method", "kind"],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    ratingAttempts: new Counter({
      name: "weir_rating_attempts_total",
      help: "Tries to rate, by decision (accepted, held, refused, denied, unavailable, failed) and by the policy that decided.",
      labelNames: ["decision", "policy"],
      registers,
    }),
    limitDecisions: new Counter({
      name: "weir_limit_decisions_total",
      help: "What each policy decided about requests of any kind: allowed, refused, held, shadow-would-allow, shadow-would-refuse.",
      labelNames: ["policy", "decision"],
      registers,
    }),
    limiterSeconds: new Histogram({
      name: "weir_limiter_seconds",
      help: "One update of a limiter's state in memory or Redis; in the database, the transaction that it is a part of.",
      labelNames: ["store"],
      buckets: [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    }),
    retries: new Counter({
      name: "weir_store_retries_total",
      help: "What was tried again because somebody else was faster, by store (redis, database) and reason.",
      labelNames: ["store", "reason"],
      registers,
    }),
    limiterOutages: new Counter({
      name: "weir_limiter_outages_total",
      help: "How often a policy's state could not be had.",
      labelNames: ["policy"],
      registers,
    }),
    databaseOutages: new Counter({
      name: "weir_database_outages_total",
      help: "Requests that nothing could be decided about, because the database could not be used.",
      registers,
    }),
    floodWindows: new Gauge({
      name: "weir_open_flood_windows",
      help: "Flood windows that are held, 1,000 at most: those that go on (running), and those that wait for a decision (over).",
      labelNames: ["phase"],
      registers,
    }),
    pool: new Gauge({
      name: "weir_database_pool",
      help: "The database's connections: open, busy among them, and how many callers are waiting for one. None for SQLite.",
      labelNames: ["state"],
      registers,
    }),
    scrapeErrors: new Counter({
      name: "weir_scrape_errors_total",
      help: "Figures that a scrape had to leave out, by part.",
      labelNames: ["part"],
      registers,
    }),
  };
}
