/** What the Redis store needs of a client, and how to set one up. */

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
 * For ioredis: `new Redis(url, redisClientOptions)`, and `redisOptions` of a `Cluster`. So a call fails at once while there is no
 * connection, and is never sent twice; a connection that leaves a call unanswered for a second is replaced, and so is one to a server
 * that has become a replica.
 *
 * Let the client have a listener for "error", which every failed attempt to connect causes, and wait for "ready" before the first decision.
 */
export const redisClientOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 1_000,
  socketTimeout: 1_000,
  retryStrategy: (attempt: number) => Math.min(50 * attempt, 500),
  reconnectOnError: (error: Error) => error.message.startsWith("READONLY"),
};
