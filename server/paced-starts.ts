/**
 * Spreads the starts of simultaneous requests over turns of the event loop.
 *
 * The framework works on a request without a pause until it waits for something. Hundreds of requests would keep the
 * thread for as long as they take together, and no other request would be read meanwhile. Libuv accepts one connection
 * per turn, so between turns with starts the connections that wait are accepted first.
 */
// Next.js replaces the global setImmediate, and delays its callbacks while it renders.
import { setImmediate } from "node:timers";

/** The time in one turn of the event loop after which no further request starts. */
const turnMs = 10;

/** The same while readers are answered from memory. */
const turnWithReadersMs = 4;

/** The maximum number of starts in one turn. */
const startsPerTurn = 64;

/** The maximum number of turns without starts, to accept connections. */
const acceptingTurns = 128;

interface PacedStartsOptions {
  /** The number of connections accepted so far. */
  acceptedConnections?: () => number;
  /**
   * Whether the thread answers readers from memory.
   * Such an answer takes far less time than a started request.
   */
  hasReaders?: () => boolean;
  clock?: () => number;
}

/** Creates a function that resolves when the caller may start, in call order. */
export function createPacedStarts({
  acceptedConnections = () => 0,
  hasReaders = () => false,
  clock = () => performance.now(),
}: PacedStartsOptions = {}): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let isScheduled = false;

  /**
   * Starts requests in the next turn.
   * Each has a callback of its own: promises settle between two, so a request's first work is in the time measured.
   */
  function scheduleStarts(): void {
    let beganAt: number | undefined;
    const maximumMs = hasReaders() ? turnWithReadersMs : turnMs;
    for (let left = Math.min(waiting.length, startsPerTurn) - 1; left >= 0; left -= 1)
      setImmediate(() => {
        beganAt ??= clock();
        if (clock() - beganAt < maximumMs) waiting.shift()?.();
        if (left === 0) endTurn();
      });
  }

  function endTurn(): void {
    if (waiting.length > 0) acceptConnections(acceptingTurns);
    else isScheduled = false;
  }

  /** Lets turns pass while connections are accepted, and then starts requests again. */
  function acceptConnections(turns: number): void {
    const before = acceptedConnections();
    setImmediate(() => {
      if (acceptedConnections() !== before && turns > 1) acceptConnections(turns - 1);
      else scheduleStarts();
    });
  }

  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (isScheduled) return;
      isScheduled = true;
      scheduleStarts();
    });
}
