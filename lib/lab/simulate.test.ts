import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AlgorithmSettings,
  algorithmNames,
  createAlgorithm,
  createLimiter,
  leakyBucket,
  memoryStore,
  slidingLog,
  tiered,
} from "../limiter/index.ts";
import { parseSettings } from "../settings/env.ts";
import { ratingAlgorithm } from "../settings/rating-settings.ts";
import { simulate, type TraceRequest } from "./simulate.ts";

const own = parseSettings({});
const asShipped = algorithmNames.map((name) => ratingAlgorithm(own, name));
/**
 * Limits that ordinary traffic meets.
 * States expire between requests.
 */
const small: AlgorithmSettings[] = [
  { algorithm: "leaky-bucket", capacity: 2, leakPerSecond: 1 },
  { algorithm: "token-bucket", capacity: 2, refillPerSecond: 0.5 },
  { algorithm: "fixed-window", limit: 2, windowMs: 900 },
  { algorithm: "fixed-window", limit: 3, anchor: "calendar-day", timeZone: "Europe/Berlin" },
  { algorithm: "sliding-log", limit: 2, windowMs: 1_500 },
  {
    algorithm: "tiered",
    freePerDay: 2,
    beyond: { algorithm: "sliding-log", limit: 1, windowMs: 1_000 },
    timeZone: "Asia/Tehran",
  },
  { algorithm: "ema", minimumGaps: 2 },
];
const anyParameters = fc.constantFrom(...asShipped, ...small);

const anyTrace = fc
  .array(
    fc.record({
      at: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 200_000_000 })),
      kind: fc.constantFrom("honest" as const, "flood" as const),
    }),
    { maxLength: 60 },
  )
  .map((requests): TraceRequest[] => requests.toSorted((one, other) => one.at - other.at));

describe("simulate", () => {
  it("decides as a limiter on a store does", async () => {
    await fc.assert(
      fc.asyncProperty(anyParameters, anyTrace, async (parameters, requests) => {
        let now = 0;
        const limiter = createLimiter({
          algorithm: createAlgorithm(parameters),
          store: memoryStore(),
          clock: () => now,
        });
        const { decided } = simulate(createAlgorithm(parameters), requests);
        for (const { at, decision } of decided) {
          now = at;
          expect(decision).toEqual(await limiter.consume("key"));
        }
      }),
    );
  });

  it("counts each request as accepted or refused, and as honest or flood", () => {
    fc.assert(
      fc.property(anyParameters, anyTrace, (parameters, requests) => {
        const { decided, summary } = simulate(createAlgorithm(parameters), requests);
        expect(decided.map(({ at, kind }) => ({ at, kind }))).toEqual(requests);
        expect(summary.accepted).toBe(decided.filter(({ decision }) => decision.allowed).length);
        expect(summary.accepted + summary.refused).toBe(requests.length);
        const { honest, flood } = summary;
        expect((honest?.total ?? 0) + (flood?.total ?? 0)).toBe(requests.length);
        expect((honest?.refused ?? 0) + (flood ? flood.total - flood.passed : 0)).toBe(summary.refused);
      }),
    );
  });

  it("saves the state of a refusal too, and drops expired states, as a store does", () => {
    const forgetful = {
      name: "once",
      limit: 1,
      step: (state: number | undefined, now: number) => ({
        ...leakyBucket({ capacity: 0.5, leakPerSecond: 1 }).step(undefined, now, 1),
        next: (state ?? 0) + 1,
        expiresAt: now + 10,
      }),
    };
    const seen: (number | undefined)[] = [];
    const watched = {
      ...forgetful,
      step: (state: number | undefined, now: number) => {
        seen.push(state);
        return forgetful.step(state, now);
      },
    };
    simulate(watched, [{ at: 0 }, { at: 9 }, { at: 19 }, { at: 28 }]);
    expect(seen).toEqual([undefined, 1, undefined, 1]);
  });

  it("reports the longest wait, and when no wait would help", () => {
    const together = Array.from({ length: 5 }, () => ({ at: 1_000 }));
    const bucket = (capacity: number) => leakyBucket({ capacity, leakPerSecond: 0.5 });
    expect(simulate(bucket(2), [...together, { at: 1_500 }]).summary.longestWaitMs).toBe(2_000);
    expect(simulate(bucket(10), together).summary.longestWaitMs).toBeNull();
    expect(simulate(bucket(0.5), together).summary.longestWaitMs).toBe("for ever");
  });

  it("counts neither honest nor flood requests for an unlabelled trace", () => {
    const { summary } = simulate(tiered({ freePerDay: 1, beyond: slidingLog({ limit: 1, windowMs: 1 }) }), [
      { at: 5 },
    ]);
    expect(summary).toMatchObject({ accepted: 1, honest: null, flood: null });
  });
});
