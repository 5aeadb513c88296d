import { describe, expect, it } from "vitest";
import { requireDistinct } from "../settings.ts";
import { type MakeStore, storeContractChecks } from "./contract.ts";
import { storeFrom } from "./store-from.ts";

/** A store that is not atomic: the key may change between its read and its write. */
const readAwaitWriteStore: MakeStore = ({ clock }) => {
  const entries = new Map<string, { json: string; expiresAt: number }>();
  return storeFrom(async (keys, step, now = Math.floor(clock())) => {
    requireDistinct(keys);
    const found = keys.map((key) => entries.get(key));
    await Promise.resolve();
    const { result, changes } = step(
      found.map((entry) => (entry && entry.expiresAt > now ? JSON.parse(entry.json) : undefined)),
      now,
    );
    for (const [index, key] of keys.entries()) {
      const { next, expiresAt = Number.POSITIVE_INFINITY } = changes[index] ?? {};
      if (next !== undefined) entries.set(key, { json: JSON.stringify(next), expiresAt });
      if (next !== undefined && expiresAt <= now) entries.delete(key);
    }
    return result;
  });
};

describe("the store contract, on a store that is not atomic", () => {
  for (const { title, check } of storeContractChecks) {
    const outcome = title.includes("at once") ? "fails" : "passes";
    it(`${outcome}: ${title}`, async () => {
      if (outcome === "fails") await expect(check(readAwaitWriteStore)).rejects.toThrow();
      else await check(readAwaitWriteStore);
    });
  }

  it("has checks that such a store fails", () => {
    expect(storeContractChecks.filter(({ title }) => title.includes("at once"))).toHaveLength(5);
  });
});
