import type { Algorithm, Clock, Decision, Limiter, Store } from "./types.ts";

export type LimiterSettings<S> = {
  algorithm: Algorithm<S>;
  store: Store;
  /** Read once per call, outermost. Left out, the store's own clock counts: for the memory store the machine's. */
  clock?: Clock;
};

/**
 * An algorithm upon a store.
 *
 * The limiter holds no state, so that any number of them, in any number of processes, may share a store. Limiters that
 * share keys must agree on algorithm and settings: put a policy's name into the key where they might not.
 */
export function createLimiter<S>({ algorithm, store, clock }: LimiterSettings<S>): Limiter {
  // Undefined leaves the time to the store.
  const readClock = () => (clock === undefined ? undefined : Math.floor(clock()));

  const countsCost = (cost: number) => (state: S | undefined, now: number) => {
    const { decision, next, expiresAt } = algorithm.step(state, requireTime(now), cost);
    return { result: decision, next, expiresAt };
  };
  const countsOne = countsCost(1);

  return {
    consume(key: string, cost = 1): Promise<Decision> {
      return store.update(key, cost === 1 ? countsOne : countsCost(cost), readClock());
    },

    peek(key: string, cost = 1): Promise<Decision> {
      return store.update(
        key,
        (state: S | undefined, now) => ({ result: algorithm.step(state, requireTime(now), cost).decision }),
        readClock(),
      );
    },

    reset(key: string): Promise<void> {
      return store.update(
        key,
        (state: S | undefined, now) => ({ result: undefined, next: state, expiresAt: now }),
        readClock(),
      );
    },
  };
}

/** A time that is no number would otherwise be saved, and spoil the state for good. */
function requireTime(now: number): number {
  if (Number.isSafeInteger(now)) return now;
  throw new RangeError(`clock must give milliseconds, but gave ${now}`);
}
