import { requireKnown } from "../settings.ts";
import type { Algorithm } from "../types.ts";
import type { AlgorithmDefinition } from "./definition.ts";
import { bucketQuota, type MeterState, metered, timedLevel } from "./metered.ts";
import { number, phrase, rate, tenths } from "./phrase.ts";
import { scaleLimit } from "./scale-limit.ts";

/**
 * The tokens that are missing from a full bucket.
 * `level` is in units of 1/`unitsPerRequest` token, as of `updatedAt`.
 */
export type TokenBucketState = MeterState;

/**
 * `capacity` in tokens, `refillPerSecond` in tokens per second.
 * Both may be fractions such as 0.1 or 1 / 3.
 */
export type TokenBucketSettings = { capacity: number; refillPerSecond: number };

/**
 * Why a token bucket decided as it did.
 * `tokens` is the number before this request took any.
 */
export type TokenBucketReason = {
  algorithm: "token-bucket";
  neverFits: false;
  tokens: number;
  capacity: number;
  refillPerSecond: number;
};

/**
 * The token bucket (RFC 2697 and 3290 describe it for packets).
 * It starts full, refills without pause at `refillPerSecond`, never above `capacity`; a request of cost c passes
 * when c tokens are there, and takes them. So never more than capacity + refillPerSecond × seconds passes in any
 * interval, and exactly `capacity` at one instant after a rest.
 *
 * It is the leaky bucket seen from the other side: tokens = capacity − level. The state holds the missing tokens, so
 * the exact arithmetic of the one (meter.ts) is that of the other, fractions of a token are never lost, and a forgotten
 * state is a full bucket. A state saved by a leaky bucket continues as a token bucket with the same amount used.
 *
 * A cost above the capacity can never fit and is refused with `reason.neverFits`. A refusal takes no token. When the
 * clock runs back, the tokens stay as they were and refill from there. A refund puts tokens back, never above
 * the capacity. The state is three numbers.
 *
 * @throws RangeError naming the setting that is not a positive, finite number
 */
export function tokenBucket(settings: TokenBucketSettings): Algorithm<TokenBucketState, TokenBucketReason> {
  requireKnown("tokenBucket", settings, Object.keys(tokenBucketDefinition.settings));
  const { capacity, refillPerSecond } = settings;
  return metered({
    name: "token-bucket",
    owner: "tokenBucket",
    rateName: "refillPerSecond",
    capacity,
    ratePerSecond: refillPerSecond,
    codec: timedLevel,
    reasonOf: (used) => ({
      algorithm: "token-bucket",
      neverFits: false,
      tokens: capacity - used,
      capacity,
      refillPerSecond,
    }),
    scale: (share) =>
      tokenBucket({ capacity: scaleLimit(capacity, share), refillPerSecond: refillPerSecond * share }),
  });
}

export const tokenBucketDefinition: AlgorithmDefinition<TokenBucketSettings, TokenBucketReason> = {
  name: "token-bucket",
  title: "Token bucket",
  order: 2,
  description: "Each request takes a token, and tokens come back steadily until the bucket is full.",
  settings: {
    capacity: { type: "number", required: true, default: 20, label: "Most at one instant" },
    refillPerSecond: { type: "number", required: true, default: 10, label: "Tokens each second" },
  },
  reason: {
    tokens: { type: "number", description: "Tokens that there were before this request." },
    capacity: { type: "number" },
    refillPerSecond: { type: "number" },
  },
  examples: [{ capacity: 5, refillPerSecond: 1 / 3 }],
  create: tokenBucket,
  summarize: ({ capacity, refillPerSecond }) =>
    phrase("burst", "{count} at once, then {rate}", { count: number(capacity), rate: rate(refillPerSecond) }),
  explain: ({ tokens, capacity, refillPerSecond }) =>
    phrase("token-bucket", "{tokens} of {limit} tokens; new ones: {rate}", {
      tokens: tenths(tokens),
      limit: number(capacity),
      rate: rate(refillPerSecond),
    }),
  level: ({ tokens, capacity }) => ({
    key: "token-bucket",
    name: "Tokens",
    value: tokens,
    perRequest: -1,
    rest: capacity,
    isSteady: true,
    threshold: 1,
    meaning: "too few below 1",
    top: capacity,
    nearest: "lowest",
  }),
  bound: ({ refillPerSecond }) => ({ kind: "rate", perSecond: refillPerSecond }),
  quota: ({ capacity, refillPerSecond }, decision) => bucketQuota(capacity, refillPerSecond, decision),
};
