/** What can be too late: a link in the chain of those that still have time. */
export abstract class Due {
  dueAt = 0;
  earlier: Due = this;
  later: Due = this;

  /** Called once the deadline has passed, which was so many milliseconds after `add`. */
  abstract expire(afterMs: number): void;
}

/** Belongs to nothing; stands between the latest deadline (its `earlier`) and the next one (its `later`). */
class Ends extends Due {
  override expire(): void {}
}

/** No timer is more exact; so what was begun together also ends together. */
const togetherMs = 1;

/**
 * One timer for all that may take equally long.
 *
 * When this process was held up, answers that have arrived meanwhile are read before anything expires.
 */
export class Deadlines {
  readonly #afterMs: number;
  readonly #ends = new Ends();
  #armed = false;

  constructor(afterMs: number) {
    this.#afterMs = afterMs;
  }

  add(item: Due): void {
    item.dueAt = performance.now() + this.#afterMs;
    item.later = this.#ends;
    item.earlier = this.#ends.earlier;
    item.earlier.later = item;
    this.#ends.earlier = item;
    if (!this.#armed) this.#arm();
  }

  /** Does nothing when it is not there (any more). */
  remove(item: Due): void {
    item.earlier.later = item.later;
    item.later.earlier = item.earlier;
    item.earlier = item;
    item.later = item;
  }

  #arm(): void {
    this.#armed = true;
    const waitMs = Math.max(0, this.#ends.later.dueAt - performance.now());
    // The connection keeps the process running as long as somebody waits.
    setTimeout(() => setImmediate(() => this.#expire()), waitMs).unref();
  }

  #expire(): void {
    this.#armed = false;
    const now = performance.now();
    for (let next = this.#ends.later; next !== this.#ends; next = this.#ends.later) {
      if (next.dueAt > now + togetherMs) {
        this.#arm();
        return;
      }
      this.remove(next);
      next.expire(this.#afterMs);
    }
  }
}
