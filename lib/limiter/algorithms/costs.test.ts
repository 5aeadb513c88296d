import { describe, expect, it } from "vitest";
import { createLimiter, memoryStore } from "../index.ts";
import { algorithmExamples } from "./examples.ts";
import { createAlgorithm } from "./registry.ts";

const largest = Number.MAX_SAFE_INTEGER;
const impossible = [0, -0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e308, largest + 1];
const extreme = [largest, largest - 1, 1e9, 1.5, 0.5, 0.001, 1e-9, 5e-324];

describe.each(algorithmExamples)("$name", ({ algorithm }) => {
  /** A key that was used for a while, and is used up now. */
  function usedUp() {
    let state: unknown;
    let now = 0;
    const take = (cost: number) => {
      const { decision, next = state } = algorithm.step(state, now, cost);
      // As a store keeps it.
      state = JSON.parse(JSON.stringify(next));
      return decision;
    };
    for (; now < 20_000; now += 1_000) take(1);
    while (take(1).allowed);
    return {
      take,
      now,
      state: () => state,
      set: (saved: unknown) => (state = saved),
      pass: (ms: number) => (now += ms),
    };
  }

  it.each(impossible)("throws for the cost %d, and names it", async (cost) => {
    const { state, now } = usedUp();
    const fault = /^cost must be .*, but is /;
    expect(() => algorithm.step(state(), now, cost)).toThrow(fault);
    if (algorithm.refund) expect(() => algorithm.refund?.(state(), now, cost)).toThrow(fault);
    if (algorithm.count) expect(() => algorithm.count?.(state(), now, cost, now)).toThrow(fault);
    const limiter = createLimiter({ algorithm, store: memoryStore() });
    await expect(limiter.consume("key", cost)).rejects.toThrow(fault);
    await expect(limiter.wait("key", { cost, maxWaitMs: 5 })).rejects.toThrow(fault);
  });

  it.each(extreme)("keeps a finite state after requests, refunds and counts of the cost %d", (cost) => {
    const { take, now, state, set, pass } = usedUp();
    const exhausted = state();
    const orWhole = (work: () => void) => {
      try {
        work();
      } catch (error) {
        // A log counts whole requests only.
        expect(String(error)).toContain("cost must be a whole number");
      }
    };
    orWhole(() => take(cost));
    expect(take(1).allowed).toBe(false);
    orWhole(() => set(algorithm.count?.(state(), now, cost, now)?.next ?? state()));
    expect(take(1).allowed).toBe(false);
    for (let times = 0; times < 20; times += 1) {
      pass(700);
      orWhole(() => take(cost));
      expect(numbersIn(state()).every(Number.isFinite)).toBe(true);
    }
    set(exhausted);
    orWhole(() => set(algorithm.refund?.(state(), now, cost)?.next ?? state()));
    expect(numbersIn(state()).every(Number.isFinite)).toBe(true);
  });
});

it("continues learning after a cost of any size", () => {
  const algorithm = createAlgorithm({ algorithm: "ema" });
  for (const cost of [largest, 5e-324]) {
    let state: unknown;
    for (let now = 0; now < 100_000; now += 1_000) {
      const { decision, next = state } = algorithm.step(state, now, now === 50_000 ? cost : 1);
      state = next;
      if (now > 50_000) expect(decision.reason).toMatchObject({ learning: false, z: expect.any(Number) });
    }
  }
});

it("throws for a setting above the largest whole number, and names it", () => {
  const bucket = { algorithm: "leaky-bucket", capacity: 1e308, leakPerSecond: 1 };
  expect(() => createAlgorithm(bucket)).toThrow(
    `leakyBucket: capacity must be at most ${largest}, but is 1e+308`,
  );
  expect(() => createAlgorithm({ algorithm: "ema", adaptMs: 1e308 })).toThrow("ema: adaptMs must be at most");
});

/** All numbers, at any depth; null, which NaN and Infinity become in JSON, as NaN. */
function numbersIn(state: unknown, name = ""): number[] {
  if (typeof state === "number") return [state];
  if (state === null) return name === "beyond" ? [] : [Number.NaN];
  if (typeof state !== "object") return [];
  return Object.entries(state).flatMap(([key, value]) => numbersIn(value, key));
}
