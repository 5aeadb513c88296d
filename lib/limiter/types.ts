/**
 * The words of the limiter library.
 *
 * Time is an argument, in whole milliseconds since any fixed instant. A denial is a value, a failure is an
 * error, and a cost that can never fit is a third thing: a denial with `reason.neverFits`.
 */

/** Why a leaky bucket decided as it did. `level` is in requests, before this request was added. */
export type LeakyBucketReason = {
  algorithm: "leaky-bucket";
  neverFits: false;
  level: number;
  capacity: number;
  leakPerSecond: number;
};

/** Why the gap detector decided as it did. All gaps are milliseconds per request. */
export type EmaReason = {
  algorithm: "ema";
  neverFits: false;
  /** How many deviations the recent gaps lie below the usual ones; refused above `threshold`. */
  z: number;
  threshold: number;
  /** The usual gap, μ. */
  meanGapMs: number;
  /** How far a single gap usually strays from μ, σ. */
  deviationMs: number;
  /** The fast average of the newest gaps, this request's included. */
  recentGapMs: number;
  /** The smallest value of `recentGapMs` that passes, and so the gap that passes again and again. 0 while learning. */
  leastGapMs: number;
  /** True while too few gaps are known: nothing is refused yet. */
  learning: boolean;
};

/** A cost above what the limit can ever hold: waiting does not help. */
export type NeverFitsReason = {
  algorithm: string;
  neverFits: true;
  cost: number;
  limit: number;
  /** The time that the limit is given for: how long it takes from used up to all there again. */
  windowMs: number;
};

/** Why, as data; a person's sentence is made from it elsewhere. Look at `neverFits` first, then at `algorithm`. */
export type Reason = LeakyBucketReason | EmaReason | NeverFitsReason;

/** What a limiter answers. Plain JSON data. */
export type Decision = {
  allowed: boolean;
  /** The most that passes at one instant; null when the algorithm has no such number. */
  limit: number | null;
  /** How many requests of cost 1 would still pass at this instant; null when the algorithm cannot say. */
  remaining: number | null;
  /** Until the first instant at which the same request would pass, if nothing else arrives. 0 when allowed, and 0 when `reason.neverFits`. */
  retryAfterMs: number;
  /** Until the state is as if nothing had happened. */
  resetAfterMs: number;
  reason: Reason;
};

/** What one step of an algorithm yields. Without `next` there is nothing to save. */
export type Step<S> = {
  decision: Decision;
  next?: S | undefined;
  /** From this instant on `next` says nothing any more and may be deleted. */
  expiresAt?: number | undefined;
};

/**
 * A pure function of (state, now, cost). A program with a synchronous store of its own calls `step` inside
 * its transaction and saves `next`.
 *
 * States are plain JSON data: a few numbers. Stores validate nothing, so a state may be of an older version or
 * of another algorithm; `step` takes a state that it does not recognise for none.
 */
export interface Algorithm<S> {
  readonly name: string;
  readonly limit: number | null;
  /** @throws RangeError when `cost` is not a positive, finite number. */
  step(state: S | undefined, now: number, cost: number): Step<S>;
}

/** What a store's caller gives back: the answer, and the state to save with it. Without `next` nothing is saved. */
export type Update<S, R> = {
  result: R;
  next?: S | undefined;
  /** The instant from which the state is gone. Left out: kept for good. Not after `now`: deleted at once. */
  expiresAt?: number | undefined;
};

/** Where states live. Knows nothing of algorithms. */
export interface Store {
  /**
   * Reads the state of `key`, runs `step` on it, and saves what it yields, as one indivisible act.
   *
   * `step` is synchronous and pure: a store that detects conflicts may run it again. When it throws, nothing is
   * saved and the promise rejects with what it threw. `now` is the caller's time; left out, the store's own
   * clock is read. It is handed to `step`, and expiry goes by it.
   */
  update<S, R>(
    key: string,
    step: (state: S | undefined, now: number) => Update<S, R>,
    now?: number,
  ): Promise<R>;
}

/** Reads the time: milliseconds, of which the whole part counts. */
export type Clock = () => number;

/** An algorithm upon a store. Every method rejects when the store fails, or when `cost` is not a positive number. */
export interface Limiter {
  /** Decides on a request, and counts it when it is allowed. `cost` is 1 unless told. */
  consume(key: string, cost?: number): Promise<Decision>;
  /** What `consume` would answer now. Changes nothing. */
  peek(key: string, cost?: number): Promise<Decision>;
  /** Forgets all about a key. */
  reset(key: string): Promise<void>;
}
