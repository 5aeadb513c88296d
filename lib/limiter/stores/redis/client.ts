/** The client that the Redis store needs, and how to set one up. */

/** ioredis's `Redis` and `Cluster` are such clients. */
export type RedisClient = {
  evalsha(sha1: string, keyCount: number, ...keysAndValues: string[]): Promise<unknown>;
  eval(script: string, keyCount: number, ...keysAndValues: string[]): Promise<unknown>;
  /** Whether keys may be on several servers. */
  isCluster?: boolean;
  /**
   * The connection, where there is only one.
   * Calls are then written together, which is faster.
   */
  stream?: { cork(): void; uncork(): void };
};

/**
 * Options for ioredis: `new Redis(url, redisClientOptions)`.
 * They are also the `redisOptions` of a `Cluster`. With them a call fails at once while there is no connection, and is
 * never sent twice; a connection that leaves a call unanswered for a second is replaced, and so is one to a server that
 * has become a replica.
 *
 * Add a listener for "error", which every failed attempt to connect emits, and wait for "ready" before the first
 * decision.
 */
export const redisClientOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 1_000,
  socketTimeout: 1_000,
  retryStrategy: (attempt: number) => Math.min(50 * attempt, 500),
  reconnectOnError: (error: Error) => error.message.startsWith("READONLY"),
};
