/**
 * A signal that aborts when the signals of all callers have.
 * A caller without a signal never gives up.
 */
export function sharedSignal() {
  const giveUp = new AbortController();
  const ended = new AbortController();
  let callers = 0;
  const leave = () => {
    callers -= 1;
    if (callers === 0) giveUp.abort();
  };
  return {
    signal: giveUp.signal,
    /** Adds a caller. False when all have given up: then the signal has aborted. */
    join(signal: AbortSignal | undefined): boolean {
      if (giveUp.signal.aborted) return false;
      callers += 1;
      if (signal?.aborted) leave();
      else signal?.addEventListener("abort", leave, { once: true, signal: ended.signal });
      return true;
    },
    /** Stops listening to all callers. */
    end: () => ended.abort(),
  };
}
