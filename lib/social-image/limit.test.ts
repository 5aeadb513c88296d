import { expect, test } from "vitest";
import { contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { mayDrawFor } from "./limit.ts";

test("refuses an address's images beyond the limit, and those of no other address", async () => {
  const limits = limitsWith({ LIMITS: '{"image.address": {"capacity": 2, "leakPerSecond": 0.5}}' });
  const context = contextOf(temporaryDatabase(), limits);
  const from = (address: string, now = morning) => mayDrawFor(context, { address, now });
  expect([await from("192.0.2.1"), await from("192.0.2.1")]).toEqual([true, true]);
  expect(await from("192.0.2.1")).toBe(false);
  expect(await from("192.0.2.2")).toBe(true);
  expect(await from("192.0.2.1", morning + 2_000)).toBe(true);
});

test("refuses images for further addresses of a /48 beyond its limit, and those of no other network", async () => {
  const limits = limitsWith({ LIMITS: '{"image.wide-network": {"capacity": 2, "leakPerSecond": 0.5}}' });
  const context = contextOf(temporaryDatabase(), limits);
  const from = (address: string) => mayDrawFor(context, { address, now: morning });
  expect([await from("2001:db8:1:1::/64"), await from("2001:db8:1:2::/64")]).toEqual([true, true]);
  expect(await from("2001:db8:1:3::/64")).toBe(false);
  expect(await from("2001:db8:2:1::/64")).toBe(true);
});
