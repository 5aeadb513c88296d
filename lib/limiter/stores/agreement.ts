/**
 * Part of the store contract.
 * A limiter on a store decides as its algorithm alone does.
 */
import * as fc from "fast-check";
import { expect } from "vitest";
import { algorithmExamples } from "../algorithms/examples.ts";
import { type Algorithm, createLimiter, type Store } from "../index.ts";
import { peekAt } from "../peek.ts";

// The last Sunday in October: this day has 25 hours in Berlin.
const BEGIN = Date.UTC(2026, 9, 25, 22, 59);

/** Mostly forwards and by little, sometimes by much, and sometimes back. */
const pause = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 400 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 90_000_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: -2_000, max: 0 }) },
);
const stepsOfOneKey = fc.array(
  fc.record({
    pause,
    verb: fc.constantFrom("consume", "consume", "consume", "peek", "refund", "reset"),
    cost: fc.constantFrom(1, 1, 1, 2, 3, 100),
  }),
  { minLength: 10, maxLength: 40 },
);

/**
 * Random steps of every algorithm, each on a key of its own, all keys at once.
 * Every result is that of the pure step.
 */
export async function agreesWithThePureStep(
  makeStore: (settings: { clock: () => number }) => Store | Promise<Store>,
  newKey: () => string,
): Promise<void> {
  let now = BEGIN;
  const store = await makeStore({ clock: () => now });
  await fc.assert(
    fc.asyncProperty(stepsOfOneKey, async (steps) => {
      now = BEGIN;
      const sides = algorithmExamples.map(({ algorithm }) => ({
        limiter: createLimiter({ algorithm, store, clock: () => now }),
        pure: pureLimiter(algorithm),
        key: newKey(),
      }));
      for (const { pause, verb, cost } of steps) {
        now += pause;
        const answers = await Promise.all(sides.map(({ limiter, key }) => limiter[verb](key, cost)));
        expect(answers).toEqual(sides.map(({ pure }) => pure(verb, now, cost)));
      }
    }),
    { numRuns: 15, seed: 7 },
  );
}

/** The algorithm with its state in a variable. */
function pureLimiter<S>(algorithm: Algorithm<S>) {
  let saved: { state: S; expiresAt: number } | undefined;
  return (verb: "consume" | "peek" | "refund" | "reset", now: number, cost: number) => {
    const state = saved !== undefined && saved.expiresAt > now ? saved.state : undefined;
    const save = ({
      next,
      expiresAt = Number.POSITIVE_INFINITY,
    }: {
      next?: S | undefined;
      expiresAt?: number | undefined;
    }) => {
      if (next !== undefined) saved = expiresAt > now ? { state: next, expiresAt } : undefined;
    };
    switch (verb) {
      case "reset":
        saved = undefined;
        return undefined;
      case "refund": {
        const back = state === undefined ? undefined : algorithm.refund?.(state, now, cost);
        if (back) save(back);
        return back !== undefined;
      }
      case "peek":
        return peekAt(algorithm, state, now, cost);
      case "consume": {
        const step = algorithm.step(state, now, cost);
        save(step);
        return step.decision;
      }
    }
  };
}
