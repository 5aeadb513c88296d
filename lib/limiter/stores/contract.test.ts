import { describe, expect, it } from "vitest";
import type { Store } from "../types.ts";
import { type MakeStore, storeContractChecks } from "./contract.ts";

/** Right in all but one thing: others may update the key between its read and its write. */
const readAwaitWriteStore: MakeStore = ({ clock }) => {
  const entries = new Map<string, { json: string; expiresAt: number }>();
  const store: Store = {
    async update(key, step, now = clock()) {
      const entry = entries.get(key);
      const live = entry !== undefined && entry.expiresAt > now;
      await Promise.resolve();
      const {
        result,
        next,
        expiresAt = Number.POSITIVE_INFINITY,
      } = step(live ? JSON.parse(entry.json) : undefined, now);
      if (next !== undefined) entries.set(key, { json: JSON.stringify(next), expiresAt });
      if (next !== undefined && expiresAt <= now) entries.delete(key);
      return result;
    },
  };
  return store;
};

describe("the store contract finds out a store that is not atomic", () => {
  for (const { title, check } of storeContractChecks) {
    const outcome = title.includes("at once") ? "fails" : "passes";
    it(`${outcome}: ${title}`, async () => {
      if (outcome === "fails") await expect(check(readAwaitWriteStore)).rejects.toThrow();
      else await check(readAwaitWriteStore);
    });
  }

  it("has checks that such a store fails", () => {
    expect(storeContractChecks.filter(({ title }) => title.includes("at once"))).toHaveLength(2);
  });
});
