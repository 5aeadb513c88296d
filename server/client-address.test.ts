import { describe, expect, test } from "vitest";
import { addressBehind } from "./client-address.ts";

describe("the client's address behind proxies", () => {
  const connection = "10.0.0.1";

  test("is the connection's when no proxy is trusted, with any header from the client", () =>
    expect(addressBehind(connection, "192.0.2.7", 0)).toBe("10.0.0.1"));

  test("is the trusted proxy's entry at the end, not the client's before it", () =>
    expect(addressBehind(connection, "198.51.100.9, 192.0.2.7", 1)).toBe("192.0.2.7"));

  test("is as many entries from the right as there are trusted proxies", () =>
    expect(addressBehind(connection, "203.0.113.5, 198.51.100.9, 192.0.2.7", 2)).toBe("198.51.100.9"));

  test("is the leftmost when the list is shorter than that", () =>
    expect(addressBehind(connection, "192.0.2.7", 3)).toBe("192.0.2.7"));

  test("is the next nearer one when the entry is not an address", () => {
    expect(addressBehind(connection, "198.51.100.9, rubbish, 192.0.2.7", 2)).toBe("192.0.2.7");
    expect(addressBehind(connection, "rubbish", 1)).toBe("10.0.0.1");
    expect(addressBehind(connection, undefined, 1)).toBe("10.0.0.1");
  });

  test("is one shared value for all clients without an address", () =>
    expect(addressBehind("", "rubbish", 1)).toBe("unknown"));
});
