import { describe, expect, test } from "vitest";
import { countedAddress, networksOf } from "./client-address.ts";

describe("an address, as limits count it", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7"],
    [" 192.0.2.7 ", "192.0.2.7"],
    ["192.0.2.7:5678", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::FFFF:c000:0207", "192.0.2.7"],
    ["[::ffff:192.0.2.7]:443", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:0001:0002::9", "2001:db8:1:2::/64"],
    ["[2001:db8:1:2::1]:443", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["1:2:3:4:5:6:7::", "1:2:3:4::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
  ])("%s is %s", (text, counted) => expect(countedAddress(text)).toBe(counted));

  test.each([
    "",
    "unknown",
    "localhost",
    "192.0.2",
    "192.0.2.256",
    "01.2.3.4",
    "1:2:3",
    "[::1",
    "<script>",
    "::g",
  ])("%j is not an address", (text) => expect(countedAddress(text)).toBeUndefined());
});

test.each([
  ["192.0.2.7", { network: "192.0.2.0/24" }],
  ["2001:db8:1:2ff::/64", { network: "2001:db8:1:200::/56", wideNetwork: "2001:db8:1::/48" }],
  ["2001:db8:1:f::/64", { network: "2001:db8:1:0::/56", wideNetwork: "2001:db8:1::/48" }],
  ["2001:db8:0:0::/64", { network: "2001:db8:0:0::/56", wideNetwork: "2001:db8:0::/48" }],
  ["unknown", {}],
])("the networks of %s are %j", (address, networks) => expect(networksOf(address)).toEqual(networks));
