/** Work that is done again and again in the background of a process. */

/**
 * Runs `round` every `everyMs` from now on, never twice at once.
 *
 * This keeps no process from ending. `report` gets the failures, and the next round is another try. Returns a function
 * that ends it and resolves when the last round is over.
 */
export function startPeriodicTask(
  round: () => Promise<unknown>,
  report: (error: unknown) => void,
  { everyMs }: { everyMs: number },
): () => Promise<void> {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= round()
      .then(() => undefined, report)
      .finally(() => {
        running = undefined;
      });
  }, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
