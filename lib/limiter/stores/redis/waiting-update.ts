/** Updates whose decision is to come, and what their steps make of a state. */
import type { Update } from "../../types.ts";
import { RedisStoreError } from "./calls.ts";
import { Due } from "./deadlines.ts";
import type { Saved } from "./script.ts";

type Step<S, R> = (state: S | undefined, now: number) => Update<S, R>;

/** What a step wants saved. */
type Change = { next?: unknown; expiresAt?: number | undefined };

/** One that waits, of whatever types. */
export type Waiting = Due &
  Pick<WaitingUpdate<unknown, unknown>, "toldNow" | "isSettled" | "run" | "answer" | "fail">;

export class WaitingUpdate<S, R> extends Due {
  readonly promise: Promise<R>;
  readonly toldNow: number | undefined;
  /** Whether its caller has an answer or a failure: then it counts no more. */
  isSettled = false;
  readonly #step: Step<S, R>;
  readonly #resolve: (result: R) => void;
  readonly #reject: (error: unknown) => void;
  #outcome: Update<S, R> | undefined;
  #thrown: unknown;

  constructor(step: Step<S, R>, toldNow: number | undefined) {
    super();
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    this.promise = promise;
    this.toldNow = toldNow;
    this.#step = step;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Runs the step and keeps its outcome, for the caller if this was the last time. A step that throws changes nothing. */
  run(state: unknown, now: number): Change {
    try {
      // The one cast here: that the state saved under a key is an S, only the caller of `update` can know.
      this.#outcome = this.#step(state as S | undefined, now);
      return this.#outcome;
    } catch (error) {
      this.#outcome = undefined;
      this.#thrown = error;
      return {};
    }
  }

  answer(): void {
    this.isSettled = true;
    if (this.#outcome === undefined) this.#reject(this.#thrown);
    else this.#resolve(this.#outcome.result);
  }

  fail(error: unknown): void {
    this.isSettled = true;
    this.#reject(error);
  }

  override expire(afterMs: number): void {
    this.fail(new RedisStoreError(`Redis has not decided within ${afterMs} ms`));
  }
}

/** What steps leave behind: a state or none, and when it was changed; undefined when it is as it was. */
export type Left = { saved: Saved | undefined; changedAt: number | undefined };

/** Runs the steps one after the other, each on what the one before it left. */
export function runSteps(updates: readonly Waiting[], found: Saved | undefined, serverNow: number): Left {
  let saved = found;
  let changedAt: number | undefined;
  for (const update of updates) {
    const now = update.toldNow ?? timeOfKey(serverNow, saved);
    const state = saved !== undefined && saved.expiresAt > now ? saved.state : undefined;
    const { next, expiresAt = Number.POSITIVE_INFINITY } = update.run(state, now);
    if (next === undefined) continue;
    saved = expiresAt <= now ? undefined : { state: next, writtenAt: now, expiresAt };
    changedAt = now;
  }
  return { saved, changedAt };
}

const clockSetBackMs = 1_000;

/**
 * Every process estimates the server's time a little differently, and a clock that goes to and fro may leak a bucket twice. So the time of a key
 * stands still rather than go back behind its last write. A write that is a second ahead was made before the server's clock was set
 * back, which could take any time to catch up: then it goes back after all.
 */
function timeOfKey(serverNow: number, saved: Saved | undefined): number {
  const now = Math.floor(serverNow);
  if (saved === undefined || saved.writtenAt >= now + clockSetBackMs) return now;
  return Math.max(now, saved.writtenAt);
}
