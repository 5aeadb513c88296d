import { beforeEach, expect, onTestFinished, test } from "vitest";
import { startRedis } from "../../scripts/cluster/start-redis.ts";
import { connectedRedis } from "../../testing/redis-connection.ts";
import { createLimiter, leakyBucket } from "../limiter/index.ts";
import { redisStore } from "../limiter/redis.ts";
import {
  countDatabaseRetry,
  countRedisRetry,
  metrics,
  scrape,
  setFloodFigures,
  setPoolFigures,
  setReplayFigures,
} from "./metrics.ts";

beforeEach(() => metrics().registry.resetMetrics());

/** The sample lines of one metric. */
const lines = async (name: string) =>
  (await scrape()).text
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));

test("a scrape has the process's and event loop's metrics in Prometheus' format", async () => {
  const { contentType, text } = await scrape();
  expect(contentType).toBe("text/plain; version=0.0.4; charset=utf-8");
  for (const name of [
    "nodejs_eventloop_lag_seconds",
    "process_cpu_seconds_total",
    "nodejs_heap_size_used_bytes",
  ])
    expect(text).toMatch(new RegExp(`^${name} \\d`, "m"));
});

test("exports the pool's metrics only when a source is set", async () => {
  expect(await lines("weir_database_pool")).toEqual([]);
  setPoolFigures(() => ({ size: 10, busy: 4, waiting: 2 }));
  expect(await lines("weir_database_pool")).toEqual([
    'weir_database_pool{state="open"} 10',
    'weir_database_pool{state="busy"} 4',
    'weir_database_pool{state="waiting"} 2',
  ]);
});

test("leaves out flood windows when their query fails or times out, counts that, and exports the rest", async () => {
  setFloodFigures(async () => ({ running: 1, over: 2 }));
  expect(await lines("weir_open_flood_windows")).toEqual([
    'weir_open_flood_windows{phase="running"} 1',
    'weir_open_flood_windows{phase="over"} 2',
  ]);
  setFloodFigures(() => Promise.reject(new Error("the database is gone")));
  expect(await lines("weir_open_flood_windows")).toEqual([]);
  expect(await lines("weir_scrape_errors_total")).toEqual([
    'weir_scrape_errors_total{part="flood-windows"} 2',
  ]);
  expect(await lines("process_cpu_seconds_total")).toHaveLength(1);
  setFloodFigures(() => new Promise(() => {}));
  expect(await lines("weir_open_flood_windows")).toEqual([]);
  setFloodFigures(async () => ({ running: 0, over: 3 }));
  expect(await lines("weir_open_flood_windows")).toContain('weir_open_flood_windows{phase="over"} 3');
});

test("leaves out the posts that wait for a replay when their query fails, and exports the rest", async () => {
  setReplayFigures(async () => ({ posts: 3 }));
  expect(await lines("weir_posts_waiting_for_replay")).toEqual(["weir_posts_waiting_for_replay 3"]);
  setReplayFigures(() => Promise.reject(new Error("the database is gone")));
  expect(await lines("weir_posts_waiting_for_replay")).toEqual([]);
  expect(await lines("process_cpu_seconds_total")).toHaveLength(1);
});

test("counts retries by store and reason", async () => {
  countDatabaseRetry("serialization");
  countDatabaseRetry("serialization");
  countDatabaseRetry("deadlock");
  expect(await lines("weir_store_retries_total")).toEqual([
    'weir_store_retries_total{store="database",reason="serialization"} 2',
    'weir_store_retries_total{store="database",reason="deadlock"} 1',
  ]);
});

test("counts a retry when two Redis stores write the same key", async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const algorithm = leakyBucket({ capacity: 10, leakPerSecond: 0.001 });
  const limiters = await Promise.all(
    [1, 2].map(async () => {
      const client = await connectedRedis(redis.url);
      const store = redisStore({ client, onRetry: countRedisRetry, timeoutMs: 600_000 });
      return createLimiter({ algorithm, store });
    }),
  );
  const [first, second] = limiters;
  // The second store has not read the key yet, and conflicts with the first one's write.
  await first?.consume("key");
  await second?.peek("another key");
  const before = metrics().retries;
  const counted = async () =>
    (await before.get()).values.find(({ labels }) => labels.store === "redis")?.value ?? 0;
  const earlier = await counted();
  await second?.consume("key");
  expect(await counted()).toBe(earlier + 1);
  await second?.consume("key");
  expect(await counted()).toBe(earlier + 1);
});
