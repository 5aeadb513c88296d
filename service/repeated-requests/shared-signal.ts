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
    join(signal: AbortSignal | undefined): void {
      asking += 1;
      if (signal?.aborted) leave();
      else signal?.addEventListener("abort", leave, { once: true, signal: ended.signal });
    },
    /** There is nothing more to give up. */
    end: () => ended.abort(),
  };
}
