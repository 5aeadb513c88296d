import { isAmount, requireKnown } from "../settings.ts";
import type { Algorithm } from "../types.ts";
import { type AlgorithmDefinition, countLevel } from "./definition.ts";
import type { Meter } from "./meter.ts";
import { bucketQuota, type LevelCodec, metered } from "./metered.ts";
import { number, phrase, rate, shortDuration } from "./phrase.ts";
import { scaleLimit } from "./scale-limit.ts";

/**
 * `tat` is the theoretical arrival time, in milliseconds.
 * Where a double cannot hold it, `tat` is its whole part and `rest` the remainder. `owed` is how much other processes
 * have granted beyond the capacity. Both are in units of meter.ts.
 */
export type GcraState = { tat: number; rest?: number; owed?: number };

/**
 * `capacity` in requests, `ratePerSecond` in requests per second.
 * Both may be fractions such as 0.1 or 1 / 3.
 */
export type GcraSettings = { capacity: number; ratePerSecond: number };

/**
 * Why GCRA decided as it did.
 * `aheadMs` is how far the theoretical arrival time lay ahead before this request.
 */
export type GcraReason = {
  algorithm: "gcra";
  neverFits: false;
  aheadMs: number;
  capacity: number;
  ratePerSecond: number;
};

/**
 * The generic cell rate algorithm (GCRA), as virtual scheduling.
 * Defined by the ATM Forum (Traffic Management 4.0) and ITU-T I.371.
 *
 * With the emission interval T = 1/`ratePerSecond`, each request of cost c that passes moves the theoretical arrival
 * time (TAT) c·T on from itself or from now, whichever is later. A request passes when that leaves the TAT at most
 * `capacity`·T ahead of now. It decides as the leaky bucket does, whose level is (TAT − now)/T, at any rate.
 *
 * The state is one number while it converts to the level of the exact arithmetic (meter.ts) without rounding. For
 * present-day timestamps that holds when the rate, in requests per second, is a fraction p/q with p below about 2,500, as
 * 2,000, 0.1 and 1/3 are. Where rounding would lose a short request or count it double, the state is two numbers.
 *
 * A TAT does not contain the time at which it was saved. When the clock runs back, the level is at most the capacity:
 * nothing is gained, and no request waits for longer than a full bucket drains. A cost above the capacity can never
 * fit.
 *
 * @throws RangeError naming the setting that is not a positive, finite number
 */
export function gcra(settings: GcraSettings): Algorithm<GcraState, GcraReason> {
  requireKnown("gcra", settings, Object.keys(gcraDefinition.settings));
  const { capacity, ratePerSecond } = settings;
  return metered({
    name: "gcra",
    owner: "gcra",
    rateName: "ratePerSecond",
    capacity,
    ratePerSecond,
    codec: arrivalTime,
    reasonOf: (used) => ({
      algorithm: "gcra",
      neverFits: false,
      aheadMs: (used / ratePerSecond) * 1000,
      capacity,
      ratePerSecond,
    }),
    scale: (share) => gcra({ capacity: scaleLimit(capacity, share), ratePerSecond: ratePerSecond * share }),
  });
}

/** A level as the time at which it has drained. */
function arrivalTime({ unitsPerMs, capacityUnits }: Meter): LevelCodec<GcraState> {
  // A rest of other settings is less than a millisecond too.
  const ahead = (state: GcraState, now: number) =>
    Math.round((state.tat - now) * unitsPerMs) + Math.min(state.rest ?? 0, unitsPerMs);
  const most = (state: GcraState) => capacityUnits + (state.owed ?? 0);

  function timeOf(level: number, now: number): GcraState {
    const tat = now + level / unitsPerMs;
    // Quotient, sum and, in `ahead`, product each miss by at most 2^-53 of themselves: by less than half a unit then.
    if (Math.abs(tat) * unitsPerMs + 2 * level < 2 ** 52) return { tat };
    return { tat: now + Math.floor(level / unitsPerMs), rest: level % unitsPerMs };
  }

  return {
    levelAt: (state, now) => (isGcraState(state) ? Math.max(0, Math.min(ahead(state, now), most(state))) : 0),
    encode(level, now) {
      const state = timeOf(level, now);
      return level <= capacityUnits ? state : { ...state, owed: level - capacityUnits };
    },
    isAhead: (state, now) => isGcraState(state) && ahead(state, now) > most(state),
  };
}

function isGcraState(state: unknown): state is GcraState {
  return (
    typeof state === "object" &&
    state !== null &&
    "tat" in state &&
    Number.isFinite(state.tat) &&
    (!("rest" in state) || isAmount(state.rest)) &&
    (!("owed" in state) || isAmount(state.owed))
  );
}

export const gcraDefinition: AlgorithmDefinition<GcraSettings, GcraReason> = {
  name: "gcra",
  title: "GCRA",
  order: 7,
  description: "Each request is due at a theoretical time; one that comes too far ahead of it is refused.",
  settings: {
    capacity: { type: "number", required: true, default: 20, label: "Most at one instant" },
    ratePerSecond: { type: "number", required: true, default: 10, label: "Due each second" },
  },
  reason: {
    aheadMs: {
      type: "number",
      description: "How far the theoretical arrival time lay ahead before this request.",
    },
    capacity: { type: "number" },
    ratePerSecond: { type: "number" },
  },
  examples: [{ capacity: 5, ratePerSecond: 3 }],
  create: gcra,
  summarize: ({ capacity, ratePerSecond }) =>
    phrase("burst", "{count} at once, then {rate}", { count: number(capacity), rate: rate(ratePerSecond) }),
  explain: ({ aheadMs, capacity, ratePerSecond }) =>
    phrase("gcra", "{ahead} ahead of its time, of at most {most} ({rate})", {
      ahead: shortDuration(aheadMs),
      most: shortDuration((capacity / ratePerSecond) * 1000),
      rate: rate(ratePerSecond),
    }),
  level: ({ aheadMs, capacity, ratePerSecond }) => ({
    ...countLevel("gcra", "Requests ahead of the rate", (aheadMs / 1000) * ratePerSecond, capacity),
    isSteady: true,
  }),
  bound: ({ ratePerSecond }) => ({ kind: "rate", perSecond: ratePerSecond }),
  quota: ({ capacity, ratePerSecond }, decision) => bucketQuota(capacity, ratePerSecond, decision),
};
