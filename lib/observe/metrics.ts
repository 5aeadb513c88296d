// Over 200 lines: all names and labels of metrics stand in one table.

/**
 * This process's Prometheus metrics, served at `/metrics`.
 * All names and labels are defined here; every label has few values, and none of them comes from a client.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { PoolFigures } from "../../db/index.ts";
import { throttledLog } from "../logging/throttled-log.ts";
import { minuteMs } from "../time/units.ts";
import { within } from "./deadline.ts";

/** Counts of mails in the outbox. */
interface MailFigures {
  waiting: number;
  givenUp: number;
}

/** Counts of held flood windows: still open, or over and undecided. */
interface FloodFigures {
  running: number;
  over: number;
}

/** Timeout of the queries that a scrape makes. */
const queryTimeoutMs = 2_000;
const reportScrapeError = throttledLog("metrics could not be read from the database, and are left out", {
  everyMs: minuteMs,
  level: "warn",
});

// On the global object, because Next.js may load this module more than once per process.
const shared: { weirMetrics?: ReturnType<typeof makeMetrics> } & typeof globalThis = globalThis;

export function metrics() {
  shared.weirMetrics ??= makeMetrics();
  return shared.weirMetrics;
}

/** Counts a retried database transaction; `reason` such as "serialization". */
export function countDatabaseRetry(reason: string): void {
  metrics().retries.inc({ store: "database", reason });
}

/** Counts a retried compare-and-set in Redis. */
export function countRedisRetry(): void {
  metrics().retries.inc({ store: "redis", reason: "conflict" });
}

/**
 * Wraps a guard's `report` to count outages.
 * An outage is of a policy's store or, without a policy, of the database.
 */
export function countingOutages(report: (error: unknown, policy?: string) => void) {
  return (error: unknown, policy?: string): void => {
    if (policy === undefined) metrics().databaseOutages.inc();
    else metrics().limiterOutages.inc({ policy });
    report(error, policy);
  };
}

/** Sets the source of the connection pool's metrics; without it there are none. */
export function setPoolFigures(read: () => PoolFigures): void {
  metrics().sources.pool = read;
}

/**
 * Sets the source of the flood window metrics.
 * A scrape leaves them out when it fails.
 */
export function setFloodFigures(read: () => Promise<FloodFigures>): void {
  metrics().sources.floods = read;
}

/**
 * Sets the source of the number of posts that wait for a replay.
 * A scrape leaves the number out when the source fails.
 */
export function setReplayFigures(read: () => Promise<{ posts: number }>): void {
  metrics().sources.replays = read;
}

/**
 * Sets the source of the outbox metrics.
 * A scrape leaves them out when it fails.
 */
export function setMailFigures(read: () => Promise<MailFigures>): void {
  metrics().sources.mails = read;
}

/** Sets the source of the page cache's size; without it there is none. */
export function setPageCacheBytes(read: () => number): void {
  metrics().sources.pageCacheBytes = read;
}

/** Counts an attempt to send an email. */
export function countMail(result: "sent" | "failed" | "given-up"): void {
  metrics().mailAttempts.inc({ result });
}

/** All metrics in Prometheus' text format. */
export async function scrape(): Promise<{ contentType: string; text: string }> {
  const { registry, sources, pool, floodWindows, replaysWaiting, mails, scrapeErrors } = metrics();
  const connections = sources.pool?.();
  if (connections) {
    pool.set({ state: "open" }, connections.size);
    pool.set({ state: "busy" }, connections.busy);
    pool.set({ state: "waiting" }, connections.waiting);
  }
  const setByQuery = async <Figures>(
    part: string,
    read: (() => Promise<Figures>) | undefined,
    { set, clear }: { set: (figures: Figures) => void; clear: () => void },
  ) => {
    try {
      const figures = read && (await within(queryTimeoutMs, read));
      if (figures) set(figures);
    } catch (error) {
      clear();
      scrapeErrors.inc({ part });
      reportScrapeError(error);
    }
  };
  await setByQuery("flood-windows", sources.floods, {
    clear: () => floodWindows.reset(),
    set({ running, over }) {
      floodWindows.set({ phase: "running" }, running);
      floodWindows.set({ phase: "over" }, over);
    },
  });
  await setByQuery("replays", sources.replays, {
    clear: () => replaysWaiting.remove(),
    set: ({ posts }) => replaysWaiting.set(posts),
  });
  await setByQuery("mails", sources.mails, {
    clear: () => mails.reset(),
    set({ waiting, givenUp }) {
      mails.set({ state: "waiting" }, waiting);
      mails.set({ state: "given-up" }, givenUp);
    },
  });
  return { contentType: registry.contentType, text: await registry.metrics() };
}

function makeMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const sources: {
    pool?: () => PoolFigures;
    floods?: () => Promise<FloodFigures>;
    replays?: () => Promise<{ posts: number }>;
    mails?: () => Promise<MailFigures>;
    pageCacheBytes?: () => number;
  } = {};
  return {
    registry,
    sources,
    requests: new Counter({
      name: "weir_http_requests_total",
      help: "Requests that have ended, by method, kind (page, action, api, file, static, operations) and class of the status.",
      labelNames: ["method", "kind", "status"],
      registers,
    }),
    requestSeconds: new Histogram({
      name: "weir_http_request_duration_seconds",
      help: "From a request's head to the end of its response.",
      labelNames: ["method", "kind"],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    pageCache: new Counter({
      name: "weir_page_cache_requests_total",
      help: "Visitors' requests for pages that copies can answer: hit (a copy), coalesced (it waited for the page of other requests), miss (the page was made).",
      labelNames: ["result"],
      registers,
    }),
    pageCacheBytes: new Gauge({
      name: "weir_page_cache_bytes",
      help: "Memory of the copies of pages.",
      registers,
      collect() {
        if (sources.pageCacheBytes) this.set(sources.pageCacheBytes());
      },
    }),
    ratingAttempts: new Counter({
      name: "weir_rating_attempts_total",
      help: "Attempts to rate, by decision (accepted, held, refused, denied, unavailable, failed) and by the policy that decided.",
      labelNames: ["decision", "policy"],
      registers,
    }),
    limitDecisions: new Counter({
      name: "weir_limit_decisions_total",
      help: "Decisions of each policy on requests of any kind: allowed, refused, held, shadow-would-allow, shadow-would-refuse.",
      labelNames: ["policy", "decision"],
      registers,
    }),
    limiterSeconds: new Histogram({
      name: "weir_limiter_seconds",
      help: "Duration of one update of a limiter's state in memory or Redis; in the database, of its transaction.",
      labelNames: ["store"],
      buckets: [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    }),
    retries: new Counter({
      name: "weir_store_retries_total",
      help: "Operations run again, by store (redis, database) and reason: a conflict with another writer, or stale, a statement that its connection no longer has in this form.",
      labelNames: ["store", "reason"],
      registers,
    }),
    limiterOutages: new Counter({
      name: "weir_limiter_outages_total",
      help: "How often a policy's state could not be read or written.",
      labelNames: ["policy"],
      registers,
    }),
    databaseOutages: new Counter({
      name: "weir_database_outages_total",
      help: "Requests without a decision, because the database could not be used.",
      registers,
    }),
    floodWindows: new Gauge({
      name: "weir_open_flood_windows",
      help: "Held flood windows, 1,000 at most: still open (running), or waiting for a decision (over).",
      labelNames: ["phase"],
      registers,
    }),
    replaysWaiting: new Gauge({
      name: "weir_posts_waiting_for_replay",
      help: "Posts whose scores are still to be recalculated, after accounts were disabled or a flood was excluded.",
      registers,
    }),
    mails: new Gauge({
      name: "weir_mails",
      help: "Mails in the outbox: waiting to be sent, or given up within the last week.",
      labelNames: ["state"],
      registers,
    }),
    mailAttempts: new Counter({
      name: "weir_mail_attempts_total",
      help: "Attempts to send an email, by result: sent, failed (retried later), given-up.",
      labelNames: ["result"],
      registers,
    }),
    pool: new Gauge({
      name: "weir_database_pool",
      help: "Database connections: open, busy, and callers waiting for one. None for SQLite.",
      labelNames: ["state"],
      registers,
    }),
    scrapeErrors: new Counter({
      name: "weir_scrape_errors_total",
      help: "Metrics that a scrape had to leave out, by part.",
      labelNames: ["part"],
      registers,
    }),
  };
}
