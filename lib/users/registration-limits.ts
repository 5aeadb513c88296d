/** The limits on new accounts: of an address, of the networks around it, and of the whole site. */
import { networksOf } from "../http/client-address.ts";
import type { Limits, Policy } from "../limits/index.ts";
import type { Check } from "../limits/types.ts";

/** The number of accounts from which on the site's limit grows with it. */
const smallSite = 1_000;

/** What to check for a registration from a counted address. */
export function addressChecks(limits: Limits, address: string): Check[] {
  const { network, wideNetwork } = networksOf(address);
  const checks: Check[] = [[limits["register.address"], address]];
  if (network) checks.push([limits["register.network"], network]);
  if (wideNetwork) checks.push([limits["register.wide-network"], wideNetwork]);
  return checks;
}

/** What to check for a new account on a site with about so many accounts. */
export function siteChecks(limits: Limits, accounts: number): Check[] {
  const growth = Math.max(1, accounts / smallSite);
  return [[limits["register.site"].map((policy) => grown(policy, growth)), "all"]];
}

/** A policy with a limit that is larger by a factor; as large as the algorithm allows. */
function grown(policy: Policy, factor: number): Policy {
  if (factor === 1) return policy;
  try {
    return { ...policy, algorithm: policy.algorithm.scale(factor) };
  } catch (error) {
    if (error instanceof RangeError) return policy;
    throw error;
  }
}
