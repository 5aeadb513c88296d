/**
 * Limiters on one Redis: the library's, two others, and a minimal one.
 * Each has a connection.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { Ratelimit } from "@upstash/ratelimit";
import { Redis } from "ioredis";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { createLimiter, leakyBucket } from "../lib/limiter/index.ts";
import { redisClientOptions, redisStore } from "../lib/limiter/redis.ts";
import { flexibleSubject, type Subject, subject, type wide } from "./decisions.ts";
import { PlainRedis } from "./upstash-redis.ts";

const durationSeconds = 3_600;

export interface Connections {
  open(options?: { enableAutoPipelining: boolean }): Promise<Redis>;
  close(): void;
}

/** All with the options that the library gives its own. */
export function connectionsTo(url: string): Connections {
  const all: Redis[] = [];
  return {
    async open(options) {
      // A machine that is busy with something else may well take a second.
      const client = new Redis(url, { ...redisClientOptions, socketTimeout: 20_000, ...options });
      all.push(client);
      await once(client, "ready");
      return client;
    },
    close() {
      for (const client of all) client.disconnect();
    },
  };
}

export function weir(client: Redis, { limit }: typeof wide): Subject {
  const limiter = createLimiter({
    algorithm: leakyBucket({ capacity: limit, leakPerSecond: 0.01 }),
    // Timed decisions are to be late, and not refused, while the machine is busy.
    store: redisStore({ client, timeoutMs: 10_000 }),
  });
  return subject({ consume: (key) => limiter.consume(key), isAllowed: ({ allowed }) => allowed });
}

export function flexible(client: Redis, { limit }: typeof wide): Subject {
  return flexibleSubject(
    new RateLimiterRedis({ storeClient: client, points: limit, duration: durationSeconds }),
  );
}

/**
 * Its fixed window is the cheapest of its algorithms.
 *
 * Without its extras: no timer for each decision, and no cache of refused keys, in which it would find nothing here.
 */
export function upstash(
  client: Redis,
  { limit }: typeof wide,
  limiter = Ratelimit.fixedWindow(limit, `${durationSeconds} s`),
): Subject {
  const ratelimit = new Ratelimit({
    redis: new PlainRedis(client),
    limiter,
    timeout: 0,
    ephemeralCache: false,
    enableTelemetry: false,
  });
  return subject({ consume: (key) => ratelimit.limit(key), isAllowed: ({ success }) => success });
}

const floorScript = `
local count = (redis.call('GET', KEYS[1]) or 0) + 1
redis.call('SET', KEYS[1], count)
return count`;

/** It counts, and decides nothing: one EVALSHA for each decision. */
export async function floor(client: Redis): Promise<Subject> {
  await client.script("LOAD", floorScript);
  const sha1 = createHash("sha1").update(floorScript).digest("hex");
  return subject({ consume: (key) => client.evalsha(sha1, 1, `floor:${key}`), isAllowed: () => true });
}
