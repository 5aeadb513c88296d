/** The limits on new accounts: of an address, of the networks around it, and of the whole site. */
import { createHmac } from "node:crypto";
import type { Database } from "../../db/index.ts";
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

/** How long a network is known after it has made an account. */
const knownMs = 7 * 86_400_000;

/** What to check for a new account from a counted address, on a site with about so many accounts. */
export async function siteChecks(
  { limits, limiterStates }: { limits: Limits } & Pick<Database, "limiterStates">,
  { address, secret, accounts, now }: { address: string; secret: string; accounts: number; now: number },
): Promise<Check[]> {
  const growth = Math.max(1, accounts / smallSite);
  const check = (name: "register.site" | "register.known-networks"): Check => [
    limits[name].map((policy) => grown(policy, growth)),
    "all",
  ];
  const [known] = await limiterStates.load([knownKey(address, secret)], now);
  return known === undefined
    ? [check("register.site")]
    : [check("register.known-networks"), check("register.site")];
}

/** Remembers for a week that an account was made from an address's network. */
export function rememberNetwork(
  { limiterStates }: Pick<Database, "limiterStates">,
  address: string,
  secret: string,
  now: number,
): Promise<void> {
  return limiterStates.save([{ key: knownKey(address, secret), state: 1, expiresAt: now + knownMs }], now);
}

/** The widest network that is counted; an address of which none is known is a network of its own. */
function knownKey(address: string, secret: string): string {
  const { network, wideNetwork } = networksOf(address);
  return `known-network:${hashedNetwork(wideNetwork ?? network ?? address, secret)}`;
}

/** A network's keyed hash, in place of its address. */
export function hashedNetwork(network: string, secret: string): string {
  return createHmac("sha256", secret).update(network).digest("hex").slice(0, 16);
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
