import { expect, test } from "vitest";
import { networkNamer } from "./networks.ts";

const day = 86_400_000;
const nameOf = networkNamer(() => "a secret of the tests only");

test("gives addresses of one /24 or /56 one name on one day, and other networks others", () => {
  const name = nameOf("192.0.2.1", 5 * day);
  expect(name).toMatch(/^[\w-]{12}$/);
  expect(nameOf("192.0.2.250", 6 * day - 1)).toBe(name);
  expect(nameOf("192.0.3.1", 5 * day)).not.toBe(name);
  expect(nameOf("2001:db8:1:201::/64", 0)).toBe(nameOf("2001:db8:1:2ff::/64", 0));
  expect(nameOf("2001:db8:1:201::/64", 0)).not.toBe(nameOf("2001:db8:1:301::/64", 0));
});

test("gives a network another name on the next day, and under another secret", () => {
  expect(nameOf("192.0.2.1", day)).not.toBe(nameOf("192.0.2.1", 0));
  expect(nameOf("192.0.2.1", 0)).toBe(networkNamer(() => "a secret of the tests only")("192.0.2.1", 0));
  expect(nameOf("192.0.2.1", 0)).not.toBe(networkNamer(() => "another secret")("192.0.2.1", 0));
});

test("gives an unknown address no name", () => expect(nameOf("unknown", 0)).toBeNull());
