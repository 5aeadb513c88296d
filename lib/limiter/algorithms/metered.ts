import type { LimitReason } from "../reasons.ts";
import { isAmount, requireInstant, requirePositive } from "../settings.ts";
import type { Algorithm, Decision, NextState, Step } from "../types.ts";
import { decisionOf, neverFits } from "./decision.ts";
import { type Quota, windowQuota } from "./definition.ts";
import { costInUnits, exactMeter, largestCount, type Meter } from "./meter.ts";

/**
 * A level as it was at `updatedAt`, in units of 1/`unitsPerRequest` request.
 * `level` is the used capacity, and `owed` the amount that other processes have used above the capacity.
 */
export type MeterState = { level: number; unitsPerRequest: number; updatedAt: number; owed?: number };

/** How a level, which may be above the capacity, is kept. */
export type LevelCodec<S> = {
  /** The level now, in units; 0 for a state that is not recognized. */
  levelAt(state: S | undefined, now: number): number;
  encode(level: number, now: number): S;
  /** Whether the clock has run back behind the state, which must be saved again then. */
  isAhead(state: S | undefined, now: number): boolean;
};

type MeteredSettings<S, R extends LimitReason> = {
  /** The algorithm's name, and the names of it and its rate in messages. */
  name: string;
  owner: string;
  rateName: string;
  capacity: number;
  ratePerSecond: number;
  codec(meter: Meter): LevelCodec<S>;
  /** The reason, from the level before this request, in requests. */
  reasonOf(used: number): R;
  scale: Algorithm<S, R>["scale"];
};

/**
 * The common part of the buckets and GCRA.
 * Requests use up a capacity, which refills at a steady rate.
 *
 * @throws RangeError naming the setting that is not a positive, finite number, or that whole numbers cannot hold
 */
export function metered<S, R extends LimitReason>(settings: MeteredSettings<S, R>): Algorithm<S, R> {
  const { name, owner, rateName, reasonOf } = settings;
  const capacity = requirePositive(`${owner}: capacity`, settings.capacity);
  const ratePerSecond = requirePositive(`${owner}: ${rateName}`, settings.ratePerSecond);
  const meter = exactMeter(owner, capacity, rateName, ratePerSecond);
  const { unitsPerRequest, unitsPerMs, capacityUnits } = meter;
  const codec = settings.codec(meter);
  const windowMs = (capacity / ratePerSecond) * 1000;

  function step(saved: S | undefined, now: number, cost: number): Step<S, R> {
    requireInstant(now);
    const costUnits =
      cost === 1 ? unitsPerRequest : costInUnits(requirePositive("cost", cost), unitsPerRequest);
    const level = codec.levelAt(saved, now);
    const levelAfter = level + costUnits;
    if (levelAfter > capacityUnits) return refusal(saved, now, cost, level, costUnits);
    const resetAfterMs = Math.ceil(levelAfter / unitsPerMs);
    const reason = reasonOf(level / unitsPerRequest);
    const decision = decisionOf(true, capacity, remainingAt(levelAfter), 0, resetAfterMs, reason);
    return { decision, next: codec.encode(levelAfter, now), expiresAt: now + resetAfterMs };
  }

  function refusal(
    saved: S | undefined,
    now: number,
    cost: number,
    level: number,
    costUnits: number,
  ): Step<S, R> {
    const resetAfterMs = Math.ceil(level / unitsPerMs);
    const remaining = remainingAt(level);
    const retryAfterMs = Math.ceil((level + costUnits - capacityUnits) / unitsPerMs);
    const decision: Decision<R> =
      costUnits > capacityUnits
        ? neverFits(name, capacity, remaining, resetAfterMs, { cost, most: capacity, windowMs })
        : decisionOf(
            false,
            capacity,
            remaining,
            retryAfterMs,
            resetAfterMs,
            reasonOf(level / unitsPerRequest),
          );
    if (!codec.isAhead(saved, now)) return { decision };
    return { decision, next: codec.encode(level, now), expiresAt: now + resetAfterMs };
  }

  function remainingAt(level: number): number {
    return Math.max(0, Math.floor((capacityUnits - level) / unitsPerRequest));
  }

  function refund(saved: S, now: number, cost: number): NextState<S> | undefined {
    requireInstant(now);
    const costUnits = costInUnits(requirePositive("cost", cost), unitsPerRequest);
    const level = codec.levelAt(saved, now);
    return level === 0 ? undefined : changed(Math.max(0, level - costUnits), now);
  }

  function count(saved: S | undefined, now: number, cost: number): NextState<S> {
    requireInstant(now);
    const costUnits = costInUnits(requirePositive("cost", cost), unitsPerRequest);
    return changed(Math.min(codec.levelAt(saved, now) + costUnits, largestCount), now);
  }

  function changed(level: number, now: number) {
    return { next: codec.encode(level, now), expiresAt: now + Math.ceil(level / unitsPerMs) };
  }

  return { name, limit: capacity, step, refund, count, scale: settings.scale };
}

/** A level with the time at which it was that high. */
export function timedLevel({ unitsPerRequest, unitsPerMs, capacityUnits }: Meter): LevelCodec<MeterState> {
  /** The units of a state differ when the settings were changed since it was saved. */
  function inUnits(amount: number, state: MeterState): number {
    if (state.unitsPerRequest === unitsPerRequest) return amount;
    return Math.ceil((amount / state.unitsPerRequest) * unitsPerRequest);
  }

  return {
    levelAt(state, now) {
      if (!isMeterState(state)) return 0;
      const drained = Math.max(0, now - state.updatedAt) * unitsPerMs;
      const owed = state.owed === undefined ? 0 : inUnits(state.owed, state);
      return Math.max(0, Math.min(inUnits(state.level, state), capacityUnits) + owed - drained);
    },
    encode(level, now) {
      const state = { level: Math.min(level, capacityUnits), unitsPerRequest, updatedAt: now };
      return level <= capacityUnits ? state : { ...state, owed: level - capacityUnits };
    },
    isAhead: (state, now) => isMeterState(state) && now < state.updatedAt,
  };
}

/** A bucket's capacity per time that a full one takes to drain: its lasting rate. */
export function bucketQuota(capacity: number, perSecond: number, decision: Decision): Quota {
  const quota = windowQuota(capacity, (capacity / perSecond) * 1000, decision);
  // The rest of the drain when one request more than now fits.
  const drainAfterNextMs = (Math.max(0, capacity - quota.remaining - 1) / perSecond) * 1000;
  return { ...quota, moreAfterMs: quota.moreAfterMs - drainAfterNextMs };
}

function isMeterState(state: unknown): state is MeterState {
  if (typeof state !== "object" || state === null) return false;
  const read: { [Name in keyof MeterState]?: unknown } = state;
  return (
    isAmount(read.level) &&
    isAmount(read.unitsPerRequest) &&
    read.unitsPerRequest > 0 &&
    Number.isFinite(read.updatedAt) &&
    (read.owed === undefined || isAmount(read.owed))
  );
}
