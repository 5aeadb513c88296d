import { expect, test } from "vitest";
import type { NewApiToken } from "../index.ts";
import { addUser, addUsers, dayMs, morning, type Open } from "./setting.ts";

export function apiTokenContract(open: Open): void {
  test("a token is found by its hash as it was saved, and only so", async () => {
    const database = await open();
    const { apiTokens } = database;
    const userId = await addUser(database, "ada");
    expect(await apiTokens.insert(tokenOf(userId))).toBe(true);
    const lasting = tokenOf(userId, { name: "نام", tokenHash: "b".repeat(64), expiresAt: null });
    expect(await apiTokens.insert(lasting)).toBe(true);
    const saved = { id: expect.any(Number), lastUsedAt: null };
    expect(await apiTokens.byHash("a".repeat(64))).toEqual({ ...tokenOf(userId), ...saved });
    expect(await apiTokens.byHash("b".repeat(64))).toEqual({ ...lasting, ...saved });
    for (const hash of ["", "A".repeat(64), "a", "%", "\0"])
      expect(await apiTokens.byHash(hash)).toBeUndefined();
  });

  test("allows one token per name of a user, also concurrently, and one per hash", async () => {
    const database = await open();
    const { apiTokens, transaction } = database;
    const [ada = 0, bo = 0] = await addUsers(database, 2);
    const inserted = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        transaction(() => apiTokens.insert(tokenOf(ada, { tokenHash: String(index).repeat(64) }))),
      ),
    );
    expect(inserted.filter(Boolean)).toHaveLength(1);
    expect(await apiTokens.insert(tokenOf(ada, { name: "Script", tokenHash: "c".repeat(64) }))).toBe(true);
    expect(await apiTokens.insert(tokenOf(bo, { tokenHash: "d".repeat(64) }))).toBe(true);
    await expect(apiTokens.insert(tokenOf(bo, { name: "x", tokenHash: "d".repeat(64) }))).rejects.toThrow();
  });

  test("lists a user's tokens newest first, and removes them only for their owner or with the account", async () => {
    const database = await open();
    const { apiTokens, users } = database;
    const [ada = 0, bo = 0] = await addUsers(database, 2);
    for (const [index, userId] of [ada, bo, ada].entries())
      await apiTokens.insert(tokenOf(userId, { name: `${index}`, tokenHash: String(index).repeat(64) }));
    const names = async (userId: number) => (await apiTokens.ofUser(userId)).map(({ name }) => name);
    expect(await names(ada)).toEqual(["2", "0"]);
    const newest = (await apiTokens.ofUser(ada))[0]?.id ?? 0;
    await apiTokens.remove(newest, bo);
    expect(await names(ada)).toEqual(["2", "0"]);
    await apiTokens.remove(newest, ada);
    expect(await names(ada)).toEqual(["0"]);
    await apiTokens.insert(tokenOf(bo, { name: "3", tokenHash: "3".repeat(64) }));
    await apiTokens.removeAllOf(ada);
    expect([await names(ada), await names(bo)]).toEqual([[], ["3", "1"]]);
    await apiTokens.insert(tokenOf(ada, { tokenHash: "0".repeat(64) }));
    await users.remove(ada);
    expect([await names(ada), await names(bo)]).toEqual([[], ["3", "1"]]);
    expect(await apiTokens.byHash("0".repeat(64))).toBeUndefined();
  });

  test("the last use of one token is kept, and no other's", async () => {
    const database = await open();
    const { apiTokens } = database;
    const userId = await addUser(database, "ada");
    await apiTokens.insert(tokenOf(userId));
    await apiTokens.insert(tokenOf(userId, { name: "other", tokenHash: "b".repeat(64) }));
    await apiTokens.setLastUsedAt((await apiTokens.byHash("a".repeat(64)))?.id ?? 0, morning + 1);
    expect((await apiTokens.ofUser(userId)).map(({ lastUsedAt }) => lastUsedAt)).toEqual([null, morning + 1]);
  });
}

function tokenOf(userId: number, also: Partial<NewApiToken> = {}): NewApiToken {
  return {
    userId,
    name: "script",
    tokenHash: "a".repeat(64),
    scopes: "read rate",
    createdAt: morning,
    expiresAt: morning + 90 * dayMs,
    ...also,
  };
}
