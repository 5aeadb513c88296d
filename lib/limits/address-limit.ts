/** One client's limits of costly work that any client can cause. */
import { networksOf } from "../http/client-address.ts";
import { checkLimits } from "./check-limits.ts";
import type { Limits } from "./index.ts";
import type { Guard, Refused, SubjectCheck } from "./types.ts";

interface AddressLimitContext {
  guard: Guard;
  limits: Limits;
}

/**
 * Counts one piece of work for an address and its /48 of IPv6, at `now` (ms).
 * Resolves to the reason when it is refused.
 */
export async function addressRefusal(
  { guard, limits }: AddressLimitContext,
  work: "search" | "lab" | "image",
  { address, username, now }: { address: string; username?: string | undefined; now: number },
): Promise<Refused | undefined> {
  const { wideNetwork } = networksOf(address);
  const checks: SubjectCheck[] = [[limits[`${work}.address`], address]];
  if (wideNetwork) checks.push([limits[`${work}.wide-network`], wideNetwork]);
  const client = { address, ...(username !== undefined && { username }) };
  const checked = await checkLimits(guard, { client, checks, now });
  return checked.kind === "allowed" ? undefined : checked;
}
