/** The limits on new accounts: of an address, its networks, and the whole site. */
import { createHmac } from "node:crypto";
import type { Database } from "../../db/index.ts";
import { widestNetworkOf } from "../http/client-address.ts";
import { addressChecks } from "../limits/address-limit.ts";
import type { Limit, Limits } from "../limits/index.ts";
import type { SubjectCheck } from "../limits/types.ts";
import { dayMs } from "../time/units.ts";

/** The number of accounts from which on the site's limit grows with it. */
const smallSite = 1_000;

/** The checks of a registration from a counted address. */
export function registrationChecks(limits: Limits, address: string): SubjectCheck[] {
  const own = {
    address: limits["register.address"],
    network: limits["register.network"],
    wideNetwork: limits["register.wide-network"],
  };
  return addressChecks(own, address);
}

/** How long a network is known after the day (UTC) on which it made an account. */
const knownMs = 7 * dayMs;

/** The most days for which a network that made an account is known. */
export const networkKnownDays = (dayMs + knownMs) / dayMs;

/**
 * The checks of the site's limits for a new account.
 * `accounts` is about how many the site has.
 */
export async function siteChecks(
  { limits, limiterStates }: { limits: Limits } & Pick<Database, "limiterStates">,
  { address, secret, accounts, now }: { address: string; secret: string; accounts: number; now: number },
): Promise<SubjectCheck[]> {
  const growth = Math.max(1, accounts / smallSite);
  const check = (name: "register.site" | "register.known-networks"): SubjectCheck => [
    limits[name].map((policy) => grown(policy, growth)),
    "all",
  ];
  const [known] = await limiterStates.load([knownKey(address, secret)], now);
  return known === undefined
    ? [check("register.site")]
    : [check("register.known-networks"), check("register.site")];
}

/**
 * Records that an account was made from an address's network.
 * For a week after the day; the moment is not kept.
 */
export function recordNetwork(
  { limiterStates }: Pick<Database, "limiterStates">,
  address: string,
  secret: string,
  now: number,
): Promise<void> {
  const day = Math.floor(now / dayMs) * dayMs;
  const known = { key: knownKey(address, secret), state: 1, expiresAt: day + dayMs + knownMs };
  // The row's own time depends on the time of saving, too.
  return limiterStates.save([known], day);
}

/** The key of an address's widest known network. */
function knownKey(address: string, secret: string): string {
  return `known-network:${networkHash("known", widestNetworkOf(address), secret)}`;
}

/**
 * A network's keyed hash, in place of its address.
 * Hashes for different uses cannot be compared.
 */
export function networkHash(use: "known" | "pending", network: string, secret: string): string {
  return createHmac("sha256", secret).update(`${use}:${network}`).digest("hex").slice(0, 16);
}

/**
 * A policy with a limit that is larger by a factor.
 * Where the algorithm cannot scale so far, by at least half of the largest factor that it allows.
 */
function grown(policy: Limit, factor: number): Limit {
  for (let share = factor; share > 1; share /= 2)
    try {
      return { ...policy, algorithm: policy.algorithm.scale(share) };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  return policy;
}
