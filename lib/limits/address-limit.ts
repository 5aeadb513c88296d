/** Limits by a client's address and its networks. */
import { networksOf } from "../http/client-address.ts";
import { checkLimits } from "./check-limits.ts";
import type { Limit, Limits } from "./index.ts";
import type { Guard, Refused, SubjectCheck } from "./types.ts";

interface AddressLimitContext {
  guard: Guard;
  limits: Limits;
}

interface AddressLimits {
  address: readonly Limit[];
  /** Of its /24 of IPv4 or /56 of IPv6. */
  network?: readonly Limit[];
  /** Of its /48 of IPv6. */
  wideNetwork?: readonly Limit[];
}

/** The checks of a counted address and its networks, where these have limits. */
export function addressChecks(limits: AddressLimits, address: string): SubjectCheck[] {
  const { network, wideNetwork } = networksOf(address);
  const checks: SubjectCheck[] = [[limits.address, address]];
  if (limits.network && network) checks.push([limits.network, network]);
  if (limits.wideNetwork && wideNetwork) checks.push([limits.wideNetwork, wideNetwork]);
  return checks;
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
  const own = { address: limits[`${work}.address`], wideNetwork: limits[`${work}.wide-network`] };
  const checks = addressChecks(own, address);
  const client = { address, ...(username !== undefined && { username }) };
  const checked = await checkLimits(guard, { client, checks, now });
  return checked.kind === "allowed" ? undefined : checked;
}
