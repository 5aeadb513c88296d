/** Ranges of network addresses in CIDR notation, such as 192.0.2.0/24. */
import { BlockList, isIP } from "node:net";

const family = (version: number) => (version === 4 ? "ipv4" : "ipv6");

/** IPv4 addresses as they are written in IPv6. */
const mapped = new BlockList();
mapped.addSubnet("::ffff:0:0", 96, "ipv6");

/** Parses an address or a range; undefined for any other text. */
export function parseRange(text: string) {
  const [, network = "", prefix] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(network);
  const most = version === 4 ? 32 : 128;
  const bits = Number(prefix ?? most);
  return version === 0 || bits > most ? undefined : { network, version, bits };
}

export function isAddressRange(text: string): boolean {
  return parseRange(text) !== undefined;
}

/**
 * Creates a function: whether an address is in one of the ranges.
 * An IPv4 address written as IPv6, such as ::ffff:192.0.2.1, counts as IPv4 and is in no IPv6 range. Text that is not
 * an address is in none. Throws for a malformed range.
 */
export function withinRanges(ranges: readonly string[]): (address: string) => boolean {
  const ofVersion4 = new BlockList();
  const ofVersion6 = new BlockList();
  for (const text of ranges) {
    const range = parseRange(text);
    if (!range) throw new Error(`${JSON.stringify(text)} is not a range of addresses`);
    const { network, version, bits } = range;
    const isVersion4 = version === 4 || (bits >= 96 && mapped.check(network, "ipv6"));
    (isVersion4 ? ofVersion4 : ofVersion6).addSubnet(network, bits, family(version));
  }
  return (text) => {
    const version = isIP(text);
    if (version === 0) return false;
    const [address = ""] = text.split("%");
    const isVersion4 = version === 4 || mapped.check(address, "ipv6");
    return (isVersion4 ? ofVersion4 : ofVersion6).check(address, family(version));
  };
}
