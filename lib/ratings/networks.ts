/**
 * Keyed hashes of raters' networks.
 * By these, ratings from one network on one day are recognised.
 */
import { createHmac } from "node:crypto";
import { derivedKey } from "../auth/token.ts";
import { networksOf } from "../http/client-address.ts";
import { dayMs } from "../time/units.ts";

/**
 * The keyed hash of an address's network on the day of `now` (milliseconds).
 * Null for an unknown address.
 */
export type NetworkHasher = (address: string, now: number) => string | null;

/**
 * Hashes the /24 of an IPv4 address or the /56 of an IPv6 address.
 * The key is derived from the secret and the UTC day, so a network's hash differs from day to day, and without the
 * secret a hash leads to no address.
 */
export function dailyNetworkHasher(secret: () => string): NetworkHasher {
  let known: { day: number; key: Buffer } | undefined;
  return (address, now) => {
    const { network } = networksOf(address);
    if (network === undefined) return null;
    const day = Math.floor(now / dayMs);
    if (known?.day !== day) known = { day, key: derivedKey(secret(), `networks of raters ${day}`) };
    return createHmac("sha256", known.key).update(network).digest("base64url").slice(0, 12);
  };
}
