/** The whole of what others may import. */
export { type EmaSettings, type EmaState, ema, emaDefaults } from "./algorithms/ema.ts";
export { type FixedWindowSettings, type FixedWindowState, fixedWindow } from "./algorithms/fixed-window.ts";
export { type LeakyBucketSettings, type LeakyBucketState, leakyBucket } from "./algorithms/leaky-bucket.ts";
export {
  largestLog,
  type SlidingLogSettings,
  type SlidingLogState,
  slidingLog,
} from "./algorithms/sliding-log.ts";
export { type TieredSettings, type TieredState, tiered } from "./algorithms/tiered.ts";
export { type TokenBucketSettings, type TokenBucketState, tokenBucket } from "./algorithms/token-bucket.ts";
export {
  type Answers,
  type Fields,
  type LimiterClient,
  type LimiterClientSettings,
  LimiterServiceError,
  limiterClient,
  type ServiceDecision,
  type ServiceRequest,
  type Verb,
  type Zeromq,
} from "./client.ts";
export { rateLimitHeaders } from "./headers.ts";
export { createLimiter, type LimiterSettings } from "./limiter.ts";
export type { Outage, Policy } from "./policy.ts";
export { requireDistinct } from "./settings.ts";
export { type MemoryStoreSettings, memoryStore } from "./stores/memory.ts";
export { RedisStoreError } from "./stores/redis/calls.ts";
export { type RedisClient, redisClientOptions } from "./stores/redis/client.ts";
export { type RedisStoreSettings, redisStore } from "./stores/redis.ts";
export { storeFrom } from "./stores/store-from.ts";
export type {
  Algorithm,
  Clock,
  Counted,
  Decision,
  EmaReason,
  FixedWindowReason,
  LeakyBucketReason,
  Limiter,
  ManyUpdate,
  NeverFitsReason,
  NextState,
  Reason,
  Refund,
  Sleep,
  SlidingLogReason,
  StateChange,
  Step,
  Store,
  TieredReason,
  TokenBucketReason,
  Update,
  WaitSettings,
} from "./types.ts";
export {
  type Behind,
  decideBehind,
  inTurn,
  joinedBy,
  type LineEnd,
  machineSleep,
  waitingLines,
} from "./waiting.ts";
