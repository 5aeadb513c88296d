/**
 * The public interface of the package.
 * Other folders import only this file, the other entries (`redis.ts`, `client.ts`), `curve-keys.ts`, and in tests
 * `stores/contract.ts`.
 */
export type {
  AlgorithmDefinition,
  AlgorithmSettings,
  Bound,
  Level,
  Quota,
  ReasonField,
  SettingDescription,
} from "./algorithms/definition.ts";
export { type Phrase, type PhraseValue, phraseText } from "./algorithms/phrase.ts";
export * from "./algorithms/registry.ts";
export {
  type Checked,
  type DecideSettings,
  decide,
  isEnforced,
  type PolicyCheck,
  type RequestDecision,
} from "./decide.ts";
export { rateLimitHeaders } from "./headers.ts";
export { KeyQueue } from "./key-queue.ts";
export { createLimiter, type LimiterSettings } from "./limiter.ts";
export type { Outage, Policy } from "./policy.ts";
export {
  type ConsumeSettings,
  CostError,
  type CountChange,
  createPolicyLimiter,
  type PlannedRequest,
  type PolicyLimiter,
  type PolicyLimiterSettings,
  type RequestPlan,
} from "./policy-limiter.ts";
export type { LimitReason, NeverFitsReason, Reason } from "./reasons.ts";
export { didYouMean, requireDistinct, SettingError, type SettingFault } from "./settings.ts";
export { machineSleep } from "./sleep.ts";
export { type MemoryStoreSettings, memoryStore } from "./stores/memory.ts";
export { storeFrom } from "./stores/store-from.ts";
export type {
  Algorithm,
  Clock,
  Decision,
  Limiter,
  ManyStep,
  ManyUpdate,
  NextState,
  Sleep,
  StateChange,
  Step,
  Store,
  Update,
  WaitSettings,
} from "./types.ts";
export type { WaitingSettings } from "./wait.ts";
