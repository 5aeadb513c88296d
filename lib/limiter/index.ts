/** The whole of what others may import. */
export { type EmaSettings, type EmaState, ema, emaDefaults } from "./algorithms/ema.ts";
export { type LeakyBucketSettings, type LeakyBucketState, leakyBucket } from "./algorithms/leaky-bucket.ts";
export { rateLimitHeaders } from "./headers.ts";
export { createLimiter, type LimiterSettings } from "./limiter.ts";
export { type MemoryStoreSettings, memoryStore } from "./stores/memory.ts";
export type {
  Algorithm,
  Clock,
  Decision,
  EmaReason,
  LeakyBucketReason,
  Limiter,
  NeverFitsReason,
  Reason,
  Step,
  Store,
  Update,
} from "./types.ts";
