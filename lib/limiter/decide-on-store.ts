/** Decisions, refunds and resets over all keys of a request at once, on a store. */
import { type DecideSettings, decide, type PolicyCheck, type RequestDecision } from "./decide.ts";
import { forecastOf, type QueueForecast } from "./forecast.ts";
import type { Policy } from "./policy.ts";
import { requireTime } from "./settings.ts";
import type { Algorithm, Store } from "./types.ts";

/**
 * Decides on a store, and saves the new states unless `settings.isPeek`.
 * Rejects when the store fails.
 */
export function decideOn<C extends PolicyCheck>(
  store: Store,
  checks: readonly C[],
  cost: number,
  settings: DecideSettings<C> = {},
): Promise<RequestDecision<C>> {
  const running = checksToRun(checks, settings.refusal);
  if (running.length === 0) return Promise.resolve(decide(running, [], 0, cost, settings).result);
  return store.updateMany(keysOf(running), (states: readonly unknown[], now) =>
    decide(running, states, requireTime(now), cost, settings),
  );
}

/** When a refusal is known, only the shadows. */
export function checksToRun<C extends PolicyCheck>(checks: readonly C[], refusal: unknown): readonly C[] {
  return refusal ? checks.filter(({ policy }) => policy.mode === "shadow") : checks;
}

/**
 * Refunds the newest counts.
 * Resolves to the checks that had a count, and the store's time.
 */
export function refundOn<C extends PolicyCheck>(
  store: Store,
  checks: readonly C[],
  cost: number,
  isFallback = false,
): Promise<{ refunded: C[]; at: number }> {
  if (checks.length === 0) return Promise.resolve({ refunded: [], at: 0 });
  return store.updateMany(keysOf(checks), (states: readonly unknown[], now) => {
    const changes = checks.map(({ policy }, index) => {
      const algorithm = isFallback ? localAlgorithm(policy) : policy.algorithm;
      const state = states[index];
      return state === undefined ? undefined : algorithm.refund?.(state, requireTime(now), cost);
    });
    const refunded = checks.filter((_, index) => changes[index] !== undefined);
    return { result: { refunded, at: now }, changes };
  });
}

/** How long the queue of a check's key takes. */
export function forecastOn(
  store: Store,
  { policy, key }: PolicyCheck,
  queuedCosts: readonly number[],
  cost: number,
): Promise<QueueForecast> {
  return store.update(key, (state: unknown, now) => ({
    result: forecastOf(policy.algorithm, state, requireTime(now), queuedCosts, cost),
  }));
}

/**
 * Forgets the states, also those that have expired: the clock may run back.
 * Resolves to the store's time.
 */
export function resetOn(store: Store, checks: readonly PolicyCheck[]): Promise<number> {
  if (checks.length === 0) return Promise.resolve(0);
  return store.updateMany(keysOf(checks), (_, now) => ({
    result: now,
    changes: checks.map(() => ({ next: null, expiresAt: now })),
  }));
}

/** The algorithm in place of a policy during an outage. */
export function localAlgorithm({ outage, algorithm }: Policy): Algorithm<unknown> {
  return typeof outage === "string" ? algorithm : outage.local;
}

function keysOf(checks: readonly PolicyCheck[]): string[] {
  return checks.map(({ key }) => key);
}
