// Over 200 lines: the steps of one batch share its state.

import type { Caller, RedisCalls, RedisStoreError } from "./calls.ts";
import type { Deadlines } from "./deadlines.ts";
import { type AnyPendingUpdate, type Key, runSteps } from "./pending-update.ts";
import { encodeValue, nothing, type Saved, type ScriptReply } from "./script.ts";
import type { ServerClock } from "./server-clock.ts";

/** The common settings of all batches of a store. */
type BatchSettings = {
  calls: RedisCalls;
  server: ServerClock;
  deadlines: Deadlines;
  nextTag: () => string;
  /** Calls `start` at the end of this turn, so that concurrent updates share a call. */
  startSoon: (batch: Batch) => void;
  onRetry: () => void;
};

/** Beyond this many attempts, a batch leaves contention marks on its keys. */
const attemptsWithoutMark = 2;
// Callers that wait lose some of their calls to each other.
const callsForEach = 4;
/** The longest pause of a winner, as a share of the time that an update may take. */
const longestPause = 1 / 4;
// Redis deletes a state so much after it has expired: processes that bring their own time do not agree on it.
const deletedAfterMs = 2_000;

/**
 * Adds an update to the next batch of its keys.
 * Batches of several keys become one.
 */
export function enqueue(update: AnyPendingUpdate<Batch>, settings: BatchSettings): void {
  settings.deadlines.add(update);
  let batch: Batch | undefined;
  for (const { waiting } of update.keys)
    if (waiting !== undefined) batch = batch === undefined ? waiting : batch.merge(waiting);
  batch ??= new Batch(settings);
  batch.add(update);
}

/**
 * The decisions on one or more keys.
 * One call for all updates that were waiting when it was created. Of batches that share a key, one is in flight at a
 * time, so that updates of one process never conflict.
 *
 * Of several processes, one wins each round and the others retry at once with the states that it saved: a process that
 * backed off would lose to the next one. The winner backs off instead, for about as long as the waiting ones should
 * take: so all get their turn.
 */
export class Batch implements Caller {
  readonly #settings: BatchSettings;
  #keys: Key<Batch>[] = [];
  #updates: AnyPendingUpdate<Batch>[] = [];
  /** How many of its keys are in a call of another batch. */
  #blockedKeys = 0;
  #isStarting = false;
  #attempts = 0;
  #calledAt = 0;

  constructor(settings: BatchSettings) {
    this.#settings = settings;
  }

  add(update: AnyPendingUpdate<Batch>): void {
    this.#updates.push(update);
    for (const key of update.keys) {
      if (key.waiting === this) continue;
      key.waiting = this;
      this.#keys.push(key);
      if (key.running !== undefined) this.#blockedKeys += 1;
    }
    this.#startIfFree();
  }

  /** Merges two batches into the larger one, and returns it. */
  merge(other: Batch): Batch {
    if (other === this) return this;
    if (other.#keys.length > this.#keys.length) return other.merge(this);
    for (const key of other.#keys) key.waiting = this;
    for (const key of other.#keys) this.#keys.push(key);
    for (const update of other.#updates) this.#updates.push(update);
    this.#blockedKeys += other.#blockedKeys;
    other.#clear();
    return this;
  }

  #clear(): void {
    this.#keys = [];
    this.#updates = [];
    this.#blockedKeys = 0;
  }

  #startIfFree(): void {
    if (this.#blockedKeys > 0 || this.#isStarting) return;
    this.#isStarting = true;
    this.#settings.startSoon(this);
  }

  start(): void {
    this.#isStarting = false;
    if (this.#blockedKeys > 0) return;
    for (const key of this.#keys) key.waiting = undefined;
    this.#dropSettled();
    if (this.#updates.length === 0) return;
    for (const key of this.#keys) key.running = this;
    this.#attempt();
  }

  #dropSettled(): void {
    if (!this.#updates.every(isOpen)) this.#updates = this.#updates.filter(isOpen);
  }

  #attempt(): void {
    this.#attempts += 1;
    this.#calledAt = performance.now();
    try {
      const names = this.#keys.map(({ name }) => name);
      this.#settings.calls.start(names, this.#scriptArguments(), this);
    } catch (error) {
      this.#end((update) => update.fail(error));
    }
  }

  #scriptArguments(): string[] {
    const now = this.#settings.server.now();
    // Far too late for anything to be saved, but the answer brings the time.
    if (now === undefined) return ["0", "", ...this.#keys.flatMap(({ seen }) => [seen.tag, "keep", ""])];
    if (this.#attempts === 1) this.#dropExpired(this.#updates[0]?.callersNow ?? now);
    runSteps(this.#keys, this.#updates, now);
    const mark = this.#attempts > attemptsWithoutMark ? "!" : "";
    const values = [String(Math.floor(now)), mark];
    for (const key of this.#keys) values.push(key.seen.tag, ...this.#changeOf(key));
    return values;
  }

  #changeOf(key: Key<Batch>): [value: string, lifetime: string] {
    const { draft, changedAt } = key;
    if (changedAt === undefined) {
      key.seenIfSaved = key.seen;
      return ["keep", ""];
    }
    if (draft === undefined) {
      key.seenIfSaved = nothing;
      return ["", ""];
    }
    key.seenIfSaved = { tag: this.#settings.nextTag(), saved: draft };
    return [encodeValue(key.seenIfSaved.tag, draft), lifetime(draft, changedAt)];
  }

  /**
   * Drops the cached values that Redis has most likely deleted by now.
   * If it has not, one more call is needed.
   */
  #dropExpired(now: number): void {
    for (const key of this.#keys) {
      const { saved } = key.seen;
      if (saved !== undefined && now >= saved.expiresAt + deletedAfterMs) key.seen = nothing;
    }
  }

  answered({ serverMs, waiting, seen }: ScriptReply): void {
    this.#settings.server.answered(serverMs);
    if (seen === undefined) {
      for (const key of this.#keys) key.seen = key.seenIfSaved;
      this.#end((update) => update.resolve(), waiting);
      return;
    }
    for (const [index, key] of this.#keys.entries()) key.seen = seen[index] ?? key.seen;
    this.#dropSettled();
    if (this.#updates.length === 0) {
      this.#release();
      return;
    }
    this.#settings.onRetry();
    this.#attempt();
  }

  failed(error: RedisStoreError): void {
    // Updates that arrived meanwhile would only wait for the same calls.
    for (const { waiting } of this.#keys) waiting?.abandon(error);
    this.#end((update) => update.fail(error));
  }

  /** Fails the updates that have not been started. */
  abandon(error: RedisStoreError): void {
    for (const key of this.#keys) key.waiting = undefined;
    this.#settle((update) => update.fail(error));
    this.#clear();
  }

  #settle(settle: (update: AnyPendingUpdate<Batch>) => void): void {
    for (const update of this.#updates) {
      this.#settings.deadlines.remove(update);
      settle(update);
    }
  }

  #end(settle: (update: AnyPendingUpdate<Batch>) => void, waitingElsewhere = 0): void {
    this.#settle(settle);
    if (waitingElsewhere === 0) {
      this.#release();
      return;
    }
    const callMs = performance.now() - this.#calledAt;
    const longestPauseMs = this.#settings.deadlines.afterMs * longestPause;
    setTimeout(() => this.#release(), Math.min(callsForEach * waitingElsewhere * callMs, longestPauseMs));
  }

  /** Lets the batches start that wait for its keys. */
  #release(): void {
    for (const key of this.#keys) {
      key.running = undefined;
      const { waiting } = key;
      if (waiting === undefined) continue;
      waiting.#blockedKeys -= 1;
      waiting.#startIfFree();
    }
  }
}

const isOpen = ({ isSettled }: AnyPendingUpdate<Batch>) => !isSettled;

function lifetime({ expiresAt }: Saved, now: number): string {
  const ms = Math.ceil(expiresAt - now) + deletedAfterMs;
  return Number.isSafeInteger(ms) ? String(ms) : "";
}
