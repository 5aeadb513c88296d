/** A second try for work that a loaded machine puts off. */
import { setTimeout as sleep } from "node:timers/promises";

const betweenTriesMs = 500;

/**
 * Repeats work until it is not busy.
 * Ends when `forMs` have passed since the first busy answer.
 */
export async function retryWhileBusy<Outcome>(
  work: () => Promise<Outcome>,
  { isBusy, forMs }: { isBusy: (outcome: Outcome) => boolean; forMs: number },
): Promise<Outcome> {
  let outcome = await work();
  const giveUpAt = performance.now() + forMs;
  while (isBusy(outcome) && performance.now() < giveUpAt) {
    await sleep(betweenTriesMs);
    outcome = await work();
  }
  return outcome;
}
