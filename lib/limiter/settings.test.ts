import { describe, expect, it } from "vitest";
import { algorithmExamples } from "./algorithms/examples.ts";
import {
  createAlgorithm,
  createLimiter,
  createPolicyLimiter,
  didYouMean,
  gcra,
  leakyBucket,
  memoryStore,
  tokenBucket,
} from "./index.ts";
import { redisStore } from "./stores/redis.ts";

describe.each(algorithmExamples)("$name", ({ algorithm }) => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    "throws on a step, refund or count at the time %s",
    (now) => {
      const { next } = algorithm.step(undefined, 0, 1);
      const fault = "now must be a finite number of milliseconds";
      expect(() => algorithm.step(next, now, 1)).toThrow(fault);
      if (algorithm.refund) expect(() => algorithm.refund?.(next, now, 1)).toThrow(fault);
      if (algorithm.count) expect(() => algorithm.count?.(next, now, 1, 0)).toThrow(fault);
    },
  );
});

it("names an unknown setting and the known one that is most like it", () => {
  const algorithm = leakyBucket({ capacity: 5, leakPerSecond: 1 });
  const misspelt = { maxkeys: 5, clok: () => 0, capacty: 1, timeoutMS: 5 };
  const { clok, maxkeys, capacty, timeoutMS } = misspelt;
  expect(() => createLimiter({ algorithm, store: memoryStore(), ...{ clok } })).toThrow(
    'createLimiter: there is no setting "clok". Did you mean clock? There are algorithm, store',
  );
  expect(() => memoryStore({ clock: () => 0, ...{ maxkeys } })).toThrow('"maxkeys". Did you mean maxKeys?');
  expect(() => gcra({ capacity: 5, ratePerSecond: 1, ...{ capacty } })).toThrow("Did you mean capacity?");
  expect(() => tokenBucket({ capacity: 5, refillPerSecond: 1, ...{ clok } })).toThrow(TypeError);
  expect(() => createAlgorithm({ algorithm: "ema", treshold: 1 })).toThrow("Did you mean threshold?");
  expect(() => redisStore({ client: { eval: never, evalsha: never }, ...{ timeoutMS } })).toThrow(
    "Did you mean timeoutMs?",
  );
});

it("suggests a name once for several misspellings of it", () => {
  expect(didYouMean(["capcity", "limt", "capacty"], ["capacity", "limit"])).toBe(
    "Did you mean capacity and limit? ",
  );
});

it("suggests no name of more than 64 letters, which would take long to compare", () => {
  const letters = "a".repeat(64);
  expect(didYouMean([`${letters.slice(1)}b`], [`${letters}a`, letters])).toBe(`Did you mean ${letters}? `);
  expect(didYouMean([letters], [`${letters}a`])).toBe("");
});

it("rejects a request with an unknown option, and names the known one that is most like it", async () => {
  const store = memoryStore();
  const algorithm = leakyBucket({ capacity: 5, leakPerSecond: 1 });
  const options = { maxWaitMS: 5, waitebleMs: 5, onCount: never };
  const { maxWaitMS, waitebleMs, onCount } = options;
  const limiter = createLimiter({ algorithm, store });
  const policies = createPolicyLimiter({ store });
  await expect(limiter.wait("key", { maxWaitMs: 5, ...{ maxWaitMS } })).rejects.toThrow(
    'wait: there is no setting "maxWaitMS". Did you mean maxWaitMs?',
  );
  expect(() => createPolicyLimiter({ store, ...{ onCount } })).toThrow(
    'createPolicyLimiter: there is no setting "onCount". Did you mean onCounted?',
  );
  await expect(policies.consume([], 1, { waitableMs: 5, ...{ waitebleMs } })).rejects.toThrow(
    "Did you mean waitableMs?",
  );
  const planned = { plan: () => ({ checks: [], isDenied: false }), execute: never, cost: 1, maxWaitMs: 0 };
  await expect(policies.wait({ ...planned, ...{ maxWaitMS } })).rejects.toThrow("Did you mean maxWaitMs?");
});

function never(): never {
  throw new Error("Unused");
}
