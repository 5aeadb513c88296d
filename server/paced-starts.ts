/**
 * Spreads the starts of simultaneous requests over turns of the event loop.
 *
 * The framework works on a request without a pause until it waits for something. Hundreds of requests would keep the
 * thread for as long as they take together, and no other request would be read meanwhile.
 */
// Next.js replaces the global setImmediate, and delays its callbacks while it renders.
import { setImmediate } from "node:timers";

/** The longest time that starts may take in one turn of the event loop. */
const turnMs = 10;

/** Creates a function that resolves when the caller may start, in call order. */
export function createPacedStarts(clock: () => number = () => performance.now()): () => Promise<void> {
  const waiting: (() => void)[] = [];
  /** The first start of this turn of the event loop. */
  let turnBeganAt: number | undefined;

  /** Ends the turn, and begins the next with one waiting request, if any. */
  function endTurn(): void {
    const next = waiting.shift();
    turnBeganAt = undefined;
    if (!next) return;
    beginTurn();
    next();
  }

  function beginTurn(): void {
    turnBeganAt = clock();
    setImmediate(endTurn);
  }

  return async () => {
    if (turnBeganAt === undefined) beginTurn();
    else if (waiting.length > 0 || clock() - turnBeganAt >= turnMs)
      await new Promise<void>((resolve) => void waiting.push(resolve));
  };
}
