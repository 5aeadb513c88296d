import type { LimitReason } from "../reasons.ts";
import { isAmount, requirePositive } from "../settings.ts";
import type { Algorithm, Decision, NextState, Step } from "../types.ts";
import { type Quota, windowQuota } from "./definition.ts";
import { costInUnits, exactMeter, largestCount } from "./meter.ts";

/**
 * `level` is what is used up, in units of 1/`unitsPerRequest` request, as it was at `updatedAt`, and `owed` what others
 * have used up above the capacity.
 */
export type MeterState = { level: number; unitsPerRequest: number; updatedAt: number; owed?: number };

export type MeteredSettings<R extends LimitReason> = {
  /** The algorithm's name, and what to call it and its rate in messages. */
  name: string;
  owner: string;
  rateName: string;
  capacity: number;
  ratePerSecond: number;
  /** Why, from what was used up before this request, in requests. */
  reasonOf(used: number): R;
  scale: Algorithm<MeterState, R>["scale"];
};

/**
 * What leaky bucket and token bucket have in common: something is used up by requests and comes back at a steady rate.
 * The one calls what is used up its level, the other calls what is left its tokens.
 *
 * @throws RangeError naming the setting that is not a positive, finite number, or that whole numbers cannot hold
 */
export function metered<R extends LimitReason>(settings: MeteredSettings<R>): Algorithm<MeterState, R> {
  const { name, owner, rateName, reasonOf } = settings;
  const capacity = requirePositive(`${owner}: capacity`, settings.capacity);
  const ratePerSecond = requirePositive(`${owner}: ${rateName}`, settings.ratePerSecond);
  const { unitsPerRequest, unitsPerMs, capacityUnits } = exactMeter(owner, capacity, rateName, ratePerSecond);

  function levelAt(state: MeterState, now: number): number {
    const elapsedMs = Math.max(0, now - state.updatedAt);
    // The units differ when the settings were changed since the state was saved.
    const inUnits = (amount: number) =>
      state.unitsPerRequest === unitsPerRequest
        ? amount
        : Math.ceil((amount / state.unitsPerRequest) * unitsPerRequest);
    const owed = state.owed === undefined ? 0 : inUnits(state.owed);
    return Math.max(0, Math.min(inUnits(state.level), capacityUnits) + owed - elapsedMs * unitsPerMs);
  }

  function stateOf(level: number, now: number): MeterState {
    const state = { level: Math.min(level, capacityUnits), unitsPerRequest, updatedAt: now };
    return level <= capacityUnits ? state : { ...state, owed: level - capacityUnits };
  }

  function step(saved: MeterState | undefined, now: number, cost: number): Step<MeterState, R> {
    const costUnits = costInUnits(requirePositive("cost", cost), unitsPerRequest);
    const state = isMeterState(saved) ? saved : undefined;
    const level = state === undefined ? 0 : levelAt(state, now);
    const allowed = level + costUnits <= capacityUnits;
    const levelAfter = allowed ? level + costUnits : level;
    const neverFits = costUnits > capacityUnits;
    const resetAfterMs = Math.ceil(levelAfter / unitsPerMs);
    const decision = {
      allowed,
      limit: capacity,
      remaining: Math.max(0, Math.floor((capacityUnits - levelAfter) / unitsPerRequest)),
      retryAfterMs: allowed || neverFits ? 0 : Math.ceil((level + costUnits - capacityUnits) / unitsPerMs),
      resetAfterMs,
      reason: neverFits
        ? { algorithm: name, neverFits, cost, limit: capacity, windowMs: (capacity / ratePerSecond) * 1000 }
        : reasonOf(level / unitsPerRequest),
    };
    const clockRanBack = state !== undefined && now < state.updatedAt;
    if (!allowed && !clockRanBack) return { decision };
    return {
      decision,
      next: stateOf(levelAfter, now),
      expiresAt: now + resetAfterMs,
    };
  }

  function refund(saved: MeterState, now: number, cost: number): NextState<MeterState> | undefined {
    const costUnits = costInUnits(requirePositive("cost", cost), unitsPerRequest);
    const level = isMeterState(saved) ? levelAt(saved, now) : 0;
    if (level === 0) return undefined;
    const levelAfter = Math.max(0, level - costUnits);
    return { next: stateOf(levelAfter, now), expiresAt: now + Math.ceil(levelAfter / unitsPerMs) };
  }

  function count(saved: MeterState | undefined, now: number, cost: number): NextState<MeterState> {
    const costUnits = costInUnits(requirePositive("cost", cost), unitsPerRequest);
    const level = isMeterState(saved) ? levelAt(saved, now) : 0;
    const levelAfter = Math.min(level + costUnits, largestCount);
    return { next: stateOf(levelAfter, now), expiresAt: now + Math.ceil(levelAfter / unitsPerMs) };
  }

  return { name, limit: capacity, step, refund, count, scale: settings.scale };
}

/** A bucket's capacity per the time that a full one takes to drain, which is its lasting rate. */
export function bucketQuota(capacity: number, perSecond: number, decision: Decision): Quota {
  const quota = windowQuota(capacity, (capacity / perSecond) * 1000, decision);
  // What is left of the drain when one request more than now fits.
  const drainAfterNextMs = (Math.max(0, capacity - quota.remaining - 1) / perSecond) * 1000;
  return { ...quota, moreAfterMs: quota.moreAfterMs - drainAfterNextMs };
}

function isMeterState(state: unknown): state is MeterState {
  return (
    typeof state === "object" &&
    state !== null &&
    "level" in state &&
    "unitsPerRequest" in state &&
    "updatedAt" in state &&
    isAmount(state.level) &&
    isAmount(state.unitsPerRequest) &&
    state.unitsPerRequest > 0 &&
    Number.isFinite(state.updatedAt) &&
    (!("owed" in state) || isAmount(state.owed))
  );
}
