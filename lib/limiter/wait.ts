// Over 200 lines: the steps of one wait share its queue, its forecast and its timer.

/**
 * Waits until a request is allowed.
 * It waits in the queue of the policy that refuses, in order of arrival, for at most the request's longest wait. Each
 * process has its own queues.
 */
import type { Checked, PolicyCheck } from "./decide.ts";
import { endAfter, type QueueEnd, type QueueForecast } from "./forecast.ts";
import { KeyQueue } from "./key-queue.ts";
import { machineSleep, unlessAborted } from "./sleep.ts";
import type { Decision, Sleep } from "./types.ts";

/** Decided, or refused by a policy that would allow the request soon enough. */
type AttemptResult<C extends PolicyCheck, T> = { done: T; allowed: boolean } | { refusal: Checked<C> };

/** How long the request may still wait, or the refusal that it ends with. */
type AttemptSettings<C extends PolicyCheck> =
  | { waitableMs: number; refusal?: undefined }
  | { refusal: Checked<C>; waitableMs?: undefined };

/** How one request is decided. */
interface DecisionStrategy<C extends PolicyCheck, T> {
  /**
   * The checks whose queues the request respects.
   * Behind requests that wait for one of them it waits as well.
   */
  checks(): readonly C[] | Promise<readonly C[]>;
  /**
   * Decides the request once.
   * A refusal that would pass within `waitableMs` is not final; one that is passed in is.
   */
  attempt(settings: AttemptSettings<C>): Promise<AttemptResult<C, T>>;
  /** Undefined when it cannot be known: then the request is decided at once. */
  forecast(check: C, queuedCosts: readonly number[]): Promise<QueueForecast | undefined>;
}

interface WaitingRequest<C extends PolicyCheck, T> extends DecisionStrategy<C, T> {
  cost: number;
  maxWaitMs: number;
  /**
   * The key whose queue the request joins before its first attempt.
   * Strictly in order of arrival, one attempt at a time.
   */
  joins?: C;
  /**
   * Ends the wait and refuses the request.
   * The rest of the wait is its retry time.
   */
  signal?: AbortSignal | undefined;
}

export interface WaitingSettings {
  sleep?: Sleep;
  /** Milliseconds that only go forward. */
  clock?: () => number;
  /** The most requests that may wait, in all and for one key; more are refused. */
  maxWaiting?: number;
  maxWaitingPerKey?: number;
}

interface Waiting<C extends PolicyCheck> {
  wait<T>(request: WaitingRequest<C, T>): Promise<T>;
  /**
   * Makes the first request in a key's queue try again.
   * The forecast of the queue is discarded.
   */
  wake(key: string): void;
  wakeAll(): void;
  /** The number of waiting requests. */
  count(): number;
}

/**
 * The forecast of how long a queue takes.
 * Computing it takes a step for each request in the queue, so it is kept for a second, and extended by one step for
 * each that joins: a long queue delays no other request.
 */
interface KnownQueue {
  /** Of all in the queue: in the store's time, and the same instant by `clock`. */
  end: QueueEnd<unknown>;
  endsAt: number;
  decision: Decision;
  /** In the time of `clock`. */
  madeAt: number;
}
const forecastLastsMs = 1_000;

/** A margin for a request that passes at the end of its wait: timers are unordered. */
const graceMs = 20;

/** Decided now, however short a wait would be. */
const noWait = Number.NEGATIVE_INFINITY;

export function createWaiting<C extends PolicyCheck>({
  sleep = machineSleep,
  clock = () => performance.now(),
  maxWaiting = 10_000,
  maxWaitingPerKey = 1_000,
}: WaitingSettings = {}): Waiting<C> {
  const queues = new KeyQueue();
  const known = new Map<string, KnownQueue>();
  /**
   * Wakes the first of each queue.
   * Set before its attempt, so that no wake between that and its sleep is lost.
   */
  const wakings = new Map<string, AbortController>();
  let waiting = 0;

  /** An interruptible sleep: ends early when `waking` aborts. */
  async function interruptibleSleep(ms: number, waking: AbortSignal, signal: AbortSignal): Promise<void> {
    if (waking.aborted) return;
    try {
      await sleep(ms, AbortSignal.any([signal, waking]));
    } catch (error) {
      if (signal.aborted || !waking.aborted) throw error;
    }
  }

  function isWaitedFor({ key }: C): boolean {
    return queues.length(key) > 0;
  }

  function wake(key: string): void {
    known.delete(key);
    wakings.get(key)?.abort();
  }

  async function wait<T>(request: WaitingRequest<C, T>): Promise<T> {
    const { cost, maxWaitMs, signal } = request;
    const startedAt = clock();
    const leftMs = () => maxWaitMs - Math.floor(clock() - startedAt);
    /**
     * The state of a request that gives up.
     * The known refusal, and the attempt or refusal in progress, which decides.
     */
    let latest: { refusal: Checked<C>; at: number } | undefined;
    let inProgress: Promise<AttemptResult<C, T>> | undefined;

    function attempt(waitableMs: number): Promise<AttemptResult<C, T>> {
      inProgress = request.attempt({ waitableMs });
      return inProgress;
    }

    function refuse(refusal: Checked<C>): Promise<AttemptResult<C, T>> {
      inProgress = request.attempt({ refusal });
      return inProgress;
    }

    /** Waits in a policy's queue until decided, or until another policy refuses. */
    async function inQueue(check: C): Promise<AttemptResult<C, T>> {
      const { key } = check;
      if (waiting >= maxWaiting || queues.length(key) >= maxWaitingPerKey) return refuseBehind(check);
      waiting += 1;
      const place = queues.join(key, cost);
      let stands = false;
      let passed = false;
      let waking: AbortController | undefined;
      // The requests ahead may stay longer than forecast, when other processes take the quota that they wait for.
      const late = new AbortController();
      const ended = new AbortController();
      sleep(Math.max(0, leftMs()) + graceMs, ended.signal).then(
        () => late.abort(),
        () => {},
      );
      const giveUp = signal ? AbortSignal.any([signal, late.signal]) : late.signal;

      /** The request's result, or how long it waits for the next attempt. */
      type Progress = { result: AttemptResult<C, T> } | { waitMs: number };
      async function advance(): Promise<Progress> {
        giveUp.throwIfAborted();
        const queuedCosts = place.queuedCosts();
        const progress = queuedCosts.length === 0 ? await attemptFirst() : await forecastBehind(queuedCosts);
        if ("result" in progress) place.leave();
        return progress;
      }

      async function attemptFirst(): Promise<Progress> {
        waking = new AbortController();
        wakings.set(key, waking);
        const result = await attempt(leftMs());
        if ("done" in result) return { result };
        latest = { refusal: result.refusal, at: clock() };
        const staysFirst = result.refusal.key === key;
        stands ||= staysFirst;
        return staysFirst ? { waitMs: result.refusal.decision.retryAfterMs } : { result };
      }

      async function forecastBehind(queuedCosts: readonly number[]): Promise<Progress> {
        const found = await knownQueue(check, queuedCosts);
        giveUp.throwIfAborted();
        // Without a forecast the policies' outage settings decide.
        if (!found) return { result: await attempt(noWait) };
        if ("refused" in found) return { result: await refuse({ ...check, decision: found.refused }) };
        const { end, endsAt, decision } = found;
        const { algorithm } = check.policy;
        const own = endAfter(algorithm, end, cost);
        if (!own) {
          const { decision: refused } = algorithm.step(end.state, end.at, cost);
          return { result: await refuse({ ...check, decision: refused }) };
        }
        const passesAt = endsAt + (own.at - end.at);
        const waitMs = Math.max(0, Math.ceil(passesAt - clock()));
        const refusal = { ...check, decision: { ...decision, retryAfterMs: waitMs } };
        latest = { refusal, at: clock() };
        stands = waitMs <= leftMs();
        known.set(key, stands ? { ...found, end: own, endsAt: passesAt } : found);
        return stands ? { waitMs } : { result: await refuse(refusal) };
      }

      try {
        for (;;) {
          const progress = await unlessAborted(place.inOrder(advance), giveUp);
          if ("result" in progress) {
            passed = "done" in progress.result && progress.result.allowed;
            return progress.result;
          }
          if (waking) await interruptibleSleep(progress.waitMs, waking.signal, giveUp);
          else await unlessAborted(place.turn, giveUp);
        }
      } catch (error) {
        if (!giveUp.aborted) throw error;
      } finally {
        place.leave();
        ended.abort();
        if (waking && wakings.get(key) === waking) wakings.delete(key);
        waiting -= 1;
        // A request that was expected to pass and leaves otherwise makes the queue shorter.
        if (queues.length(key) === 0 || (stands && !passed)) known.delete(key);
      }
      return givenUp(check);
    }

    /**
     * Forecasts the queue as it is.
     * A refusal when its end can never be reached; undefined when unknown.
     */
    async function knownQueue(
      check: C,
      queuedCosts: readonly number[],
    ): Promise<KnownQueue | { refused: Decision } | undefined> {
      const found = known.get(check.key);
      if (found && clock() - found.madeAt < forecastLastsMs) return found;
      const forecast = await request.forecast(check, queuedCosts);
      if (!forecast?.ahead) return forecast && { refused: forecast.decision };
      const { end, now } = forecast.ahead;
      const madeAt = clock();
      return { end, endsAt: madeAt + (end.at - now), decision: forecast.decision, madeAt };
    }

    /** Refuses a request that cannot join the queue, with the time that it takes. */
    async function refuseBehind(check: C): Promise<AttemptResult<C, T>> {
      const found = await knownQueue(check, queues.queuedCosts(check.key));
      if (!found) return attempt(noWait);
      if ("refused" in found) return refuse({ ...check, decision: found.refused });
      const own = endAfter(check.policy.algorithm, found.end, cost) ?? found.end;
      const waitMs = found.endsAt + (own.at - found.end.at) - clock();
      const retryAfterMs = Math.max(1, Math.ceil(waitMs));
      return refuse({ ...check, decision: { ...found.decision, allowed: false, retryAfterMs } });
    }

    /** Refuses a request that gives up, unless its last attempt has decided. */
    async function givenUp(check: C): Promise<AttemptResult<C, T>> {
      const result = await inProgress;
      if (result && "done" in result) return result;
      if (!latest) return refuseBehind(check);
      const { refusal, at } = latest;
      const retryAfterMs = Math.max(1, Math.ceil(refusal.decision.retryAfterMs - (clock() - at)));
      return refuse({ ...refusal, decision: { ...refusal.decision, retryAfterMs } });
    }

    // Behind those that wait already for one of the policies.
    let next = request.joins ?? (maxWaitMs > 0 ? (await request.checks()).find(isWaitedFor) : undefined);
    for (;;) {
      const result = await (next ? inQueue(next) : attempt(leftMs()));
      if ("done" in result) return result.done;
      latest = { refusal: result.refusal, at: clock() };
      next = result.refusal;
    }
  }

  return {
    wait,
    wake,
    wakeAll() {
      for (const key of new Set([...known.keys(), ...wakings.keys()])) wake(key);
    },
    count: () => waiting,
  };
}
