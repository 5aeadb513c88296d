/**
 * The contract of every store, as one test suite.
 * Example: `storeContract("memory", ({ clock }) => memoryStore({ clock }))`.
 *
 * The checks are plain functions, so that a test can also run them on a store that is broken on purpose. Each works on
 * keys of its own; a store that outlives the test need not be emptied.
 */
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type LeakyBucketState, leakyBucket } from "../algorithms/leaky-bucket.ts";
import { createLimiter } from "../limiter.ts";
import type { Algorithm, Clock, Store, Update } from "../types.ts";
import { agreesWithThePureStep } from "./agreement.ts";

/** Makes the store under test; its time is `clock` whenever an update brings none. */
export type MakeStore = (settings: { clock: Clock }) => Store | Promise<Store>;

export type StoreContractCheck = { title: string; check: (makeStore: MakeStore) => Promise<void> };

export function storeContract(name: string, makeStore: MakeStore): void {
  describe(`${name} keeps the store contract`, () => {
    for (const { title, check } of storeContractChecks) it(title, () => check(makeStore));
  });
}

const NOON = 1_700_000_000_000;
const TEN_YEARS_MS = 315_576_000_000;

export const storeContractChecks: StoreContractCheck[] = [
  {
    title: "the first update of a key sees no state",
    check: async (makeStore) => {
      const store = await makeStore({ clock: () => NOON });
      expect(await load(store, newKey())).toBeUndefined();
    },
  },
  {
    title: "an update sees the state that the previous one saved, and resolves to its own result",
    check: async (makeStore) => {
      const store = await makeStore({ clock: () => NOON });
      const key = newKey();
      const state = { level: 0.1, at: NOON, parts: [1, -2.5e-9, 9_007_199_254_740_991] };
      expect(await store.update(key, () => ({ result: "saved", next: state }))).toBe("saved");
      expect(await load(store, key)).toEqual(state);
      await save(store, key, { level: 2 });
      expect(await load(store, key)).toEqual({ level: 2 });
    },
  },
  {
    title: "a state of 0 is a state",
    check: async (makeStore) => {
      const store = await makeStore({ clock: () => NOON });
      const key = newKey();
      await save(store, key, 0);
      expect(await load(store, key)).toBe(0);
    },
  },
  {
    title: "keys do not affect each other, whatever their characters",
    check: async (makeStore) => {
      const store = await makeStore({ clock: () => NOON });
      const base = newKey();
      const keys = ["", " ", ":", "a", "A", "é", "e\u0301", "نظر", "__proto__", "%_*?[a]", "x".repeat(500)];
      for (const [index, key] of keys.entries()) await save(store, base + key, index);
      const states = await Promise.all(keys.map((key) => load(store, base + key)));
      expect(states).toEqual(keys.map((_, index) => index));
    },
  },
  {
    title: "without a next state nothing is saved and nothing is lost",
    check: async (makeStore) => {
      const store = await makeStore({ clock: () => NOON });
      const key = newKey();
      await store.update(key, () => ({ result: 1 }));
      expect(await load(store, key)).toBeUndefined();
      await save(store, key, { level: 1 });
      await store.update(key, () => ({ result: 1, expiresAt: NOON }));
      expect(await load(store, key)).toEqual({ level: 1 });
    },
  },
  {
    title: "the step is given the caller's time, or else the store's clock",
    check: async (makeStore) => {
      const store = await makeStore({ clock: () => NOON });
      const readTime = (_: unknown, now: number) => ({ result: now });
      expect(await store.update(newKey(), readTime)).toBe(NOON);
      expect(await store.update(newKey(), readTime, NOON - 5)).toBe(NOON - 5);
    },
  },
  {
    title: "a state exists until the millisecond before it expires, and no longer",
    check: async (makeStore) => {
      let now = NOON;
      const store = await makeStore({ clock: () => now });
      const key = newKey();
      await save(store, key, { level: 1 }, NOON + 1000);
      now = NOON + 999;
      expect(await load(store, key)).toEqual({ level: 1 });
      now = NOON + 1000;
      expect(await load(store, key)).toBeUndefined();
    },
  },
  {
    title: "expiry goes by the caller's time when there is one",
    check: async (makeStore) => {
      const store = await makeStore({ clock: () => NOON });
      const key = newKey();
      await store.update(key, () => ({ result: 0, next: { level: 1 }, expiresAt: 100 }), 0);
      expect(await load(store, key, 99)).toEqual({ level: 1 });
      expect(await load(store, key, 100)).toBeUndefined();
    },
  },
  {
    title: "a state without expiry stays",
    check: async (makeStore) => {
      let now = NOON;
      const store = await makeStore({ clock: () => now });
      const key = newKey();
      await save(store, key, { level: 1 });
      now = NOON + TEN_YEARS_MS;
      expect(await load(store, key)).toEqual({ level: 1 });
    },
  },
  {
    title: "saving again sets the expiry anew",
    check: async (makeStore) => {
      let now = NOON;
      const store = await makeStore({ clock: () => now });
      const [longer, shorter, kept] = [newKey(), newKey(), newKey()];
      for (const key of [longer, shorter, kept]) await save(store, key, 1, NOON + 1000);
      await save(store, longer, 2, NOON + 2000);
      await save(store, shorter, 2, NOON + 500);
      await save(store, kept, 2);
      now = NOON + 500;
      expect(await load(store, shorter)).toBeUndefined();
      now = NOON + 1999;
      expect(await load(store, longer)).toBe(2);
      expect(await load(store, kept)).toBe(2);
    },
  },
  {
    title: "a next state that has already expired deletes the key, as a reset does",
    check: async (makeStore) => {
      const store = await makeStore({ clock: () => NOON });
      const key = newKey();
      await save(store, key, { level: 1 }, NOON + 1000);
      await save(store, key, { level: 1 }, NOON);
      expect(await load(store, key)).toBeUndefined();
      await save(store, key, { level: 2 }, NOON - 1);
      expect(await load(store, key, NOON - 10)).toBeUndefined();
    },
  },
  {
    title:
      "a reset also deletes a state that has just expired, so that it does not return when the clock runs back",
    check: async (makeStore) => {
      const store = await makeStore({ clock: () => NOON });
      const key = newKey();
      await save(store, key, { level: 1 }, NOON + 1000);
      const algorithm = leakyBucket({ capacity: 1, leakPerSecond: 1 });
      await createLimiter({ algorithm, store, clock: () => NOON + 1000 }).reset(key);
      expect(await load(store, key, NOON)).toBeUndefined();
    },
  },
  {
    title: "a clock with fractions of a millisecond counts in whole ones",
    check: async (makeStore) => {
      const store = await makeStore({ clock: () => NOON + 0.75 });
      expect(await store.update(newKey(), (_, now) => ({ result: now }))).toBe(NOON);
      expect(await store.updateMany([newKey(), newKey()], (_, now) => ({ result: now, changes: [] }))).toBe(
        NOON,
      );
    },
  },
  {
    title: "an update whose step throws rejects with that error and leaves the state alone",
    check: async (makeStore) => {
      const store = await makeStore({ clock: () => NOON });
      const key = newKey();
      await save(store, key, { level: 1 });
      const failure = new Error("step failed");
      const failing = store.update(key, () => {
        throw failure;
      });
      await expect(failing).rejects.toBe(failure);
      expect(await load(store, key)).toEqual({ level: 1 });
    },
  },
  {
    title: "50 updates of one key at once never admit more than the limit",
    check: async (makeStore) => {
      const store = await makeStore({ clock: () => NOON });
      const key = newKey();
      const admitted = await Promise.all(Array.from({ length: 50 }, () => store.update(key, countToTen)));
      expect(admitted.filter(Boolean)).toHaveLength(10);
      expect(await load(store, key)).toBe(10);
    },
  },
  {
    title: "50 updates of two keys at once never admit more than the limit of each",
    check: async (makeStore) => {
      const store = await makeStore({ clock: () => NOON });
      const keys = [newKey(), newKey()];
      const updates = Array.from({ length: 25 }, () => keys.map((key) => store.update(key, countToTen)));
      const admitted = await Promise.all(updates.flat());
      expect(admitted.filter(Boolean)).toHaveLength(20);
      expect(await Promise.all(keys.map((key) => load(store, key)))).toEqual([10, 10]);
    },
  },
  {
    title: "an update of several keys sees their states in order, and saves the changes that it yields",
    check: async (makeStore) => {
      const store = await makeStore({ clock: () => NOON });
      const [a, b, c, d] = [newKey(), newKey(), newKey(), newKey()];
      await save(store, b, { level: 2 });
      await save(store, d, { level: 4 });
      const change = (states: readonly unknown[], now: number) => ({
        result: [...states, now],
        changes: [
          { next: "a" },
          undefined,
          { next: "c", expiresAt: NOON + 10 },
          { next: "d", expiresAt: NOON },
        ],
      });
      const found = [undefined, { level: 2 }, undefined, { level: 4 }];
      expect(await store.updateMany([a, b, c, d], change)).toEqual([...found, NOON]);
      expect(await loadMany(store, [d, c, b, a])).toEqual([undefined, "c", { level: 2 }, "a"]);
      expect(await loadMany(store, [a, c], NOON + 9)).toEqual(["a", "c"]);
      expect(await loadMany(store, [a, c], NOON + 10)).toEqual(["a", undefined]);
    },
  },
  {
    title: "an update of several keys whose step throws saves none of them",
    check: async (makeStore) => {
      const store = await makeStore({ clock: () => NOON });
      const keys = [newKey(), newKey()];
      const failure = new Error("step failed");
      const failing = store.updateMany(keys, () => {
        throw failure;
      });
      await expect(failing).rejects.toBe(failure);
      expect(await loadMany(store, keys)).toEqual([undefined, undefined]);
    },
  },
  {
    title: "an update of several keys rejects a repeated key, and no key",
    check: async (makeStore) => {
      const store = await makeStore({ clock: () => NOON });
      const key = newKey();
      await expect(loadMany(store, [key, key])).rejects.toThrow("keys must differ");
      await expect(loadMany(store, [])).rejects.toThrow("at least one key");
    },
  },
  {
    title: "60 transfers between three keys at once, in any key order, keep the total",
    check: async (makeStore) => {
      const store = await makeStore({ clock: () => NOON });
      const [a, b, c] = [newKey(), newKey(), newKey()];
      for (const key of [a, b, c]) await save(store, key, 100);
      const move = ([from = 0, to = 0]: readonly (number | undefined)[]) => ({
        result: undefined,
        changes: [{ next: from - 1 }, { next: to + 1 }],
      });
      const orders = [
        [a, b],
        [b, a],
        [b, c],
      ];
      await Promise.all(
        orders.flatMap((keys) => Array.from({ length: 20 }, () => store.updateMany(keys, move))),
      );
      expect(await loadMany(store, [a, b, c])).toEqual([100, 80, 120]);
    },
  },
  {
    title: "updates of one key and of several keys at once never admit more than the limit of each",
    check: async (makeStore) => {
      const store = await makeStore({ clock: () => NOON });
      const [a, b] = [newKey(), newKey()];
      const countBoth = (states: readonly (number | undefined)[]) => {
        const steps = states.map(countToTen);
        const result = steps.every((step) => step.result);
        return { result, changes: result ? steps : [] };
      };
      const admitted = await Promise.all(
        Array.from({ length: 20 }, (_, index) => [
          store.update(a, countToTen),
          store.updateMany(index % 2 === 0 ? [a, b] : [b, a], countBoth),
          store.update(b, countToTen),
        ]).flat(),
      );
      const both = admitted.filter((isAdmitted, index) => isAdmitted && index % 3 === 1).length;
      expect(admitted.filter(Boolean)).toHaveLength(20 - both);
      expect(await loadMany(store, [a, b])).toEqual([10, 10]);
    },
  },
  {
    title: "of requests at once, none is refused because of a count that is about to be refunded",
    check: async (makeStore) => {
      const store = await makeStore({ clock: () => NOON });
      const shared = { key: newKey(), algorithm: leakyBucket({ capacity: 10, leakPerSecond: 1 }) };
      const own = () => ({ key: newKey(), algorithm: leakyBucket({ capacity: 1, leakPerSecond: 1 }) });
      const used = own();
      expect(await consumeAll(store, [used])).toBe(true);
      // Each with room in its own bucket comes between requests that the used one refuses.
      const requests = Array.from({ length: 40 }, (_, index) => [shared, index % 4 === 3 ? own() : used]);
      const admitted = await Promise.all(requests.map((limits) => consumeAll(store, limits)));
      expect(admitted).toEqual(requests.map(([, limit]) => limit !== used));
      expect(await consumeAll(store, [shared])).toBe(false);
    },
  },
  {
    title: "random steps of every algorithm are decided as by the algorithm itself",
    check: (makeStore) => agreesWithThePureStep(makeStore, newKey),
  },
];

function newKey(): string {
  return `contract:${randomUUID()}:`;
}

function load(store: Store, key: string, now?: number): Promise<unknown> {
  return store.update(key, (state) => ({ result: state }), now);
}

function loadMany(store: Store, keys: readonly string[], now?: number): Promise<readonly unknown[]> {
  return store.updateMany(keys, (states) => ({ result: states, changes: [] }), now);
}

/** Counts in all of the limits, or in none of them when one refuses. */
function consumeAll(
  store: Store,
  limits: readonly { key: string; algorithm: Algorithm<LeakyBucketState> }[],
): Promise<boolean> {
  return store.updateMany(
    limits.map(({ key }) => key),
    (states: readonly (LeakyBucketState | undefined)[], now) => {
      const steps = limits.map(({ algorithm }, index) => algorithm.step(states[index], now, 1));
      const result = steps.every(({ decision }) => decision.allowed);
      return { result, changes: result ? steps : [] };
    },
  );
}

function save(store: Store, key: string, next: unknown, expiresAt?: number): Promise<void> {
  return store.update(key, () => ({ result: undefined, next, expiresAt }));
}

function countToTen(count = 0): Update<number, boolean> {
  return count < 10 ? { result: true, next: count + 1 } : { result: false };
}
