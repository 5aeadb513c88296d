/**
 * Where a request came from, as limits count it.
 *
 * The framework hands no socket to its handlers and fills in `X-Forwarded-For` only when the client has not, so
 * what it says of addresses can be made up. The front door (`front-door.ts`) sees the socket: it writes the
 * address into a header of our own before the framework sees the request. A seal made anew by each process stands
 * before the address, so that a header which did not come from there is worth nothing.
 */
import { isIP, isIPv4 } from "node:net";

export const clientAddressHeader = "x-weir-client-address";

/** All requests of unknown origin count as one. */
const unknown = "unknown";

// Kept on the global object: the framework loads this module more than once in a process.
const kept: { weirAddressSeal?: string } & typeof globalThis = globalThis;

/** The address that the front door has seen; "unknown" when the request did not come through it. */
export function clientAddress(headers: Pick<Headers, "get">): string {
  const value = headers.get(clientAddressHeader);
  return value?.startsWith(seal()) ? value.slice(seal().length) : unknown;
}

/** Whether a request has come through the front door, whatever else it says. */
export function isSealed(headers: Pick<Headers, "get">): boolean {
  return headers.get(clientAddressHeader)?.startsWith(seal()) ?? false;
}

/** The value of our header for an address. */
export function sealedAddress(address: string): string {
  return seal() + address;
}

/**
 * The client's address, given the socket's and what proxies have written.
 *
 * Each trusted proxy has put the address that it saw at the end of `X-Forwarded-For`, so the one to believe
 * stands `trustedHops` from the right; all further left may be the client's invention. A shorter list means that
 * fewer proxies were passed. What is no address there is passed over for the next nearer one.
 */
export function addressBehind(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedHops: number,
): string {
  const forwarded = trustedHops > 0 ? (forwardedFor ?? "").split(",").slice(-trustedHops) : [];
  for (const candidate of [...forwarded, socketAddress ?? ""]) {
    const address = countedAddress(candidate);
    if (address) return address;
  }
  return unknown;
}

/**
 * An address as limits count it: IPv4 as it is, also when written as IPv6; IPv6 as its /64, since that is what one
 * subscriber is given. Undefined when the text is no address. A port behind it is left out.
 */
export function countedAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(trimmed)?.[1];
  const withoutPort = bracketed ?? /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(trimmed)?.[1] ?? trimmed;
  const address = withoutPort.replace(/%.*$/, "");
  if (isIPv4(address)) return address;
  if (isIP(address) !== 6) return undefined;
  const groups = groupsOf(address);
  const [a, b, c, d, e, f, g = 0, h = 0] = groups;
  const isMapped = a === 0 && b === 0 && c === 0 && d === 0 && e === 0 && f === 0xffff;
  if (isMapped) return [g >> 8, g & 0xff, h >> 8, h & 0xff].join(".");
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  // The last 32 bits may be written as IPv4.
  const hexadecimal = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [first = 0, second = 0, third = 0, fourth = 0] = bytes.slice(0, 4).map(Number);
    return `${((first << 8) | second).toString(16)}:${((third << 8) | fourth).toString(16)}`;
  });
  const [head = [], tail = []] = hexadecimal
    .split("::")
    .map((half) => (half === "" ? [] : half.split(":").map((group) => Number.parseInt(group, 16))));
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
}

function seal(): string {
  kept.weirAddressSeal ??= `${crypto.randomUUID()} `;
  return kept.weirAddressSeal;
}
