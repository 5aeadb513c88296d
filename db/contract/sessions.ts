import { expect, test } from "vitest";
import { addUsers, morning, type Open } from "./setting.ts";

const all = { usedAfter: 0, begunAfter: 0, latest: Number.MAX_SAFE_INTEGER };
const hourMs = 3_600_000;

export function sessionContract(open: Open): void {
  async function setting() {
    const database = await open();
    const { sessions } = database;
    const [ada = 0, bo = 0] = await addUsers(database, 2);
    const start = (userId: number, tokenHash: string, at = morning, others = 9) =>
      sessions.insert({ userId, tokenHash, device: "A device", createdAt: at, lastUsedAt: at }, others);
    const hashes = async (userId: number, unexpired = all) =>
      (await sessions.ofUser(userId, unexpired)).map(({ tokenHash }) => tokenHash);
    const idOf = async (hash: string) => (await sessions.byHash(hash, all))?.id ?? 0;
    return { ...database, ada, bo, start, hashes, idOf };
  }

  test("finds a session with its user, until the user is disabled or deleted", async () => {
    const { sessions, users, ada, start, transaction } = await setting();
    await start(ada, "a");
    const times = { createdAt: morning, lastUsedAt: morning, secondFactorAt: null };
    const session = { ...times, user: await users.byId(ada) };
    expect(await sessions.byHash("a", all)).toEqual({ ...session, id: expect.any(Number) });
    expect(await sessions.byHash("b", all)).toBeUndefined();
    await users.setDisabledAt(ada, morning);
    expect(await sessions.byHash("a", all)).toBeUndefined();
    await users.setDisabledAt(ada, null);
    expect(await sessions.byHash("a", all)).toBeDefined();
    await transaction(() => users.markDeleted(ada, morning));
    expect(await sessions.byHash("a", all)).toBeUndefined();
  });

  test("finds no session that was used or begun exactly at the end of its time", async () => {
    const { sessions, ada, start, hashes } = await setting();
    await start(ada, "a");
    for (const unexpired of [
      { usedAfter: morning, begunAfter: 0, latest: Number.MAX_SAFE_INTEGER },
      { usedAfter: 0, begunAfter: morning, latest: Number.MAX_SAFE_INTEGER },
      { usedAfter: 0, begunAfter: 0, latest: morning - 1 },
    ]) {
      expect(await sessions.byHash("a", unexpired)).toBeUndefined();
      expect(await hashes(ada, unexpired)).toEqual([]);
    }
    const before = { usedAfter: morning - 1, begunAfter: morning - 1, latest: Number.MAX_SAFE_INTEGER };
    expect(await sessions.byHash("a", before)).toBeDefined();
    expect(await hashes(ada, before)).toEqual(["a"]);
  });

  test("lists sessions by their last use, and a last use never goes back", async () => {
    const { sessions, ada, start, hashes, idOf } = await setting();
    await start(ada, "a");
    await start(ada, "b", morning + 1);
    expect(await hashes(ada)).toEqual(["b", "a"]);
    const id = await idOf("a");
    for (const at of [morning + hourMs, morning]) await sessions.setLastUsedAt(id, at);
    expect((await sessions.byHash("a", all))?.lastUsedAt).toBe(morning + hourMs);
    expect(await hashes(ada)).toEqual(["a", "b"]);
  });

  test("ends sessions singly and all others, of their own user only", async () => {
    const { sessions, ada, bo, start, hashes, idOf } = await setting();
    for (const [userId, hash] of [
      [ada, "a"],
      [ada, "b"],
      [ada, "c"],
      [bo, "d"],
    ] as const)
      await start(userId, hash);
    await sessions.end(await idOf("d"), ada);
    await sessions.end(await idOf("a"), ada);
    expect([await hashes(ada), await hashes(bo)]).toEqual([["c", "b"], ["d"]]);
    await sessions.endOthers(ada, await idOf("b"));
    expect([await hashes(ada), await hashes(bo)]).toEqual([["b"], ["d"]]);
    await sessions.endByHash("d");
    expect([await hashes(ada), await hashes(bo)]).toEqual([["b"], []]);
  });

  test("keeps the sessions used last when a user starts too many", async () => {
    const { ada, bo, start, hashes } = await setting();
    await start(bo, "others");
    for (const [index, hash] of ["a", "b", "c", "d"].entries()) await start(ada, hash, morning + index, 2);
    expect([await hashes(ada), await hashes(bo)]).toEqual([["d", "c", "b"], ["others"]]);
  });

  test("removes unused sessions in batches", async () => {
    const { sessions, ada, start, hashes } = await setting();
    for (const [index, hash] of ["a", "b", "c", "d"].entries()) await start(ada, hash, morning + index);
    const removed: number[] = [];
    for (let count = 0; count < 3; count += 1) removed.push(await sessions.removeUnused(morning + 2, 2));
    expect(removed).toEqual([2, 1, 0]);
    expect(await hashes(ada)).toEqual(["d"]);
  });
}
