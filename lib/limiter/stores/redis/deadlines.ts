/** An entry with a deadline: a node of the linked list of pending entries. */
export abstract class Due {
  dueAt = 0;
  earlier: Due = this;
  later: Due = this;

  /**
   * Called once the deadline has passed, with the milliseconds since `add`.
   * May be added again.
   */
  abstract expire(afterMs: number): void;
}

/** The ring's sentinel, between the latest deadline and the next. */
class Ends extends Due {
  override expire(): void {}
}

/** No timer is more exact; so calls begun together also end together. */
const togetherMs = 1;

/** A timer that is later than this was blocked by other work of this process. */
const blockedFromMs = 5;

/**
 * One timer for all entries with the same timeout.
 *
 * Time in which this process was blocked does not count: it could read no reply. Replies that have arrived
 * meanwhile are read before any entry expires.
 */
export class Deadlines {
  readonly afterMs: number;
  readonly #ends = new Ends();
  #armed = false;
  #blockedMs = 0;

  constructor(afterMs: number) {
    this.afterMs = afterMs;
  }

  add(item: Due): void {
    item.dueAt = this.#now() + this.afterMs;
    item.later = this.#ends;
    item.earlier = this.#ends.earlier;
    item.earlier.later = item;
    this.#ends.earlier = item;
    if (!this.#armed) this.#arm();
  }

  /** Does nothing for an entry that is not in the list. */
  remove(item: Due): void {
    item.earlier.later = item.later;
    item.later.earlier = item.earlier;
    item.earlier = item;
    item.later = item;
  }

  /** The clock without blocked time, in milliseconds. */
  #now(): number {
    return performance.now() - this.#blockedMs;
  }

  #arm(): void {
    this.#armed = true;
    const waitMs = Math.max(1, this.#ends.later.dueAt - this.#now());
    const firesAt = performance.now() + waitMs;
    const fire = () => {
      const lateMs = performance.now() - firesAt;
      if (lateMs > blockedFromMs) this.#blockedMs += lateMs;
      setImmediate(() => this.#expire());
    };
    // The connection keeps the process running as long as a call is pending.
    setTimeout(fire, waitMs).unref();
  }

  #expire(): void {
    const now = this.#now();
    for (let next = this.#ends.later; next !== this.#ends; next = this.#ends.later) {
      if (next.dueAt > now + togetherMs) {
        this.#arm();
        return;
      }
      this.remove(next);
      next.expire(this.afterMs);
    }
    this.#armed = false;
  }
}
