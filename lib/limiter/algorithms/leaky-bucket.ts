import { requireKnown } from "../settings.ts";
import type { Algorithm } from "../types.ts";
import { type AlgorithmDefinition, countLevel } from "./definition.ts";
import { bucketQuota, type MeterState, metered, timedLevel } from "./metered.ts";
import { number, phrase, rate, tenths } from "./phrase.ts";
import { scaleLimit } from "./scale-limit.ts";

/** `level` is in units of 1/`unitsPerRequest` request, as it was at `updatedAt`. */
export type LeakyBucketState = MeterState;

/**
 * Settings: `capacity` in requests, `leakPerSecond` in requests per second.
 * Both may be fractions such as 0.1 or 1 / 3.
 */
export type LeakyBucketSettings = { capacity: number; leakPerSecond: number };

/**
 * Why a leaky bucket decided as it did.
 * `level` is in requests, before this request was added.
 */
export type LeakyBucketReason = {
  algorithm: "leaky-bucket";
  neverFits: false;
  level: number;
  capacity: number;
  leakPerSecond: number;
};

/**
 * The leaky bucket as a meter (ITU-T I.371, the continuous-state leaky bucket).
 * The level drains without pause at `leakPerSecond`, never below 0; a request of cost c passes when level + c ≤
 * capacity, and then raises the level by c. So never more than capacity + leakPerSecond × seconds passes in any
 * interval, and exactly `capacity` at one instant.
 *
 * The arithmetic is exact (see meter.ts), and so is `retryAfterMs`: refused at every millisecond before, admitted at it.
 * A cost above the capacity can never fit and is refused with `reason.neverFits`.
 * A refusal leaves the level alone. When the clock runs back, the level stays as it was and drains from there: nothing is
 * gained, and no request waits for the clock to catch up. A refund lowers the level, never below 0. The state is three numbers.
 *
 * @throws RangeError naming the setting that is not a positive, finite number
 */
export function leakyBucket(settings: LeakyBucketSettings): Algorithm<LeakyBucketState, LeakyBucketReason> {
  requireKnown("leakyBucket", settings, Object.keys(leakyBucketDefinition.settings));
  const { capacity, leakPerSecond } = settings;
  return metered({
    name: "leaky-bucket",
    owner: "leakyBucket",
    rateName: "leakPerSecond",
    capacity,
    ratePerSecond: leakPerSecond,
    codec: timedLevel,
    reasonOf: (used) => ({
      algorithm: "leaky-bucket",
      neverFits: false,
      level: used,
      capacity,
      leakPerSecond,
    }),
    scale: (share) =>
      leakyBucket({ capacity: scaleLimit(capacity, share), leakPerSecond: leakPerSecond * share }),
  });
}

export const leakyBucketDefinition: AlgorithmDefinition<LeakyBucketSettings, LeakyBucketReason> = {
  name: "leaky-bucket",
  title: "Leaky bucket",
  order: 1,
  description:
    "Each request raises the level, which drains steadily; a request that would overflow is refused.",
  settings: {
    capacity: { type: "number", required: true, default: 20, label: "Most at one instant" },
    leakPerSecond: { type: "number", required: true, default: 10, label: "Drained each second" },
  },
  reason: {
    level: { type: "number", description: "Requests in the bucket before this one." },
    capacity: { type: "number" },
    leakPerSecond: { type: "number" },
  },
  examples: [{ capacity: 5, leakPerSecond: 3 }],
  create: leakyBucket,
  summarize: ({ capacity, leakPerSecond }) =>
    phrase("burst", "{count} at once, then {rate}", { count: number(capacity), rate: rate(leakPerSecond) }),
  explain: ({ level, capacity, leakPerSecond }) =>
    phrase("leaky-bucket", "the bucket is at {used} of {limit} and drains: {rate}", {
      used: tenths(level),
      limit: number(capacity),
      rate: rate(leakPerSecond),
    }),
  level: ({ level, capacity }) => ({
    ...countLevel("leaky-bucket", "Level of the bucket", level, capacity),
    isSteady: true,
  }),
  bound: ({ leakPerSecond }) => ({ kind: "rate", perSecond: leakPerSecond }),
  quota: ({ capacity, leakPerSecond }, decision) => bucketQuota(capacity, leakPerSecond, decision),
};
