import { requirePositive } from "./settings.ts";
import type { Algorithm, Clock, Decision, Limiter, Sleep, Store, WaitSettings } from "./types.ts";
import { decideBehind, inTurn, machineSleep, waitingLines } from "./waiting.ts";

export type LimiterSettings<S> = {
  algorithm: Algorithm<S>;
  store: Store;
  /** Read once per call, outermost. Left out, the store's own clock counts: for the memory store the machine's. */
  clock?: Clock;
  /** How `wait` passes the time: a test that turns the clock by hand brings its own. The machine's timers unless told. */
  sleep?: Sleep;
};

/**
 * An algorithm upon a store.
 *
 * The limiter holds no state but the lines of those in `wait`, so that any number of them, in any number of processes, may share a store. Limiters that
 * share keys must agree on algorithm and settings: put a policy's name into the key where they might not.
 */
export function createLimiter<S>(settings: LimiterSettings<S>): Limiter {
  const { algorithm, store, clock, sleep = machineSleep } = settings;
  const lines = waitingLines();
  // Undefined leaves the time to the store.
  const readClock = () => (clock === undefined ? undefined : Math.floor(clock()));

  const countsCost = (cost: number) => (state: S | undefined, now: number) => {
    const { decision, next, expiresAt } = algorithm.step(state, requireTime(now), cost);
    return { result: decision, next, expiresAt };
  };
  const countsOne = countsCost(1);

  /** How long the costs take one after the other, and what the last one is told if that is too long. */
  function forecast(key: string, costsAhead: readonly number[], cost: number) {
    return store.update(
      key,
      (state: S | undefined, now) => {
        const behind = decideBehind(algorithm, state, requireTime(now), costsAhead, cost);
        return { result: { ...behind, now } };
      },
      readClock(),
    );
  }

  function take(key: string, cost: number) {
    return store.update(
      key,
      (state: S | undefined, now) => {
        const { decision, next, expiresAt } = algorithm.step(state, requireTime(now), cost);
        return { result: { decision, waitMs: decision.retryAfterMs, now }, next, expiresAt };
      },
      readClock(),
    );
  }

  function refund(key: string, cost = 1): Promise<boolean> {
    return store.update(
      key,
      (state: S | undefined, now) => {
        requirePositive("cost", cost);
        const back = state && algorithm.refund?.(state, requireTime(now), cost);
        return back === undefined ? { result: false } : { result: true, ...back };
      },
      readClock(),
    );
  }

  async function wait(key: string, { cost = 1, maxWaitMs, signal }: WaitSettings): Promise<Decision> {
    if (!(maxWaitMs >= 0)) throw new RangeError(`maxWaitMs must be 0 or more, but is ${maxWaitMs}`);
    requirePositive("cost", cost);
    let startedAt: number | undefined;
    return inTurn(lines, { key, cost, sleep, signal }, async (costsAhead) => {
      const behind = costsAhead.length > 0;
      const { decision, waitMs, now } = behind
        ? await forecast(key, costsAhead, cost)
        : await take(key, cost);
      // Given up while the store decided: nobody will hear of it.
      if (!behind && decision.allowed && signal?.aborted) await refund(key, cost);
      startedAt ??= now;
      const waitedMs = Math.max(0, now - startedAt);
      const staysInLine = waitMs > 0 || behind;
      const worthIt = !decision.reason.neverFits && waitedMs + waitMs <= maxWaitMs;
      return staysInLine && worthIt ? { waitMs } : { answer: decision };
    });
  }

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

    refund,

    wait,

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
