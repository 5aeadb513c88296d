/** Updates that wait for their decision, and the states after their steps. */
import type { ManyStep, ManyUpdate } from "../../types.ts";
import { withResolvers } from "../../with-resolvers.ts";
import { RedisStoreError } from "./calls.ts";
import { Due } from "./deadlines.ts";
import { nothing, type Saved, type Seen } from "./script.ts";

/** A key of the store, as this process knows it, with its batches. */
export class Key<Batch> {
  readonly name: string;
  /** The value when a call was last answered. */
  seen: Seen = nothing;
  /** The value if the running call saves. */
  seenIfSaved: Seen = nothing;
  /** The running batch's state so far, and when it was changed. */
  draft: Saved | undefined;
  changedAt: number | undefined;
  /** The batch whose call is in flight, and the next batch. */
  running: Batch | undefined;
  waiting: Batch | undefined;

  constructor(name: string) {
    this.name = name;
  }
}

/** A pending update of any types. */
export type AnyPendingUpdate<Batch> = Due &
  Pick<
    PendingUpdate<unknown, unknown, Batch>,
    "keys" | "callersNow" | "isSettled" | "run" | "resolve" | "fail"
  >;

export class PendingUpdate<S, R, Batch> extends Due {
  readonly keys: readonly Key<Batch>[];
  readonly promise: Promise<R>;
  readonly callersNow: number | undefined;
  /** Whether its promise is settled: then it counts no more. */
  isSettled = false;
  readonly #step: ManyStep<S, R>;
  readonly #resolve: (result: R) => void;
  readonly #reject: (error: unknown) => void;
  #outcome: ManyUpdate<S, R> | undefined;
  #thrown: unknown;

  constructor(keys: readonly Key<Batch>[], step: ManyStep<S, R>, callersNow: number | undefined) {
    super();
    const { promise, resolve, reject } = withResolvers<R>();
    this.keys = keys;
    this.promise = promise;
    this.callersNow = callersNow;
    this.#step = step;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Runs the step and keeps its outcome. A step that throws changes nothing. */
  run(states: readonly unknown[], now: number): ManyUpdate<S, R>["changes"] {
    try {
      // The one cast here: that the states saved under these keys are an S, only the caller can know.
      this.#outcome = this.#step(states as readonly (S | undefined)[], now);
      return this.#outcome.changes;
    } catch (error) {
      this.#outcome = undefined;
      this.#thrown = error;
      return [];
    }
  }

  resolve(): void {
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

/** Runs the steps one after the other, each on the drafts of the previous one. */
export function runSteps<Batch>(
  keys: readonly Key<Batch>[],
  updates: readonly AnyPendingUpdate<Batch>[],
  serverNow: number,
): void {
  for (const key of keys) {
    key.draft = key.seen.saved;
    key.changedAt = undefined;
  }
  for (const update of updates) {
    const { keys, callersNow } = update;
    const now = callersNow ?? keys.reduce((latest, key) => Math.max(latest, timeOf(key, serverNow)), 0);
    const states = keys.map(({ draft }) =>
      draft !== undefined && draft.expiresAt > now ? draft.state : undefined,
    );
    const changes = update.run(states, now);
    for (const [index, key] of keys.entries()) {
      const { next, expiresAt = Number.POSITIVE_INFINITY } = changes[index] ?? {};
      if (next === undefined) continue;
      key.draft = expiresAt <= now ? undefined : { state: next, writtenAt: now, expiresAt };
      key.changedAt = now;
    }
  }
}

const clockSetBackMs = 1_000;

/**
 * The time of a key: the server's, but not before the key's last write.
 *
 * Every process estimates the server's time a little differently, and a clock that jumps back and forth may leak a bucket
 * twice. A last write that is a second ahead was made before the server's clock was set back, which could take any time to
 * catch up: then the time goes back after all.
 */
function timeOf({ draft }: Key<unknown>, serverNow: number): number {
  const now = Math.floor(serverNow);
  if (draft === undefined || draft.writtenAt >= now + clockSetBackMs) return now;
  return Math.max(now, draft.writtenAt);
}
