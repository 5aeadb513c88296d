import { expect, test } from "vitest";
import { accounts } from "../../testing/accounts.ts";
import { contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { countedAddress } from "../http/client-address.ts";
import { addressChecks, siteChecks } from "./registration-limits.ts";

/** How many of these addresses may register an account at one instant, and what refuses the last one. */
async function registrationsAtOnce(texts: readonly string[], { accounts = 1, each = 1 } = {}) {
  const { guard, limits } = contextOf(temporaryDatabase(), limitsWith());
  let allowed = 0;
  let refusedBy: string | undefined;
  for (const text of texts)
    for (let count = 0; count < each; count += 1) {
      const address = countedAddress(text) ?? text;
      const refused = await guard.guarded({
        who: { address },
        now: morning,
        plan: async () => ({
          checks: [...addressChecks(limits, address), ...siteChecks(limits, accounts)],
          execute: async (verdict) => verdict.refused,
        }),
      });
      if (refused?.kind === "limited") refusedBy = refused.refusal.policy;
      else allowed += 1;
    }
  return { allowed, refusedBy };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

test.each<[attack: string, addresses: string[], allowed: number, refusedBy: string]>([
  [
    "one /64 of IPv6",
    numbers(256).map((host) => `2001:db8:1:2::${host.toString(16)}`),
    30,
    "register.address",
  ],
  [
    "one /56 of IPv6",
    numbers(256).map((subnet) => `2001:db8:1:${subnet.toString(16)}::1`),
    60,
    "register.network",
  ],
  [
    "one /48 of IPv6",
    numbers(256).map((subnet) => `2001:db8:1:${(subnet * 256).toString(16)}::1`),
    90,
    "register.wide-network",
  ],
  ["one /24 of IPv4", numbers(256).map((host) => `192.0.2.${host}`), 60, "register.network"],
  ["everywhere", numbers(256).map((net) => `203.${net}.113.9`), 100, "register.site"],
])("limits registrations from 256 addresses of %s", async (_, addresses, allowed, refusedBy) => {
  expect(await registrationsAtOnce(addresses)).toEqual({ allowed, refusedBy });
});

test("the site's limit grows with the number of its accounts, from a thousand on", async () => {
  const addresses = numbers(400).map((net) => `203.${net % 256}.${net >> 8}.9`);
  expect(await registrationsAtOnce(addresses, { accounts: 1_000 })).toMatchObject({ allowed: 100 });
  expect(await registrationsAtOnce(addresses, { accounts: 3_000 })).toMatchObject({ allowed: 300 });
});

test("an address that is not known is limited as one address", async () => {
  expect(await registrationsAtOnce(["unknown"], { each: 40 })).toEqual({
    allowed: 30,
    refusedBy: "register.address",
  });
});

test("registering is limited by the network too", async () => {
  const limits = limitsWith({ LIMITS: '{"register.network": {"capacity": 1, "leakPerSecond": 0.001}}' });
  const { signUp } = accounts(limits);
  expect((await signUp("alder", { from: "192.0.2.1" })).kind).toBe("registered");
  expect(await signUp("birch", { from: "192.0.2.2" })).toMatchObject({
    kind: "limited",
    refusal: { policy: "register.network" },
  });
  expect((await signUp("birch", { from: "192.0.3.2" })).kind).toBe("registered");
});
