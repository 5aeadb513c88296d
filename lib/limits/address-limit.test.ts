import { describe, expect, test } from "vitest";
import { contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { accessRules } from "./access-rules.ts";
import { addressRefusal } from "./address-limit.ts";
import { explainRefusal } from "./refusal.ts";

describe.each([
  ["search", "there are many searches from your network, so nothing was searched"],
  ["lab", "the lab is used very often from your network, so nothing was compared"],
  ["image", "many preview images are requested from your network, so none was made"],
] as const)("%s", (work, reason) => {
  const policy = { capacity: 2, leakPerSecond: 0.5 };

  test("refuses an address's work beyond the limit, names the wait, and refuses no other address", async () => {
    const limits = limitsWith({ LIMITS: JSON.stringify({ [`${work}.address`]: policy }) });
    const context = contextOf(temporaryDatabase(), limits);
    const from = (address: string, now = morning) => addressRefusal(context, work, { address, now });
    expect([await from("192.0.2.1"), await from("192.0.2.1")]).toEqual([undefined, undefined]);
    const refused = await from("192.0.2.1");
    expect(refused).toMatchObject({ kind: "limited", refusal: { policy: `${work}.address` } });
    expect(refused?.kind === "limited" && explainRefusal(refused.refusal)).toBe(
      `Too many requests: ${reason}. Try again in 2 seconds.`,
    );
    expect(await from("192.0.2.2")).toBeUndefined();
    expect(await from("192.0.2.1", morning + 2_000)).toBeUndefined();
  });

  test("refuses that of further addresses of a /48 beyond its limit, and of no other network", async () => {
    const limits = limitsWith({ LIMITS: JSON.stringify({ [`${work}.wide-network`]: policy }) });
    const context = contextOf(temporaryDatabase(), limits);
    const from = (address: string) => addressRefusal(context, work, { address, now: morning });
    expect([await from("2001:db8:1:1::/64"), await from("2001:db8:1:2::/64")]).toEqual([
      undefined,
      undefined,
    ]);
    expect(await from("2001:db8:1:3::/64")).toMatchObject({ refusal: { policy: `${work}.wide-network` } });
    expect(await from("2001:db8:2:1::/64")).toBeUndefined();
  });
});

test("applies the access rules of users", async () => {
  const context = contextOf(temporaryDatabase(), limitsWith(), { rules: accessRules("deny user ada") });
  const as = (username?: string) =>
    addressRefusal(context, "lab", { address: "192.0.2.1", username, now: morning });
  expect(await as("Ada")).toEqual({ kind: "denied" });
  expect([await as("bo"), await as()]).toEqual([undefined, undefined]);
});
