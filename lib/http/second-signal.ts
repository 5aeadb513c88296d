/** How long one Ctrl-C may take to arrive twice: from the terminal, and from npm. */
const sameSignalMs = 300;

/**
 * Whether a signal is a second one, and not the first passed on.
 * Both times in milliseconds of one clock.
 */
export function isSecondSignal(firstAt: number, at: number): boolean {
  return at - firstAt >= sameSignalMs;
}
