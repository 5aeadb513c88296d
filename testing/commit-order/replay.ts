/** Executes a journal, one transaction after the other. */
import type { Database } from "../../db/index.ts";
import { scoringDefaults } from "../../lib/ratings/tally/tally.ts";
import { removeSome } from "../../lib/removals/index.ts";
import { type Entry, replaying } from "./journal.ts";
import { execute } from "./operations.ts";

/** Throws at the first transaction that does not read and save the same as then. */
export async function replay(plain: Database, journal: readonly Entry[], seed: number): Promise<void> {
  const { database, during } = replaying(plain);
  const begun = new Set<string>();
  for (const entry of journal) {
    const { id, operation, steps } = entry;
    // A second transaction of an operation only reads; without a post that is due, the replay makes none.
    if (begun.has(id) && steps.length === 0) continue;
    if (operation.kind === "catch up" && isEmpty(steps[0]?.value)) continue;
    begun.add(id);
    await during(entry, () =>
      operation.kind === "prune" ? pruned(database, entry) : execute(database, operation, seed),
    );
  }
  // A post's removal may have taken other rows first, and have one left.
  while (await removeSome({ database: plain, scoring: scoringDefaults }, 0));
}

/** Each batch of a round of pruning is an entry by itself. */
async function pruned({ transaction, attempts, limiterStates }: Database, { steps }: Entry): Promise<void> {
  for (const { name, value } of steps) {
    const [values] = Array.isArray(value) ? value : [];
    const [first, second, third] = Array.isArray(values) ? values : [];
    await transaction<unknown>(() => {
      switch (name) {
        case "removeBefore":
          return attempts.removeBefore(first, second, third ?? undefined);
        case "removeCountsBefore":
          return attempts.removeCountsBefore(first, second, third);
        default:
          return limiterStates.removeExpired(first, second);
      }
    });
  }
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
