import { type Caller, type RedisCalls, RedisStoreError } from "./calls.ts";
import type { Deadlines } from "./deadlines.ts";
import { encodeValue, nothing, type Reply, type Saved, type Seen } from "./script.ts";
import type { ServerClock } from "./server-clock.ts";
import { runSteps, type Waiting } from "./waiting-update.ts";

/** What all lanes of a store share. */
export type LaneSettings = {
  calls: RedisCalls;
  server: ServerClock;
  deadlines: Deadlines;
  nextTag: () => string;
  /** Calls `start` when all that is due now has been done, so that those who ask at the same time are part of the same call. */
  startSoon: (lane: Lane) => void;
  onRetry: () => void;
};

const mostAttempts = 200;
const attemptsBeforePlea = 2;
// Those who wait lose some of their calls to each other.
const callsForEach = 4;
const longestPauseMs = 20;
// Redis deletes a state so much after it has expired: processes that bring their own time do not agree on it.
const deletedAfterMs = 2_000;

/**
 * The decisions for one key: one call at a time, for all that were waiting when it was made.
 *
 * Of several processes, one wins each round and the others try again with what it saved; they do so at once, for whoever paused would lose to the next who
 * comes. It is the winner who pauses, for as long as those who wait should take: then all get their turn.
 */
export class Lane implements Caller {
  readonly #key: string;
  readonly #settings: LaneSettings;
  #isBusy = false;
  #next: Waiting[] = [];
  #inCall: Waiting[] = [];
  #attempts = 0;
  #calledAt = 0;
  #seen: Seen = nothing;
  #seenIfSaved: Seen = nothing;

  constructor(key: string, settings: LaneSettings) {
    this.#key = key;
    this.#settings = settings;
  }

  add(update: Waiting): void {
    this.#settings.deadlines.add(update);
    this.#next.push(update);
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#settings.startSoon(this);
  }

  start(): void {
    this.#inCall = this.#next.every(isOpen) ? this.#next : this.#next.filter(isOpen);
    this.#next = [];
    this.#attempts = 0;
    this.#isBusy = this.#inCall.length > 0;
    if (this.#isBusy) this.#attempt();
  }

  #attempt(): void {
    this.#attempts += 1;
    this.#calledAt = performance.now();
    try {
      this.#settings.calls.start(this.#key, this.#scriptArguments(), this);
    } catch (error) {
      this.#end((update) => update.fail(error));
    }
  }

  #scriptArguments(): string[] {
    const now = this.#settings.server.now();
    // Far too late for anything to be saved, but the answer brings the time.
    if (now === undefined) return [this.#seen.tag, "0", "keep"];
    if (this.#attempts === 1) this.#forgetWhatIsGone(this.#inCall[0]?.toldNow ?? now);
    const values = [this.#seen.tag, String(Math.floor(now)), ...this.#whatToSave(now)];
    if (this.#attempts > attemptsBeforePlea) values.push("!");
    return values;
  }

  /** Runs the steps. */
  #whatToSave(now: number): [value: string, timeToLive: string] {
    const { saved, changedAt } = runSteps(this.#inCall, this.#seen.saved, now);
    if (changedAt === undefined) {
      this.#seenIfSaved = this.#seen;
      return ["keep", ""];
    }
    if (saved === undefined) {
      this.#seenIfSaved = nothing;
      return ["", ""];
    }
    this.#seenIfSaved = { tag: this.#settings.nextTag(), saved };
    return [encodeValue(this.#seenIfSaved.tag, saved), timeToLive(saved, changedAt)];
  }

  /** What Redis has most likely deleted by now; if it has not, that is one call more. */
  #forgetWhatIsGone(now: number): void {
    const { saved } = this.#seen;
    if (saved !== undefined && now >= saved.expiresAt + deletedAfterMs) this.#seen = nothing;
  }

  answered({ serverMs, waiting, seen }: Reply): void {
    this.#settings.server.answered(serverMs);
    if (seen === undefined) {
      this.#seen = this.#seenIfSaved;
      this.#end((update) => update.answer(), waiting);
      return;
    }
    this.#seen = seen;
    this.#inCall = this.#inCall.filter(isOpen);
    if (this.#inCall.length > 0 && this.#attempts < mostAttempts) {
      this.#settings.onRetry();
      this.#attempt();
      return;
    }
    const error = new RedisStoreError(
      `Redis was asked ${mostAttempts} times, and others were faster each time`,
    );
    this.#end((update) => update.fail(error));
  }

  failed(error: RedisStoreError): void {
    // What came meanwhile would only wait for the same.
    this.#inCall.push(...this.#next);
    this.#next = [];
    this.#end((update) => update.fail(error));
  }

  #end(tell: (update: Waiting) => void, waitingElsewhere = 0): void {
    for (const update of this.#inCall) {
      this.#settings.deadlines.remove(update);
      tell(update);
    }
    this.#inCall = [];
    const { startSoon } = this.#settings;
    if (waitingElsewhere === 0) {
      startSoon(this);
      return;
    }
    const callMs = performance.now() - this.#calledAt;
    setTimeout(() => startSoon(this), Math.min(callsForEach * waitingElsewhere * callMs, longestPauseMs));
  }
}

const isOpen = ({ isSettled }: Waiting) => !isSettled;

function timeToLive({ expiresAt }: Saved, now: number): string {
  const ms = Math.ceil(expiresAt - now) + deletedAfterMs;
  return Number.isSafeInteger(ms) ? String(ms) : "";
}
