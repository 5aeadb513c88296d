/** A signal that aborts when those of all who have joined have. Who joins without one never gives up. */
export function sharedSignal() {
  const giveUp = new AbortController();
  const ended = new AbortController();
  let asking = 0;
  const leave = () => {
    asking -= 1;
    if (asking === 0) giveUp.abort();
  };
  return {
    signal: giveUp.signal,
    /** False when all have left: then it has aborted, and there is nothing to join. */
    join(signal: AbortSignal | undefined): boolean {
      if (giveUp.signal.aborted) return false;
      asking += 1;
      if (signal?.aborted) leave();
      else signal?.addEventListener("abort", leave, { once: true, signal: ended.signal });
      return true;
    },
    /** There is nothing more to give up. */
    end: () => ended.abort(),
  };
}
