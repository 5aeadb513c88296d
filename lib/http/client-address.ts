/** Client addresses, as limits count them. */
import { isIP, isIPv4 } from "node:net";

/**
 * An address as limits count it; undefined when the text is not an address.
 *
 * IPv4 stays as it is, also when written as IPv6. IPv6 becomes its /64, the range of one subscriber. A port after it is
 * ignored.
 */
export function countedAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(trimmed)?.[1];
  const withoutPort = bracketed ?? /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(trimmed)?.[1] ?? trimmed;
  const address = canonicalAddress(withoutPort);
  if (address === undefined || isIPv4(address)) return address;
  return `${address.split(":").slice(0, 4).join(":")}::/64`;
}

/**
 * The one spelling of an address; undefined when the text is not an address.
 * IPv4 stays as it is, also when written as IPv6. IPv6 is its eight groups, without a zone.
 */
export function canonicalAddress(text: string): string | undefined {
  const address = text.replace(/%.*$/, "");
  if (isIPv4(address)) return address;
  if (isIP(address) !== 6) return undefined;
  const groups = groupsOf(address);
  const [a, b, c, d, e, f, g = 0, h = 0] = groups;
  const isMapped = a === 0 && b === 0 && c === 0 && d === 0 && e === 0 && f === 0xffff;
  if (isMapped) return [g >> 8, g & 0xff, h >> 8, h & 0xff].join(".");
  return groups.map((group) => group.toString(16)).join(":");
}

/**
 * The networks of a counted address, the nearest first.
 * /56 and /48 of IPv6, /24 of IPv4.
 */
export function networksOf(address: string): { network?: string; wideNetwork?: string } {
  if (isIPv4(address)) return { network: address.replace(/\d+$/, "0/24") };
  const [, start, fourth] = /^((?:[\da-f]+:){2}[\da-f]+):([\da-f]+)::\/64$/.exec(address) ?? [];
  if (start === undefined || fourth === undefined) return {};
  const network = (Number.parseInt(fourth, 16) & 0xff00).toString(16);
  return { network: `${start}:${network}::/56`, wideNetwork: `${start}::/48` };
}

/** The widest known network of a counted address; without one, the address itself. */
export function widestNetworkOf(address: string): string {
  const { network, wideNetwork } = networksOf(address);
  return wideNetwork ?? network ?? address;
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
