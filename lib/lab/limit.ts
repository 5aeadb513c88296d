/** The limit on the lab's computations for one address. */
import { networksOf } from "../http/client-address.ts";
import { checkLimits } from "../limits/check-limits.ts";
import type { Limits } from "../limits/index.ts";
import type { Guard, Refused, SubjectCheck } from "../limits/types.ts";

export interface LabContext {
  guard: Guard;
  limits: Limits;
}

/**
 * Counts one comparison for an address at `now` (milliseconds).
 * Resolves to the reason when it is refused.
 */
export async function labRefusal(
  { guard, limits }: LabContext,
  { address, username, now }: { address: string; username?: string | undefined; now: number },
): Promise<Refused | undefined> {
  const client = { address, ...(username !== undefined && { username }) };
  const { wideNetwork } = networksOf(address);
  const checks: SubjectCheck[] = [[limits["lab.address"], address]];
  if (wideNetwork) checks.push([limits["lab.wide-network"], wideNetwork]);
  const checked = await checkLimits(guard, { client, checks, now });
  return checked.kind === "allowed" ? undefined : checked;
}
