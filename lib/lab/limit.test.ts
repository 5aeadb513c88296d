import { expect, test } from "vitest";
import { contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { accessRules } from "../limits/access-rules.ts";
import { explainRefusal } from "../limits/refusal.ts";
import { labRefusal } from "./limit.ts";

test("refuses an address's comparisons beyond the limit, names the wait, and refuses no other address", async () => {
  const limits = limitsWith({ LIMITS: '{"lab.address": {"capacity": 2, "leakPerSecond": 0.5}}' });
  const context = contextOf(temporaryDatabase(), limits);
  const from = (address: string, now = morning) => labRefusal(context, { address, now });
  expect([await from("192.0.2.1"), await from("192.0.2.1")]).toEqual([undefined, undefined]);
  const refused = await from("192.0.2.1");
  expect(refused).toMatchObject({ kind: "limited", refusal: { policy: "lab.address" } });
  expect(refused?.kind === "limited" && explainRefusal(refused.refusal)).toBe(
    "Too many requests: the lab is used very often from your network, so nothing was compared. Try again in 2 seconds.",
  );
  expect(await from("192.0.2.2")).toBeUndefined();
  expect(await from("192.0.2.1", morning + 2_000)).toBeUndefined();
});

test("refuses comparisons of further addresses of a /48 beyond its limit, and those of no other network", async () => {
  const limits = limitsWith({ LIMITS: '{"lab.wide-network": {"capacity": 2, "leakPerSecond": 0.5}}' });
  const context = contextOf(temporaryDatabase(), limits);
  const from = (address: string) => labRefusal(context, { address, now: morning });
  expect([await from("2001:db8:1:1::/64"), await from("2001:db8:1:2::/64")]).toEqual([undefined, undefined]);
  expect(await from("2001:db8:1:3::/64")).toMatchObject({ refusal: { policy: "lab.wide-network" } });
  expect(await from("2001:db8:2:1::/64")).toBeUndefined();
});

test("applies the access rules of users", async () => {
  const context = contextOf(temporaryDatabase(), limitsWith(), { rules: accessRules("deny user ada") });
  const as = (username?: string) => labRefusal(context, { address: "192.0.2.1", username, now: morning });
  expect(await as("Ada")).toEqual({ kind: "denied" });
  expect([await as("bo"), await as()]).toEqual([undefined, undefined]);
});
