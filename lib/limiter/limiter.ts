import type { Algorithm, Clock, Decision, Limiter, Store } from "./types.ts";

/**
 * @param clock read once per call, outermost; left out, the store's own clock is (the machine's for the memory store)
 */
export type LimiterSettings<S> = { algorithm: Algorithm<S>; store: Store; clock?: Clock };

/**
 * An algorithm upon a store.
 *
 * The limiter holds no state, so that any number of them, in any number of processes, may share a store. They must then agree
 * on the algorithm that owns a key: put its name into the key where they might not.
 */
export function createLimiter<S>({ algorithm, store, clock }: LimiterSettings<S>): Limiter {
  return {
    consume(key: string, cost = 1): Promise<Decision> {
      return store.update(
        key,
        (state: S | undefined, now) => {
          const { decision, next, expiresAt } = algorithm.step(state, now, cost);
          return { result: decision, next, expiresAt };
        },
        clock === undefined ? undefined : read(clock),
      );
    },
    peek(key: string, cost = 1): Promise<Decision> {
      return store.update(
        key,
        (state: S | undefined, now) => ({ result: algorithm.step(state, now, cost).decision }),
        clock === undefined ? undefined : read(clock),
      );
    },
    reset(key: string): Promise<void> {
      return store.update(
        key,
        (state: S | undefined, now) => ({ result: undefined, next: state, expiresAt: now }),
        clock === undefined ? undefined : read(clock),
      );
    },
  };
}

function read(clock: Clock): number {
  const now = Math.floor(clock());
  if (Number.isSafeInteger(now)) return now;
  throw new RangeError(`clock must give milliseconds, but gave ${now}`);
}
