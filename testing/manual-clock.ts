/** Time that moves only when a test moves it. */
import type { Sleep } from "../lib/limiter/index.ts";

export function manualClock(start: number) {
  let now = start;
  const sleepers = new Set<{ wakesAt: number; wake(): void }>();
  const sleep: Sleep = (ms, signal) =>
    new Promise((resolve, reject) => {
      const sleeper = { wakesAt: now + ms, wake: resolve };
      sleepers.add(sleeper);
      signal?.addEventListener("abort", () => {
        sleepers.delete(sleeper);
        reject(signal.reason);
      });
    });
  // Promises settle in an unknown number of turns; a timer comes after all of them.
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  return {
    clock: () => now,
    sleep,
    /** The callers that sleep. */
    sleepers,
    /** Lets this many milliseconds pass, without waking a sleeper: timers may be late. */
    pass(ms: number): void {
      now += ms;
    },
    /** Lets this many milliseconds pass, and wakes the sleepers whose time has come. */
    async advance(ms: number): Promise<void> {
      await settle();
      now += ms;
      for (const sleeper of [...sleepers].filter(({ wakesAt }) => wakesAt <= now)) {
        sleepers.delete(sleeper);
        sleeper.wake();
      }
      await settle();
    },
  };
}
