/** Names for the networks of raters, by which ratings from one network on one day are recognised. */
import { createHmac } from "node:crypto";
import { networksOf } from "../http/client-address.ts";

const dayMs = 86_400_000;

/** The name of an address's network at a time (milliseconds); null for an unknown address. */
export type NetworkNamer = (address: string, now: number) => string | null;

/**
 * Names the /24 of an IPv4 address or the /56 of an IPv6 address by a keyed hash. The key is made of the secret and the
 * UTC day, so a network has another name on each day, and without the secret a name leads to no address.
 */
export function networkNamer(secret: () => string): NetworkNamer {
  let known: { day: number; key: Buffer } | undefined;
  return (address, now) => {
    const { network } = networksOf(address);
    if (network === undefined) return null;
    const day = Math.floor(now / dayMs);
    if (known?.day !== day)
      known = { day, key: createHmac("sha256", secret()).update(`networks of raters ${day}`).digest() };
    return createHmac("sha256", known.key).update(network).digest("base64url").slice(0, 12);
  };
}
