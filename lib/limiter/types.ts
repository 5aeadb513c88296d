/**
 * The types of the limiter library.
 *
 * Time is an argument, in whole milliseconds since any fixed instant. A denial is a value, a failure is an
 * error, and a cost that can never fit is a third thing: a denial with `reason.neverFits`.
 */
import type { LimitReason, Reason } from "./reasons.ts";

/** A limiter's answer, as plain JSON data. */
export type Decision<R extends LimitReason = LimitReason> = {
  allowed: boolean;
  /** The most that passes at one instant; null when the algorithm has no such number. */
  limit: number | null;
  /**
   * How many requests of cost 1 would still pass at this instant.
   * This request is subtracted when it is counted; a `peek` counts nothing, so its number is all that are free. Null
   * when the algorithm does not know it.
   */
  remaining: number | null;
  /**
   * Time until the same request would pass, if no other arrives.
   * 0 when allowed or `reason.neverFits`.
   */
  retryAfterMs: number;
  /** Until the state is as if nothing had happened. */
  resetAfterMs: number;
  reason: Reason<R>;
};

/** The state to save for a key. Without `next` it stays as it is. */
export type StateChange<S> = {
  next?: S | undefined;
  /**
   * The instant from which the state is gone.
   * Left out: kept for good. Not after now: deleted at once.
   */
  expiresAt?: number | undefined;
};

/** The result of one step of an algorithm. */
export type Step<S, R extends LimitReason = LimitReason> = StateChange<S> & { decision: Decision<R> };

/** A state after a refund, or after counting a grant of another process. */
export type NextState<S> = { next: S; expiresAt: number };

/**
 * A pure function of (state, now, cost).
 * A program with a synchronous store of its own calls `step` inside its transaction and saves `next`.
 *
 * States are plain JSON data: a few numbers. Stores validate nothing, so a state may be of an older version or
 * of another algorithm; `step` takes a state that it does not recognise for none.
 */
export interface Algorithm<S, R extends LimitReason = LimitReason> {
  readonly name: string;
  readonly limit: number | null;
  /** @throws RangeError when `cost` is not a positive, finite number. */
  step(state: S | undefined, now: number, cost: number): Step<S, R>;
  /**
   * As the decision of `step`, with the quota that is free before the request.
   * Left out where a step with a cost above `limit` has the same result.
   */
  peek?(state: S | undefined, now: number, cost: number): Decision<R>;
  /**
   * Refunds up to `cost` of the newest count.
   * Never leaves more than an untouched state has. Undefined when nothing can be refunded. Left out by an algorithm
   * that cannot refund.
   *
   * @throws RangeError when `cost` is not a positive, finite number.
   */
  refund?(state: S, now: number, cost: number): NextState<S> | undefined;
  /**
   * Counts a grant of another process at `grantedAt`, even beyond the limit.
   * Nothing passes here until the excess is made up for. Undefined when it was granted in a window that has ended.
   * Granted later than now is granted now. Left out where processes cannot share the limit by reporting grants.
   *
   * @throws RangeError when `cost` is not a positive, finite number.
   */
  count?(state: S | undefined, now: number, cost: number, grantedAt: number): NextState<S> | undefined;
  /**
   * The same limit times `share`, its rate too.
   * `share` is below 1 for one of several processes that cannot reach the shared states (at least one request then
   * passes), and above 1 for a limit that has grown. An algorithm without a limit scales only its floor.
   *
   * @throws RangeError when `share` is not finite and above 0, or the result is too small or too large to count
   */
  scale(share: number): Algorithm<S, R>;
}

/** The result of a step over one state, with the state to save. */
export type Update<S, R> = StateChange<S> & { result: R };

/**
 * The result of a step over several states.
 * `changes` are in the order of the keys; states left out are not saved.
 */
export type ManyUpdate<S, R> = { result: R; changes: readonly (StateChange<S> | undefined)[] };

/** A step over several states, at a time in milliseconds. */
export type ManyStep<S, R> = (states: readonly (S | undefined)[], now: number) => ManyUpdate<S, R>;

/** Where states live. Knows nothing of algorithms. */
export interface Store {
  /**
   * Reads the state of `key`, runs `step` on it and saves the result, atomically.
   *
   * `step` is synchronous and pure: a store that detects conflicts may run it again. When it throws, nothing is saved
   * and the promise rejects with the same error. `now` is the caller's time; left out, the store's own clock is read.
   * It is passed to `step`, and expiry goes by it.
   */
  update<S, R>(
    key: string,
    step: (state: S | undefined, now: number) => Update<S, R>,
    now?: number,
  ): Promise<R>;
  /**
   * Updates several states at once.
   * One step decides on all of them, and all that it yields is saved or nothing. No other update of any of the keys
   * comes in between. There is at least one key, and no key is repeated.
   */
  updateMany<S, R>(keys: readonly string[], step: ManyStep<S, R>, now?: number): Promise<R>;
  /**
   * As `update`, synchronously.
   * Only stores in this process's memory have it: a promise takes longer than such an update. Throws the errors of `step`.
   */
  updateSync?<S, R>(key: string, step: (state: S | undefined, now: number) => Update<S, R>, now?: number): R;
}

/** Reads the time: milliseconds, of which the whole part counts. */
export type Clock = () => number;

/** Resolves after this many milliseconds; rejects as soon as the signal aborts. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

export type WaitSettings = {
  /** Default: 1. */
  cost?: number;
  /** The longest wait that is worth it, in milliseconds; 0 never waits. */
  maxWaitMs: number;
  /** Ends the wait: it rejects with the signal's reason, and nothing is counted. */
  signal?: AbortSignal;
};

/**
 * An algorithm on a store.
 * Every method rejects when the store fails, or when `cost` is not a positive number.
 *
 * `D` is the decision's type: a `Decision`, or more where a service decides.
 */
export interface Limiter<D = Decision> {
  /** Decides on a request, and counts it when it is allowed. Default cost: 1. */
  consume(key: string, cost?: number): Promise<D>;
  /**
   * Whether `consume` would allow it now, and how much is free now.
   * Changes nothing: an untouched bucket of 5 has 5 remaining.
   */
  peek(key: string, cost?: number): Promise<D>;
  /**
   * Refunds the count of a `consume`, e.g. because the guarded work failed.
   * True when a cost was refunded; false, and nothing is changed, when the key has nothing counted or the algorithm
   * cannot unlearn (ema).
   */
  refund(key: string, cost?: number): Promise<boolean>;
  /**
   * `consume`, and when it would be refused for at most `maxWaitMs`, only then.
   * Requests that wait for one key in this process queue in order of arrival, and a wait counts those ahead. A
   * longer wait is refused at once, with that time as `retryAfterMs`. `consume` passes the queue,
   * and a request that it allows may turn a wait into a refusal after all.
   */
  wait(key: string, settings: WaitSettings): Promise<D>;
  /** Forgets a key. */
  reset(key: string): Promise<void>;
}
