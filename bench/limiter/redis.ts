/**
 * Decisions on Redis beside rate-limiter-flexible.
 * One server on this machine, by ioredis with the same options; the peer with and without automatic pipelining.
 */
import { once } from "node:events";
import { Redis } from "ioredis";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { createLimiter, leakyBucket } from "../../lib/limiter/index.ts";
import { redisClientOptions, redisStore } from "../../lib/limiter/redis.ts";
import { startRedis } from "../../scripts/cluster/start-redis.ts";
import { ratioOf } from "../measure.ts";
import type { Figure } from "../table.ts";
import {
  compare,
  flexible,
  keysOf,
  narrowLimit,
  ours,
  requireSameDecisions,
  wideLimit,
  windowMs,
} from "./compare.ts";

const loads = [
  { name: "50 at a time, 1,000 keys", decisions: 2_000, keys: keysOf(1_000), inFlight: 50, atLeast: 1 },
  { name: "50 at a time, 1 key", decisions: 2_000, keys: keysOf(1), inFlight: 50, atLeast: 5 },
  { name: "one at a time, 1,000 keys", decisions: 300, keys: keysOf(1_000), inFlight: 1, atLeast: 1 },
];

export async function redisFigures(): Promise<Figure[]> {
  const server = await startRedis();
  const clients: Redis[] = [];
  const open = async (enableAutoPipelining: boolean) => {
    // Decisions are to be late, and not refused, while the machine is busy.
    const client = new Redis(server.url, {
      ...redisClientOptions,
      socketTimeout: 20_000,
      enableAutoPipelining,
    });
    clients.push(client);
    await once(client, "ready");
    return client;
  };
  try {
    const [own, single, pipelined] = [await open(false), await open(false), await open(true)];
    const peer = (storeClient: Redis, points: number, keyPrefix: string) =>
      flexible(new RateLimiterRedis({ storeClient, points, duration: windowMs / 1_000, keyPrefix }));
    const sidesOf = (limit: number) => ({
      weir: ours(
        createLimiter({
          algorithm: leakyBucket({ capacity: limit, leakPerSecond: 0.01 }),
          store: redisStore({ client: own, timeoutMs: 10_000, prefix: `weir-${limit}:` }),
        }),
      ),
      "rate-limiter-flexible": peer(single, limit, `single-${limit}`),
      "rate-limiter-flexible, pipelined": peer(pipelined, limit, `pipelined-${limit}`),
    });
    await requireSameDecisions(sidesOf(narrowLimit));
    const sides = sidesOf(wideLimit);
    const figures: Figure[] = [];
    for (const { name, atLeast, ...load } of loads) {
      const { weir, ...peers } = await compare(40, sides, load);
      const values = Object.entries(peers)
        .map(([peer, speeds]) => ({ name: `Redis, ${name} / ${peer}`, value: ratioOf(weir, speeds) }))
        .toSorted((one, other) => one.value.median - other.value.median);
      // The target is for the fastest of the others.
      figures.push(
        ...values.map((each, index) => ({ ...each, ...(index === 0 && { target: { atLeast } }) })),
      );
    }
    return figures;
  } finally {
    for (const client of clients) client.disconnect();
    await server.stop();
  }
}
