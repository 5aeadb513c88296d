import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countedAddress } from "../http/client-address.ts";
import { accessRules } from "./access-rules.ts";

const nowhere = "unknown";

/** The rules' result for a client address, written as the app knows it. */
const decide = (rules: string, address: string, username?: string) =>
  accessRules(rules)({ address, ...(username !== undefined && { username }) });

/** The same for any address that a client may have. */
function decideFrom(rules: string, clientAddress: string) {
  const address = countedAddress(clientAddress);
  if (address === undefined) throw new Error(`${clientAddress} is not an address.`);
  return decide(rules, address);
}

test("allows and denies the clients that rules name, and no others", () => {
  const rules = "allow address 192.0.2.7, deny user mallory";
  expect(decide(rules, "192.0.2.7")).toBe("allow");
  expect(decide(rules, "192.0.2.8", "mallory")).toBe("deny");
  expect(decide(rules, "192.0.2.8", "alder")).toBeUndefined();
  expect(decide(rules, "192.0.2.8")).toBeUndefined();
});

test("affects no client without rules, and ignores empty rules between commas", () => {
  for (const rules of ["", "  ", ",", " , ,"]) expect(decide(rules, "192.0.2.7", "mallory")).toBeUndefined();
  expect(decide(", deny user mallory,,", "192.0.2.7", "mallory")).toBe("deny");
});

test("decides by the first rule that matches", () => {
  const rules = "allow address 192.0.2.7, deny address 192.0.2.0/24, allow user alder, deny user alder";
  expect(decide(rules, "192.0.2.7")).toBe("allow");
  expect(decide(rules, "192.0.2.8", "alder")).toBe("deny");
  expect(decide(rules, "198.51.100.1", "alder")).toBe("allow");
  expect(decide("deny address 192.0.2.0/24, allow address 192.0.2.7", "192.0.2.7")).toBe("deny");
});

describe("addresses", () => {
  test.each([
    ["192.0.2.7", ["192.0.2.7"], ["192.0.2.6", "192.0.2.70", "2001:db8::7"]],
    ["192.0.2.7/32", ["192.0.2.7"], ["192.0.2.6", "192.0.2.8"]],
    ["192.0.2.6/31", ["192.0.2.6", "192.0.2.7"], ["192.0.2.5", "192.0.2.8"]],
    ["192.0.2.0/24", ["192.0.2.0", "192.0.2.255"], ["192.0.1.255", "192.0.3.0", "::c000:201"]],
    // As it is written behind a proxy that speaks IPv6.
    ["192.0.2.0/24", ["::ffff:192.0.2.7"], ["::ffff:192.0.3.7"]],
    ["10.0.0.0/8", ["10.0.0.0", "10.255.255.255"], ["9.255.255.255", "11.0.0.0", "a00::"]],
    ["0.0.0.0/0", ["0.0.0.0", "255.255.255.255"], ["2001:db8::1", "::1"]],
    ["2001:db8:0:1::/64", ["2001:db8:0:1::5", "2001:db8:0:1:ffff::"], ["2001:db8::5", "2001:db8:0:2::"]],
    ["2001:DB8:0:0::/63", ["2001:db8::5", "2001:db8:0:1::5"], ["2001:db8:0:2::"]],
    ["2001:db8::/32", ["2001:db8::", "2001:db8:ffff::1"], ["2001:db9::", "2001:db7:ffff::", "32.1.13.184"]],
    ["2000::/3", ["2001:db8::1", "3fff:ffff::"], ["4000::", "192.0.2.7"]],
  ])("%s is %j and not %j", (range, inside, outside) => {
    for (const address of inside) expect(decideFrom(`deny address ${range}`, address), address).toBe("deny");
    for (const address of outside)
      expect(decideFrom(`deny address ${range}`, address), address).toBeUndefined();
  });

  test("matches the addresses of any IPv4 range by their leading bits", () => {
    const near = fc.tuple(fc.nat(0xffff_ffff), fc.nat(32), fc.nat(0xffff_ffff), fc.nat(32));
    fc.assert(
      fc.property(near, ([network, prefix, noise, keptBits]) => {
        const address = Number(BigInt(network) ^ (BigInt(noise) >> BigInt(keptBits)));
        const isInside = (BigInt(network) ^ BigInt(address)) >> BigInt(32 - prefix) === 0n;
        expect(decideFrom(`deny address ${ipv4(network)}/${prefix}`, ipv4(address))).toBe(
          isInside ? "deny" : undefined,
        );
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  test("matches the addresses of any IPv6 range of a /64 or larger by their leading bits", () => {
    const half = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(half, fc.nat(64), half, fc.nat(64), half, (low, prefix, noise, keptBits, rest) => {
        // All within 2000::/3, where clients are.
        const network = (1n << 61n) | (low >> 3n);
        const address = network ^ ((noise >> 3n) >> BigInt(keptBits));
        const isInside = (network ^ address) >> BigInt(64 - prefix) === 0n;
        expect(decideFrom(`deny address ${ipv6(network, 0n)}/${prefix}`, ipv6(address, rest))).toBe(
          isInside ? "deny" : undefined,
        );
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  test("matches an IPv6 client by its /64", () => {
    expect(decide("deny address 2001:db8:0:1::/64", "2001:db8:0:1::/64")).toBe("deny");
    expect(decide("deny address 2001:db8::/32", "2001:db8:0:1::/64")).toBe("deny");
    expect(decide("deny address 2001:db8:0:2::/64", "2001:db8:0:1::/64")).toBeUndefined();
  });

  test("applies a rule for all of one address family to that family only", () => {
    expect(accessRules("deny address ::/0")({ address: "192.0.2.1" })).toBeUndefined();
    expect(accessRules("deny address 0.0.0.0/0")({ address: "2001:db8:0:1::/64" })).toBeUndefined();
    expect(accessRules("deny address ::/0")({ address: "2001:db8:0:1::/64" })).toBe("deny");
    expect(accessRules("deny address 0.0.0.0/0")({ address: "192.0.2.1" })).toBe("deny");
  });

  test("matches a client without a known address by its username only", () => {
    const everywhere = "deny address 0.0.0.0/0, deny address ::/0";
    expect(decide(everywhere, nowhere)).toBeUndefined();
    expect(decide(`${everywhere}, allow user alder`, nowhere, "alder")).toBe("allow");
    expect(decide("allow address 0.0.0.0/0, allow address ::/0, deny user mallory", nowhere, "mallory")).toBe(
      "deny",
    );
  });
});

describe("users", () => {
  test.each([
    ["mallory", "Mallory"],
    ["MALLORY", "mallory"],
    ["ﬂow", "Flow"],
    ["ｍａｌｌｏｒｙ", "mallory"],
    ["cafe\u0301", "CAF\u00C9"],
    ["چشمه", "چشمه"],
  ])("%s is %s, as with accounts", (written, username) => {
    expect(decide(`deny user ${written}`, "192.0.2.7", username)).toBe("deny");
    expect(decide(`deny user ${username}`, nowhere, written)).toBe("deny");
  });

  test("matches whole usernames, and none for a client that is not logged in", () => {
    for (const username of ["mallor", "mallory2", "smallory", ""])
      expect(decide("deny user mallory", "192.0.2.7", username)).toBeUndefined();
    expect(decide("deny user mallory", "192.0.2.7")).toBeUndefined();
    expect(decide("deny user undefined", "192.0.2.7")).toBeUndefined();
    // A name may look like an address.
    expect(decide("deny user 192.0.2.7", "192.0.2.7", "alder")).toBeUndefined();
    expect(decide("deny user 192.0.2.7", "198.51.100.1", "192.0.2.7")).toBe("deny");
  });
});

test.each([
  "deny",
  "deny everyone",
  "block user mallory",
  "Deny user mallory",
  "deny users mallory",
  "deny user",
  "deny user mallory too",
  "deny\nuser",
  "deny address",
  "deny address localhost",
  "deny address unknown",
  "deny address *",
  "deny address 192.0.2",
  "deny address 192.0.2.256",
  "deny address 192.0.2.07",
  "deny address 192.0.2.1-9",
  "deny address 192.0.2.0/33",
  "deny address 192.0.2.0/",
  "deny address 192.0.2.0/-1",
  "deny address 192.0.2.0/1e1",
  "deny address 192.0.2.0/255.255.255.0",
  "deny address 192.0.2.0/24/8",
  "deny address 2001:db8::/129",
  "deny address 2001:db8::/65",
  "deny address 2001:db8:0:1::5",
  "deny address ::ffff:192.0.2.0/120",
  "deny address 2001:db8:::/32",
  "deny address [2001:db8::]/32",
  "deny address 192.0.2.1:80",
])("%j is refused by name, with how rules are written", (rule) => {
  const message = `has ${JSON.stringify(rule)}; write rules such as allow address 192.0.2.0/24, deny address 2001:db8::/32 (IPv6 up to /64), deny user mallory`;
  expect(() => accessRules(rule)).toThrow(new Error(message));
  expect(() => accessRules(`allow user alder, ${rule} , deny user birch`)).toThrow(new Error(message));
});

/** The address of 32 bits. */
function ipv4(bits: number): string {
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 0xff).join(".");
}

/** The address of two times 64 bits. */
function ipv6(high: bigint, low: bigint): string {
  return [high, low]
    .flatMap((half) => [48n, 32n, 16n, 0n].map((shift) => ((half >> shift) & 0xffffn).toString(16)))
    .join(":");
}
