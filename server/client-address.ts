/**
 * The address of a request's client.
 * It comes from the socket and the headers of trusted proxies.
 */
import { countedAddress } from "../lib/http/client-address.ts";
import { unknownAddress } from "../lib/request/current-request.ts";

/**
 * The client's address, as limits count it.
 *
 * Each trusted proxy appends the address it saw to `X-Forwarded-For`, so the entry to believe is `trustedHops` from
 * the right; everything further left may be made up by the client. A shorter list means that fewer proxies were
 * passed. An entry that is not an address is skipped in favour of the next nearer one.
 */
export function addressBehind(
  connectionAddress: string,
  forwardedFor: string | undefined,
  trustedHops: number,
): string {
  const forwarded = trustedHops > 0 ? (forwardedFor ?? "").split(",").slice(-trustedHops) : [];
  for (const candidate of forwarded) {
    const address = countedAddress(candidate);
    if (address) return address;
  }
  return connectionAddress || unknownAddress;
}
