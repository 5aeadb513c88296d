import { describe, expect, test } from "vitest";
import {
  addressBehind,
  clientAddress,
  clientAddressHeader,
  countedAddress,
  sealedAddress,
} from "./client-address.ts";

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
  ])("%j is none", (text) => expect(countedAddress(text)).toBeUndefined());
});

describe("the client's address behind proxies", () => {
  const socket = "::ffff:10.0.0.1";

  test("is the socket's when no proxy is trusted, whatever the client says", () =>
    expect(addressBehind(socket, "192.0.2.7", 0)).toBe("10.0.0.1"));

  test("is what the trusted proxy has put at the end, not what the client has put before", () =>
    expect(addressBehind(socket, "198.51.100.9, 192.0.2.7", 1)).toBe("192.0.2.7"));

  test("is as many entries from the right as there are trusted proxies", () =>
    expect(addressBehind(socket, "203.0.113.5, 198.51.100.9, 192.0.2.7", 2)).toBe("198.51.100.9"));

  test("is the leftmost when the list is shorter than that", () =>
    expect(addressBehind(socket, "192.0.2.7", 3)).toBe("192.0.2.7"));

  test("is the next nearer one when what stands there is no address", () => {
    expect(addressBehind(socket, "198.51.100.9, rubbish, 192.0.2.7", 2)).toBe("192.0.2.7");
    expect(addressBehind(socket, "rubbish", 1)).toBe("10.0.0.1");
    expect(addressBehind(socket, undefined, 1)).toBe("10.0.0.1");
  });

  test("is the same unknown for all who have none", () =>
    expect(addressBehind(undefined, "rubbish", 1)).toBe("unknown"));
});

describe("the header that carries it", () => {
  test("gives the address that was put in", () => {
    const headers = new Headers({ [clientAddressHeader]: sealedAddress("192.0.2.7") });
    expect(clientAddress(headers)).toBe("192.0.2.7");
  });

  test("is worth nothing when a client has written it", () => {
    expect(clientAddress(new Headers({ [clientAddressHeader]: "192.0.2.7" }))).toBe("unknown");
    expect(clientAddress(new Headers({ "x-forwarded-for": "192.0.2.7" }))).toBe("unknown");
  });
});
