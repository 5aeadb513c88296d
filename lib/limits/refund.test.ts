import { describe, expect, test } from "vitest";
import { contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { memoryStore, type Store, storeFrom } from "../limiter/index.ts";
import { accessRules } from "./access-rules.ts";
import type { GuardSettings } from "./guard.ts";
import type { Verdict } from "./types.ts";

const bucket = { algorithm: "leaky-bucket", capacity: 1, leakPerSecond: 0.0001 };
const address = "192.0.2.1";

/**
 * A guard, and requests that count under `login.account` and `login.delay`.
 * The latter is in mode hold.
 */
function setting(policies: Record<string, Record<string, unknown>>, settings: Partial<GuardSettings> = {}) {
  const limits = limitsWith({ LIMITS: JSON.stringify(policies) });
  const { guard } = contextOf(temporaryDatabase(), limits, settings);
  const request = (from = address) =>
    guard.run<Verdict>({
      client: { address: from },
      now: morning,
      plan: async () => ({
        checks: [
          [limits["login.account"], 1],
          [limits["login.delay"], 1],
        ],
        execute: async (verdict) => verdict,
      }),
    });
  const decide = async (from?: string) => {
    const verdict = await request(from);
    return "kind" in verdict ? expect.fail(verdict.kind) : verdict;
  };
  return { guard, decide };
}

describe.each(["database", "memory"])("with the states in %s", (states) => {
  const newStore = (): Store | undefined =>
    states === "memory" ? memoryStore({ clock: () => morning }) : undefined;

  test("refunds the policies' counts, and nothing where one in hold or in shadow was over its limit", async () => {
    const { guard, decide } = setting(
      {
        "login.account": { ...bucket, capacity: 3 },
        "login.delay": bucket,
        "login.delay.shadow": { ...bucket, mode: "shadow" },
      },
      { store: newStore() },
    );
    const outcomeOf = ({ refused, heldBy, shadows }: Verdict) => [
      refused?.kind,
      heldBy?.policy,
      shadows[0]?.decision.allowed,
    ];
    const first = await decide();
    const second = await decide();
    expect([first, second].map(outcomeOf)).toEqual([
      [undefined, undefined, true],
      [undefined, "login.delay", false],
    ]);
    await guard.refund(second.decision, morning);
    expect(outcomeOf(await decide())).toEqual([undefined, "login.delay", false]);
    await guard.refund(first.decision, morning);
    const [third, fourth, fifth] = [await decide(), await decide(), await decide()];
    expect([third, fourth, fifth].map(outcomeOf)).toEqual([
      [undefined, undefined, true],
      [undefined, "login.delay", false],
      ["limited", undefined, undefined],
    ]);
  });

  test("refunds nothing of a request that an access rule decided, nor of a refused one", async () => {
    const rules = accessRules("allow address 203.0.113.7");
    const { guard, decide } = setting({ "login.account": bucket }, { store: newStore(), rules });
    expect((await decide()).refused).toBeUndefined();
    const allowed = await decide("203.0.113.7");
    const refused = await decide();
    expect([allowed.refused, refused.refused?.kind]).toEqual([undefined, "limited"]);
    await guard.refund(allowed.decision, morning);
    await guard.refund(refused.decision, morning);
    expect((await decide()).refused?.kind).toBe("limited");
  });
});

test("refunds a request of an outage where it was counted, in the local stand-in", async () => {
  const memory = memoryStore({ clock: () => morning });
  let isGone = false;
  const store = storeFrom((keys, step, now) =>
    isGone ? Promise.reject(new Error("the store is gone")) : memory.updateMany(keys, step, now),
  );
  const { guard, decide } = setting(
    { "login.account": { ...bucket, outage: "local", localShare: 1 } },
    { store },
  );
  const kind = async () => (await decide()).refused?.kind;
  expect(await kind()).toBeUndefined();
  isGone = true;
  const during = await decide();
  expect(during.refused).toBeUndefined();
  isGone = false;
  await guard.refund(during.decision, morning);
  expect(await kind()).toBe("limited");
  isGone = true;
  expect([await kind(), await kind()]).toEqual([undefined, "limited"]);
});
