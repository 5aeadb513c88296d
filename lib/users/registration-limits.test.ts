import { expect, test } from "vitest";
import { accounts, password, solvedFor } from "../../testing/accounts.ts";
import { addUser, contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { countedAddress } from "../http/client-address.ts";
import { pendingNetworkHash } from "./approvals.ts";
import { register } from "./register.ts";
import { recordNetwork, registrationChecks, siteChecks } from "./registration-limits.ts";

/** Registers an account from an address, as far as the limits matter. */
function registering(
  { database, guard, limits }: Pick<ReturnType<typeof contextOf>, "database" | "guard" | "limits">,
  accounts = 1,
) {
  return (text: string, now = morning) => {
    const address = countedAddress(text) ?? text;
    return guard.run({
      client: { address },
      now,
      plan: async () => ({
        checks: [
          ...registrationChecks(limits, address),
          ...(await siteChecks({ ...database, limits }, { address, secret: "a secret", accounts, now })),
        ],
        execute: async (verdict) => {
          if (!verdict.refused) await recordNetwork(database, address, "a secret", now);
          return verdict.refused;
        },
      }),
    });
  };
}

/** How many of these addresses may register at one instant; the last one's refusal. */
async function registrationsAtOnce(texts: readonly string[], { accounts = 1, each = 1 } = {}) {
  const registered = registering(contextOf(temporaryDatabase(), limitsWith()), accounts);
  let allowed = 0;
  let refusedBy: string | undefined;
  for (const text of texts)
    for (let count = 0; count < each; count += 1) {
      const refused = await registered(text);
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
    41,
    "register.known-networks",
  ],
  [
    "one /48 of IPv6",
    numbers(256).map((subnet) => `2001:db8:1:${(subnet * 256).toString(16)}::1`),
    41,
    "register.known-networks",
  ],
  ["one /24 of IPv4", numbers(256).map((host) => `192.0.2.${host}`), 41, "register.known-networks"],
  ["everywhere", numbers(256).map((net) => `203.${net}.113.9`), 100, "register.site"],
])("limits registrations from 256 addresses of %s", async (_, addresses, allowed, refusedBy) => {
  expect(await registrationsAtOnce(addresses)).toEqual({ allowed, refusedBy });
});

test.each<[attack: string, addressOf: (attempt: number) => string]>([
  ["one address", () => "192.0.2.1"],
  ["one /24 of IPv4", (attempt) => `192.0.2.${attempt % 256}`],
  ["one /48 of IPv6", (attempt) => `2001:db8:1:${((attempt % 256) * 256).toString(16)}::1`],
  ["forty networks of IPv4", (attempt) => `198.51.${attempt % 40}.${attempt % 256}`],
  ["forty /48 of IPv6", (attempt) => `2001:db8:${attempt % 40}:${((attempt % 256) * 256).toString(16)}::1`],
])("leaves room for others when %s takes what it can for a week", async (_, addressOf) => {
  const registered = registering(contextOf(temporaryDatabase(), limitsWith()));
  for (let hour = 0; hour < 7 * 24; hour += 1) {
    const now = morning + hour * 3_600_000;
    for (let attempt = 0; !(await registered(addressOf(attempt), now)); attempt += 1);
    expect(await registered(`203.${hour}.113.9`, now), `in hour ${hour}`).toBeUndefined();
  }
});

test("the site's limit grows with the number of its accounts, from a thousand on", async () => {
  const addresses = numbers(400).map((net) => `203.${net % 256}.${net >> 8}.9`);
  expect(await registrationsAtOnce(addresses, { accounts: 1_000 })).toMatchObject({ allowed: 100 });
  expect(await registrationsAtOnce(addresses, { accounts: 3_000 })).toMatchObject({ allowed: 300 });
});

test("accounts of the last month let the site's limit not grow", async () => {
  const database = temporaryDatabase();
  const limits = limitsWith({ LIMITS: '{"register.site": {"capacity": 1, "leakPerSecond": 1e-9}}' });
  const context = contextOf(database, limits);
  await addUser(database, "alder");
  database.sqlite.exec("update users set id = 3000");
  const signUp = async (username: string, from: string, now: number) => {
    const input = {
      username,
      email: `${username}@example.org`,
      password,
      ...(await solvedFor(context, now)),
    };
    return (await register(context, { input, address: from, now })).kind;
  };
  expect(await signUp("birch", "192.0.2.1", morning)).toBe("registered");
  expect(await signUp("cedar", "198.51.100.1", morning)).toBe("limited");
  expect(await signUp("cedar", "198.51.100.1", morning + 30 * 86_400_000)).toBe("registered");
});

test("the site's limit grows as far as its algorithm allows", async () => {
  const log = '{"register.site": {"algorithm": "sliding-log", "limit": 2, "windowMs": 1000}}';
  const limits = limitsWith({ LIMITS: log });
  const settings = { address: "192.0.2.1", secret: "a secret", accounts: 1e12, now: morning };
  const [[policies = []] = []] = await siteChecks({ ...temporaryDatabase(), limits }, settings);
  expect(policies.map(({ algorithm }) => Number(algorithm.limit) > 2)).toEqual([true]);
});

test("keeps neither the moment of a registration nor a hash that is used elsewhere", async () => {
  const database = temporaryDatabase();
  const rows = () => database.sqlite.prepare("select key, state, expires_at from limiter_states").all();
  await recordNetwork(database, "192.0.2.1", "a secret", morning);
  const first = rows();
  await database.limiterStates.removeExpired(Number.MAX_SAFE_INTEGER, 9);
  await recordNetwork(database, "192.0.2.1", "a secret", morning + 3_599_999);
  expect(rows()).toEqual(first);
  expect(JSON.stringify(first)).not.toContain(pendingNetworkHash("192.0.2.1", "a secret"));
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
