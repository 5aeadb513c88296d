/** The limit on the lab's computations for one address. */
import type { Limits } from "../limits/index.ts";
import type { Guard, Refused } from "../limits/types.ts";

export interface LabContext {
  guard: Guard;
  limits: Limits;
}

/**
 * Counts one comparison for an address at `now` (milliseconds).
 * Resolves to the reason when it is refused.
 */
export function labRefusal(
  { guard, limits }: LabContext,
  { address, username, now }: { address: string; username?: string | undefined; now: number },
): Promise<Refused | undefined> {
  return guard.run({
    client: { address, ...(username !== undefined && { username }) },
    now,
    plan: async () => ({
      checks: [[limits["lab.address"], address]],
      execute: async ({ refused }) => refused,
    }),
  });
}
