import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLimiter, memoryStore } from "../index.ts";
import { peekAt } from "../peek.ts";
import type { Algorithm } from "../types.ts";
import { ema } from "./ema.ts";
import { referenceDetector } from "./ema-reference.ts";
import { fixedWindow } from "./fixed-window.ts";
import { leakyBucket } from "./leaky-bucket.ts";
import {
  type Reference,
  referenceBucket,
  referenceClockWindow,
  referenceDay,
  referenceLog,
  referenceTiers,
  referenceWindow,
} from "./references.ts";
import { slidingLog } from "./sliding-log.ts";
import { tiered } from "./tiered.ts";
import { tokenBucket } from "./token-bucket.ts";

const HOUR_MS = 3_600_000;
const RUNS = 50;
const STEPS_PER_RUN = 200;

type Numbers = { limit: number; requests: number; seconds: number; windowMs: number };
type Pair = { algorithm: Algorithm<unknown>; reference: Reference };

const numbers = fc.record({
  limit: fc.integer({ min: 1, max: 12 }),
  requests: fc.integer({ min: 1, max: 50 }),
  seconds: fc.integer({ min: 1, max: 50 }),
  windowMs: fc.integer({ min: 1, max: 5000 }),
});

/** Waits are short beside `scaleMs`, at times long, at times back. */
const stepsOf = (scaleMs: number) =>
  fc.array(
    fc.record({
      verb: fc.constantFrom("consume", "consume", "consume", "peek", "refund", "count"),
      cost: fc.constantFrom(1, 1, 1, 2, 3, 7),
      /**
       * The delay before another's grant arrives;
       * below 0 when the other's clock is ahead.
       */
      lateMs: fc.integer({ min: -Math.ceil(scaleMs / 5), max: scaleMs }),
      waitMs: fc.oneof(
        { weight: 3, arbitrary: fc.constant(0) },
        { weight: 6, arbitrary: fc.integer({ min: 0, max: Math.ceil(scaleMs / 5) }) },
        { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 * scaleMs }) },
        { weight: 1, arbitrary: fc.integer({ min: -2 * scaleMs, max: 0 }) },
      ),
    }),
    { minLength: STEPS_PER_RUN, maxLength: STEPS_PER_RUN },
  );

const cases: { name: string; scaleMs: number; make: (numbers: Numbers) => Pair }[] = [
  {
    name: "leakyBucket",
    scaleMs: 3000,
    make: ({ limit, requests, seconds }) => ({
      algorithm: erased(leakyBucket({ capacity: limit, leakPerSecond: requests / seconds })),
      reference: referenceBucket(limit, requests, seconds),
    }),
  },
  {
    name: "tokenBucket",
    scaleMs: 3000,
    make: ({ limit, requests, seconds }) => ({
      algorithm: erased(tokenBucket({ capacity: limit, refillPerSecond: requests / seconds })),
      reference: referenceBucket(limit, requests, seconds),
    }),
  },
  {
    name: "fixedWindow from the first request",
    scaleMs: 3000,
    make: ({ limit, windowMs }) => ({
      algorithm: erased(fixedWindow({ limit, windowMs })),
      reference: referenceWindow(limit, windowMs),
    }),
  },
  {
    name: "fixedWindow by the clock",
    scaleMs: 3000,
    make: ({ limit, windowMs }) => ({
      algorithm: erased(fixedWindow({ limit, windowMs, anchor: "clock" })),
      reference: referenceClockWindow(limit, windowMs),
    }),
  },
  {
    name: "fixedWindow of a calendar day",
    scaleMs: 20 * HOUR_MS,
    make: ({ limit }) => ({
      algorithm: erased(fixedWindow({ limit, anchor: "calendar-day" })),
      reference: referenceDay(limit),
    }),
  },
  {
    name: "slidingLog",
    scaleMs: 3000,
    make: ({ limit, windowMs }) => ({
      algorithm: erased(slidingLog({ limit, windowMs })),
      reference: referenceLog(limit, windowMs),
    }),
  },
  {
    name: "tiered",
    scaleMs: 6 * HOUR_MS,
    make: ({ limit, requests, windowMs }) => ({
      algorithm: erased(
        tiered({ freePerDay: requests, beyond: slidingLog({ limit, windowMs: 2000 * windowMs }) }),
      ),
      reference: referenceTiers(requests, referenceLog(limit, 2000 * windowMs)),
    }),
  },
  {
    name: "ema",
    scaleMs: 3000,
    make: (drawn) => {
      const settings = emaSettings(drawn);
      return { algorithm: erased(ema(settings)), reference: referenceDetector(settings) };
    },
  },
  {
    name: "ema with a floor and a prior",
    scaleMs: 3000,
    make: (drawn) => {
      const { limit, requests, seconds, windowMs } = drawn;
      const settings = emaSettings(drawn);
      const floor = { capacity: limit, requests, seconds: 10 * seconds };
      const prior = { priorGapMs: windowMs, priorGaps: seconds };
      const algorithm = ema({
        ...settings,
        ...prior,
        floorRequests: limit,
        floorPerSecond: requests / (10 * seconds),
      });
      return { algorithm: erased(algorithm), reference: referenceDetector(settings, { floor, ...prior }) };
    },
  },
];

function emaSettings({ limit, requests, seconds, windowMs }: Numbers) {
  return {
    threshold: requests / 10,
    recentGaps: seconds,
    minimumGaps: limit,
    deviationFloor: limit / 10,
    adaptMs: 20 * windowMs,
  };
}

/**
 * Erases the state's type, so that different algorithms fit in one list.
 * A state passed in is always one that the same algorithm returned.
 */
function erased<S>(algorithm: Algorithm<S>): Algorithm<unknown> {
  return algorithm as Algorithm<unknown>;
}

describe.each(cases)(
  "$name, over 10,000 random steps of time, cost, verb and a clock that runs back",
  ({ make, scaleMs }) => {
    it("decides as its reference, by the pure step and in the memory store, and names the exact instant of the next pass", async () => {
      let [refused, steps] = [0, 0];
      await fc.assert(
        fc.asyncProperty(numbers, stepsOf(scaleMs), async (settings, run) => {
          const { algorithm, reference } = make(settings);
          let [state, now]: [unknown, number] = [undefined, Date.UTC(2026, 2, 1, 12)];
          const store = memoryStore({ clock: () => now });
          const stored = createLimiter({ algorithm, store });
          for (const { verb, cost, waitMs, lateMs } of run) {
            now += waitMs;
            steps += 1;
            if (verb === "refund") {
              reference.refund(now, cost);
              const back = state === undefined ? undefined : algorithm.refund?.(state, now, cost);
              if (back !== undefined) state = back.expiresAt > now ? back.next : undefined;
              await stored.refund("key", cost);
              continue;
            }
            if (verb === "count") {
              reference.count(now, cost, now - lateMs);
              state = algorithm.count?.(state, now, cost, now - lateMs)?.next ?? state;
              await store.update("key", (before, at) => ({
                result: undefined,
                ...algorithm.count?.(before, at, cost, now - lateMs),
              }));
              continue;
            }
            const { decision, next } = algorithm.step(state, now, cost);
            const { allowed, retryAfterMs, reason } = decision;
            const allows = reference.allows(now, cost);
            if (allowed !== allows) throw new Error(`${verb} ${cost} at ${now}: ${allowed}, not ${allows}`);
            if (!allowed) refused += 1;
            const expected = verb === "peek" ? peekAt(algorithm, state, now, cost) : decision;
            expect(await stored[verb]("key", cost)).toEqual(expected);
            if (verb === "peek") continue;
            state = next ?? state;
            reference.take(now, cost);
            if (allowed || reason.neverFits) continue;
            const passesAt = now + retryAfterMs;
            const around = [passesAt - 1, passesAt].map((t) => reference.allows(t, cost));
            expect(around).toEqual([false, true]);
          }
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
      expect(steps).toBe(RUNS * STEPS_PER_RUN);
      expect(refused).toBeGreaterThan(steps / 20);
    });
  },
);
