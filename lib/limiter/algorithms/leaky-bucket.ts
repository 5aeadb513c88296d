import { isAmount, requirePositive } from "../settings.ts";
import type { Algorithm, Step } from "../types.ts";
import { costInUnits, exactMeter } from "./meter.ts";

/** `level` is in units of 1/`unitsPerRequest` request, as it was at `updatedAt`. */
export type LeakyBucketState = { level: number; unitsPerRequest: number; updatedAt: number };

/** `capacity` in requests, `leakPerSecond` in requests per second; both may be fractions such as 0.1 or 1 / 3. */
export type LeakyBucketSettings = { capacity: number; leakPerSecond: number };

/**
 * The leaky bucket as a meter (ITU-T I.371, the continuous-state leaky bucket): the level drains without pause at
 * `leakPerSecond`, never below 0; a request of cost c passes when level + c ≤ capacity, and then raises the level by c.
 * So never more than capacity + leakPerSecond × seconds passes in any interval, and exactly `capacity` at one instant.
 *
 * The arithmetic is exact (see meter.ts), and so is `retryAfterMs`: refused at every millisecond before, admitted at it.
 * A cost above the capacity can never fit and is refused with `reason.neverFits`.
 * A refusal leaves the level alone. When the clock runs back, the level stays as it was and drains from there: nothing is
 * gained, and nobody waits for the clock to catch up.
 *
 * @throws RangeError naming the setting that is not a positive, finite number
 */
export function leakyBucket(settings: LeakyBucketSettings): Algorithm<LeakyBucketState> {
  const capacity = requirePositive("leakyBucket: capacity", settings.capacity);
  const leakPerSecond = requirePositive("leakyBucket: leakPerSecond", settings.leakPerSecond);
  const meter = exactMeter("leakyBucket", capacity, "leakPerSecond", leakPerSecond);
  const { unitsPerRequest, unitsPerMs, capacityUnits } = meter;

  function levelAt(state: LeakyBucketState, now: number): number {
    const elapsedMs = Math.max(0, now - state.updatedAt);
    // The units differ when the settings were changed since the state was saved.
    const level =
      state.unitsPerRequest === unitsPerRequest
        ? state.level
        : Math.ceil((state.level / state.unitsPerRequest) * unitsPerRequest);
    return Math.max(0, Math.min(level, capacityUnits) - elapsedMs * unitsPerMs);
  }

  function step(saved: LeakyBucketState | undefined, now: number, cost: number): Step<LeakyBucketState> {
    const costUnits = costInUnits(requirePositive("cost", cost), unitsPerRequest);
    const state = isLeakyBucketState(saved) ? saved : undefined;
    const level = state === undefined ? 0 : levelAt(state, now);
    const allowed = level + costUnits <= capacityUnits;
    const levelAfter = allowed ? level + costUnits : level;
    const neverFits = costUnits > capacityUnits;
    const resetAfterMs = Math.ceil(levelAfter / unitsPerMs);
    const decision = {
      allowed,
      limit: capacity,
      remaining: Math.floor((capacityUnits - levelAfter) / unitsPerRequest),
      retryAfterMs: allowed || neverFits ? 0 : Math.ceil((level + costUnits - capacityUnits) / unitsPerMs),
      resetAfterMs,
      reason: neverFits
        ? {
            algorithm: "leaky-bucket",
            neverFits,
            cost,
            limit: capacity,
            windowMs: (capacity / leakPerSecond) * 1000,
          }
        : {
            algorithm: "leaky-bucket" as const,
            neverFits,
            level: level / unitsPerRequest,
            capacity,
            leakPerSecond,
          },
    };
    const clockRanBack = state !== undefined && now < state.updatedAt;
    if (!allowed && !clockRanBack) return { decision };
    return {
      decision,
      next: { level: levelAfter, unitsPerRequest, updatedAt: now },
      expiresAt: now + resetAfterMs,
    };
  }

  return { name: "leaky-bucket", limit: capacity, step };
}

function isLeakyBucketState(state: unknown): state is LeakyBucketState {
  return (
    typeof state === "object" &&
    state !== null &&
    "level" in state &&
    "unitsPerRequest" in state &&
    "updatedAt" in state &&
    isAmount(state.level) &&
    isAmount(state.unitsPerRequest) &&
    state.unitsPerRequest > 0 &&
    Number.isFinite(state.updatedAt)
  );
}
