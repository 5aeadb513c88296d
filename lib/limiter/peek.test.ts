import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { algorithmExamples } from "./algorithms/examples.ts";
import { createLimiter, createPolicyLimiter, memoryStore } from "./index.ts";
import { peekAt } from "./peek.ts";
import type { Algorithm } from "./types.ts";

const begin = 1_700_000_000_000;

describe.each(algorithmExamples)("$name", ({ algorithm }) => {
  const most = algorithm.limit;

  it("has all of its limit remaining before the first request, and as much as its last answer after", async () => {
    const limiter = createLimiter({ algorithm, store: memoryStore(), clock: () => begin });
    expect(await limiter.peek("key")).toMatchObject({ allowed: true, remaining: most });
    const { remaining, resetAfterMs } = await limiter.consume("key");
    expect(await limiter.peek("key")).toMatchObject({ remaining, resetAfterMs });
  });

  it("has as much remaining under several policies", async () => {
    const limiter = createPolicyLimiter({ store: memoryStore({ clock: () => begin }) });
    const policy = { name: "demo", mode: "enforce", outage: "closed", algorithm } as const;
    const { decisions } = await limiter.peek([{ policy, key: "key", counts: "key" }], 1);
    expect(decisions[0]?.decision.remaining).toBe(most);
  });

  it("has as many remaining as then pass, after any requests, for any cost", () => {
    const request = fc.record({ pauseMs: fc.nat(700), cost: fc.integer({ min: 1, max: 4 }) });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 12 }), fc.integer({ min: 1, max: 9 }), (requests, cost) => {
        let now = begin;
        let state: unknown;
        for (const each of requests) {
          now += each.pauseMs;
          state = algorithm.step(state, now, each.cost).next ?? state;
        }
        const peeked = peekAt(algorithm, state, now, cost);
        const { decision } = algorithm.step(state, now, cost);
        expect(peeked).toMatchObject({ allowed: decision.allowed, retryAfterMs: decision.retryAfterMs });
        if (most === null) expect(peeked).toEqual(decision);
        else expect(peeked.remaining).toBe(passing(algorithm, state, now));
      }),
      { numRuns: 100, seed: 1 },
    );
  });
});

/** How many requests of cost 1 pass one after the other. */
function passing(algorithm: Algorithm<unknown>, state: unknown, now: number): number {
  const { decision, next } = algorithm.step(state, now, 1);
  return decision.allowed ? 1 + passing(algorithm, next, now) : 0;
}
