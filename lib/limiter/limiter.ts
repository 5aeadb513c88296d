import { isWaitable, type PolicyCheck } from "./decide.ts";
import { forecastOf } from "./forecast.ts";
import { peekAt } from "./peek.ts";
import type { Policy } from "./policy.ts";
import { requireKnown, requirePositive, requireTime } from "./settings.ts";
import { machineSleep, unlessAborted } from "./sleep.ts";
import type { Algorithm, Clock, Decision, Limiter, Sleep, Store, WaitSettings } from "./types.ts";
import { createWaiting } from "./wait.ts";

export type LimiterSettings<S> = {
  algorithm: Algorithm<S>;
  store: Store;
  /**
   * The clock, read once per call.
   * Default: the store's own clock, for the memory store the machine's.
   */
  clock?: Clock;
  /**
   * How `wait` passes the time, for tests that set the clock by hand.
   * Default: the machine's timers.
   */
  sleep?: Sleep;
};

/**
 * An algorithm on a store.
 *
 * The limiter holds no state but the queues of `wait`, so that any number of them, in any number of processes, may
 * share a store. Limiters that share keys must agree on algorithm and settings: put a policy's name into the key where
 * they might not.
 */
export function createLimiter<S>(settings: LimiterSettings<S>): Limiter {
  requireKnown("createLimiter", settings, ["algorithm", "store", "clock", "sleep"]);
  const { algorithm, store, clock, sleep = machineSleep } = settings;
  const policy: Policy = { name: algorithm.name, mode: "enforce", algorithm, outage: "closed" };
  const waiting = createWaiting<PolicyCheck>({
    sleep,
    ...(clock && { clock }),
    maxWaiting: Number.POSITIVE_INFINITY,
    maxWaitingPerKey: Number.POSITIVE_INFINITY,
  });
  // Undefined leaves the time to the store.
  const readClock = () => (clock === undefined ? undefined : Math.floor(clock()));

  const countsCost = (cost: number) => (state: S | undefined, now: number) => {
    const { decision, next, expiresAt } = algorithm.step(state, requireTime(now), cost);
    return { result: decision, next, expiresAt };
  };
  const countsOne = countsCost(1);

  function consume(key: string, cost = 1): Promise<Decision> {
    const step = cost === 1 ? countsOne : countsCost(cost);
    if (!store.updateSync) return store.update(key, step, readClock());
    try {
      return resolved(store.updateSync(key, step, readClock()));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async function refund(key: string, cost = 1): Promise<boolean> {
    const isRefunded = await store.update(
      key,
      (state: S | undefined, now) => {
        requirePositive("cost", cost);
        const back = state && algorithm.refund?.(state, requireTime(now), cost);
        return back === undefined ? { result: false } : { result: true, ...back };
      },
      readClock(),
    );
    waiting.wake(key);
    return isRefunded;
  }

  async function wait(key: string, waitSettings: WaitSettings): Promise<Decision> {
    requireKnown("wait", waitSettings, ["cost", "maxWaitMs", "signal"]);
    const { cost = 1, maxWaitMs, signal } = waitSettings;
    if (!(maxWaitMs >= 0)) throw new RangeError(`maxWaitMs must be 0 or more, but is ${maxWaitMs}`);
    // A cost that it cannot count must not stand in the queue.
    algorithm.step(undefined, 0, cost);
    signal?.throwIfAborted();
    const check = { policy, key, counts: key };
    const waited = waiting.wait<Decision>({
      cost,
      maxWaitMs,
      signal,
      joins: check,
      checks: () => [check],
      async attempt({ waitableMs, refusal }) {
        if (refusal) return { done: refusal.decision, allowed: false };
        const decision = await consume(key, cost);
        const waits = !decision.allowed && isWaitable(decision, waitableMs);
        return waits ? { refusal: { ...check, decision } } : { done: decision, allowed: decision.allowed };
      },
      forecast: (_, queuedCosts) =>
        store.update(
          key,
          (state: S | undefined, now) => ({
            result: forecastOf(algorithm, state, requireTime(now), queuedCosts, cost),
          }),
          readClock(),
        ),
    });
    try {
      return await unlessAborted(waited, signal);
    } catch (error) {
      // An attempt in progress may still be counted.
      waited.then(({ allowed }) => allowed && refund(key, cost)).catch(() => undefined);
      throw error;
    }
  }

  return {
    consume,

    peek(key: string, cost = 1): Promise<Decision> {
      return store.update(
        key,
        (state: S | undefined, now) => ({ result: peekAt(algorithm, state, requireTime(now), cost) }),
        readClock(),
      );
    },

    refund,

    wait,

    async reset(key: string): Promise<void> {
      await store.update(
        key,
        // Also one that has expired: the clock may run back.
        (_: unknown, now) => ({ result: undefined, next: null, expiresAt: now }),
        readClock(),
      );
      waiting.wake(key);
    },
  };
}

/**
 * A resolved promise of a decision.
 * `Promise.resolve` looks up `then` on its value. Reading a property first lets V8 know the value's shape and skip
 * that, a twelfth of a decision in memory.
 */
function resolved(decision: Decision): Promise<Decision> {
  void decision.allowed;
  return Promise.resolve(decision);
}
