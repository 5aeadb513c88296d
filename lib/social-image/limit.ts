/** The limit on images that are drawn for one address. */
import { networksOf } from "../http/client-address.ts";
import { checkLimits } from "../limits/check-limits.ts";
import type { Limits } from "../limits/index.ts";
import type { Guard, SubjectCheck } from "../limits/types.ts";

/**
 * Counts one image for an address at `now` (milliseconds).
 * Resolves to whether it may be drawn.
 */
export async function mayDrawFor(
  { guard, limits }: { guard: Guard; limits: Limits },
  { address, now }: { address: string; now: number },
): Promise<boolean> {
  const { wideNetwork } = networksOf(address);
  const checks: SubjectCheck[] = [[limits["image.address"], address]];
  if (wideNetwork) checks.push([limits["image.wide-network"], wideNetwork]);
  return (await checkLimits(guard, { client: { address }, checks, now })).kind === "allowed";
}
