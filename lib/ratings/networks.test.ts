import { expect, test } from "vitest";
import { dailyNetworkHasher } from "./networks.ts";

const day = 86_400_000;
const hashOf = dailyNetworkHasher(() => "a secret of the tests only");

test("gives addresses of one /24 or /56 one name on one day, and other networks others", () => {
  const name = hashOf("192.0.2.1", 5 * day);
  expect(name).toMatch(/^[\w-]{12}$/);
  expect(hashOf("192.0.2.250", 6 * day - 1)).toBe(name);
  expect(hashOf("192.0.3.1", 5 * day)).not.toBe(name);
  expect(hashOf("2001:db8:1:201::/64", 0)).toBe(hashOf("2001:db8:1:2ff::/64", 0));
  expect(hashOf("2001:db8:1:201::/64", 0)).not.toBe(hashOf("2001:db8:1:301::/64", 0));
});

test("gives a network another name on the next day, and under another secret", () => {
  expect(hashOf("192.0.2.1", day)).not.toBe(hashOf("192.0.2.1", 0));
  expect(hashOf("192.0.2.1", 0)).toBe(dailyNetworkHasher(() => "a secret of the tests only")("192.0.2.1", 0));
  expect(hashOf("192.0.2.1", 0)).not.toBe(dailyNetworkHasher(() => "another secret")("192.0.2.1", 0));
});

test("gives an unknown address no name", () => expect(hashOf("unknown", 0)).toBeNull());
