/** A Ctrl-C comes from the terminal and again from npm. */
const sameSignalMs = 300;

/**
 * Whether a signal is a second one, and not the first passed on.
 * By the milliseconds of one clock.
 */
export function isSecondSignal(firstAt: number, at: number): boolean {
  return at - firstAt >= sameSignalMs;
}
