/** Which network addresses are on the public internet. */
import { BlockList, isIP } from "node:net";

/** IANA's special-purpose IPv4 blocks, and multicast and reserved addresses. */
const notPublicIpv4 = blockList("ipv4", [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
]);

/**
 * The only block of IPv6 that is assigned.
 * All others, such as IPv4 in IPv6, are refused.
 */
const assignedIpv6 = blockList("ipv6", [["2000::", 3]]);
/** Parts of it that are not public, or lead to an IPv4 address. */
const notPublicIpv6 = blockList("ipv6", [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
]);

/** Whether an IP address is one of the public internet; false for any other text. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !notPublicIpv4.check(address, "ipv4");
    case 6:
      return assignedIpv6.check(address, "ipv6") && !notPublicIpv6.check(address, "ipv6");
    default:
      return false;
  }
}

function blockList(family: "ipv4" | "ipv6", blocks: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of blocks) list.addSubnet(address, bits, family);
  return list;
}
