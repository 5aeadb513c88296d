/** Where limiter states are kept when not in the database. */
import { Redis } from "ioredis";
import { memoryStore, type Store } from "../limiter/index.ts";
import { redisClientOptions, redisStore } from "../limiter/redis.ts";
import type { Settings } from "../settings/env.ts";

/**
 * A store and its health check.
 * Without `ping` it is always available.
 */
export type LimiterStore = Store & { ping?: () => Promise<void> };

/**
 * The store that the settings name.
 * Undefined for the database, where decisions are part of its transactions.
 *
 * A store that needs a connection opens it, and again whenever it is lost. `report` gets each failure; `onRetry` is called
 * for each update that is tried again because another process was faster.
 */
export function limiterStore(
  settings: Pick<Settings, "LIMITER_STORE" | "MEMORY_STORE_MAX_KEYS" | "REDIS_URL">,
  report: (error: unknown) => void,
  onRetry: () => void = () => {},
): LimiterStore | undefined {
  switch (settings.LIMITER_STORE) {
    case "database":
      return undefined;
    case "memory":
      return memoryStore({ maxKeys: settings.MEMORY_STORE_MAX_KEYS });
    case "redis": {
      const client = new Redis(settings.REDIS_URL, redisClientOptions);
      // An error of the client's carries the command that failed, and that may be the one with the password.
      client.on("error", (error: Error) => report(new Error(error.message)));
      const store = redisStore({ client, prefix: "weir:", onRetry });
      return { ...store, ping: async () => void (await client.ping()) };
    }
  }
}
