/**
 * Sends an outbox's entries, in the background of each node.
 *
 * An item is claimed in a transaction, sent, and finished in another. A process that dies in between loses nothing: when
 * its claim expires, a node sends it again. So delivery is at least once.
 */
import { startPeriodicTask } from "../../db/periodic-task.ts";

export interface Outbox<Item> {
  /** Whether an item is due; locks nothing. */
  isDue: (now: number) => Promise<boolean>;
  /** Claims the item that is due for the longest time. Called in a transaction. */
  claim: (now: number, claimedUntil: number) => Promise<Item | undefined>;
  /**
   * Sends an item and notes the result.
   * Resolves to false when the others must wait for the next round.
   */
  send: (item: Item) => Promise<boolean>;
  transaction: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** The time that all nodes share, in milliseconds. */
  clock: () => number;
  /** How long an item stays claimed: longer than sending it can take. */
  claimMs: number;
}

const roundsEveryMs = 1_000;

/**
 * Sends the items that are due, in order, until `isStopping` returns true.
 * `current` is called for each item: null ends it, as when mail is turned off.
 */
export async function dispatchDue<Item>(
  current: () => Outbox<Item> | null,
  isStopping: () => boolean = () => false,
): Promise<void> {
  while (!isStopping()) {
    const outbox = current();
    if (!outbox || !(await outbox.isDue(outbox.clock()))) return;
    const { claim, send, transaction, clock, claimMs } = outbox;
    const item = await transaction(() => {
      const now = clock();
      return claim(now, now + claimMs);
    });
    if (!item || !(await send(item))) return;
  }
}

/**
 * Sends in the background from now on, at most `atOnce` items at a time.
 * Returns a function that ends it after the current ones.
 */
export function startDispatching<Item>(
  current: () => Outbox<Item> | null,
  report: (error: unknown) => void,
  { everyMs = roundsEveryMs, atOnce = 1 } = {},
): () => Promise<void> {
  let isStopping = false;
  const stops = Array.from({ length: atOnce }, () =>
    startPeriodicTask(() => dispatchDue(current, () => isStopping), report, { everyMs }),
  );
  return async () => {
    isStopping = true;
    await Promise.all(stops.map((stop) => stop()));
  };
}
