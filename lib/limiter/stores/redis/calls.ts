/** Calls of the script that end in time even if the client and the server hang. */
import type { RedisClient } from "./client.ts";
import { type Deadlines, Due } from "./deadlines.ts";
import { readReply, type ScriptReply, script, scriptSha1 } from "./script.ts";

/**
 * Redis has not decided.
 * It was not reached, refused, or did not answer in time, which it may not because other processes were faster each
 * time. `cause` is the client's error, if there was one.
 */
export class RedisStoreError extends Error {
  override name = "RedisStoreError";
}

/** The receiver of a call's outcome: one of the two, once. */
export type Caller = { answered(reply: ScriptReply): void; failed(error: RedisStoreError): void };

const triedAgainAfterMs = 1_000;

export class RedisCalls {
  readonly #client: RedisClient;
  readonly #deadlines: Deadlines;
  #started = 0;
  #newestEnded = 0;
  #openUntil: number | undefined;

  constructor(client: RedisClient, deadlines: Deadlines) {
    this.#client = client;
    this.#deadlines = deadlines;
  }

  /**
   * @throws the client's exceptions, instead of reporting them to the caller
   */
  start(keys: readonly string[], values: readonly string[], caller: Caller): void {
    const answer = this.#client.evalsha(scriptSha1, keys.length, ...keys, ...values);
    this.#started += 1;
    const call = new RedisCall(this, this.#started, caller);
    this.#deadlines.add(call);
    answer.then(call.answered, (error: unknown) => {
      const isUnknown = error instanceof Error && error.message.startsWith("NOSCRIPT");
      if (!isUnknown || call.isOver()) return call.failed(error);
      return this.#client.eval(script, keys.length, ...keys, ...values).then(call.answered, call.failed);
    });
  }

  /**
   * The circuit breaker: whether calls are refused at present (open).
   * It opens when a call gets no answer in time, and closes when any call is answered or the client gives up. It is
   * open for a second at most; then a single call tests the server (half-open).
   */
  isOpen(): boolean {
    if (this.#openUntil === undefined) return false;
    const now = performance.now();
    if (now < this.#openUntil) return true;
    this.#openUntil = now + triedAgainAfterMs;
    return false;
  }

  ended(call: RedisCall): void {
    this.#deadlines.remove(call);
    this.#newestEnded = Math.max(this.#newestEnded, call.number);
    this.#openUntil = undefined;
  }

  overdue(call: RedisCall): void {
    // A later one has ended: with a cluster, only this key's server hangs.
    if (call.number < this.#newestEnded) return;
    this.#openUntil = performance.now() + triedAgainAfterMs;
  }
}

class RedisCall extends Due {
  readonly number: number;
  readonly #calls: RedisCalls;
  #caller: Caller | undefined;

  constructor(calls: RedisCalls, number: number, caller: Caller) {
    super();
    this.number = number;
    this.#calls = calls;
    this.#caller = caller;
  }

  isOver(): boolean {
    return this.#caller === undefined;
  }

  readonly answered = (answer: unknown): void => {
    this.#calls.ended(this);
    let reply: ScriptReply;
    try {
      reply = readReply(answer);
    } catch (error) {
      this.#fail("Redis answered something else", error);
      return;
    }
    this.#leave()?.answered(reply);
  };

  readonly failed = (error: unknown): void => {
    this.#calls.ended(this);
    this.#fail(`Redis failed: ${error instanceof Error ? error.message : String(error)}`, error);
  };

  override expire(afterMs: number): void {
    this.#calls.overdue(this);
    this.#fail(`Redis has not answered within ${afterMs} ms`);
  }

  #fail(message: string, cause?: unknown): void {
    this.#leave()?.failed(new RedisStoreError(message, { cause }));
  }

  /** The caller, unless it has its outcome already. */
  #leave(): Caller | undefined {
    const caller = this.#caller;
    this.#caller = undefined;
    return caller;
  }
}
