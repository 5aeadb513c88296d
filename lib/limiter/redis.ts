/** The Redis store; apart from index.ts, because it needs Node.js. */
export { RedisStoreError } from "./stores/redis/calls.ts";
export { type RedisClient, redisClientOptions } from "./stores/redis/client.ts";
export { type RedisStoreSettings, redisStore } from "./stores/redis.ts";
