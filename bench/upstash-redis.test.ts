import { Ratelimit } from "@upstash/ratelimit";
import { afterAll, expect, test } from "vitest";
import { connectedRedis } from "../testing/redis-connection.ts";
import { startRedis } from "../testing/redis-server.ts";
import { PlainRedis } from "./upstash-redis.ts";

const server = await startRedis();
afterAll(() => server.stop());

test.each([
  ["fixedWindow", Ratelimit.fixedWindow(3, "1000 d")],
  ["tokenBucket", Ratelimit.tokenBucket(1, "1000 d", 3)],
])("@upstash/ratelimit's %s limits on a plain Redis", async (prefix, limiter) => {
  const redis = new PlainRedis(await connectedRedis(server.url));
  const ratelimit = new Ratelimit({ redis, limiter, prefix, ephemeralCache: false, enableTelemetry: false });
  const ask = async (key: string) => {
    const { success, reason } = await ratelimit.limit(key);
    return reason ?? success;
  };
  expect(await Promise.all(["a", "a", "b", "a", "a", "b"].map(ask))).toEqual([
    true,
    true,
    true,
    true,
    false,
    true,
  ]);
});

test("passes on an error of the server", async () => {
  const redis = new PlainRedis(await connectedRedis(server.url));
  await expect(redis.eval("return redis.call('NONSENSE')", [], [])).rejects.toThrow(/unknown/i);
});
