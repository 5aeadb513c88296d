import { expect, test } from "vitest";
import { addUsers, morning, type Open } from "./setting.ts";

export function passkeyContract(open: Open): void {
  async function setting() {
    const database = await open();
    const { passkeys } = database;
    const [ada = 0, bo = 0] = await addUsers(database, 2);
    const passkey = { name: "Phone", publicKey: "key", counter: 0, createdAt: morning };
    const add = (userId: number, credentialId: string, counter = 0) =>
      passkeys.insert({ ...passkey, userId, credentialId, counter });
    const ofUser = async (userId: number) =>
      (await passkeys.ofUser(userId)).map(({ credentialId }) => credentialId);
    return { ...database, ada, bo, passkey, add, ofUser };
  }

  test("saves a credential once, for one user", async () => {
    const { passkeys, ada, bo, passkey, add, ofUser } = await setting();
    const added = [await add(ada, "a"), await add(ada, "A"), await add(ada, "a"), await add(bo, "a")];
    expect(added).toEqual([true, true, false, false]);
    expect([await ofUser(ada), await ofUser(bo)]).toEqual([["a", "A"], []]);
    const [first] = await passkeys.ofUser(ada);
    const saved = { ...passkey, userId: ada, credentialId: "a", lastUsedAt: null };
    expect(first).toEqual({ ...saved, id: expect.any(Number) });
  });

  test("accepts a passkey's counter only when it grows, or stays 0", async () => {
    const { passkeys, ada, add } = await setting();
    await add(ada, "counts", 4);
    await add(ada, "does not count");
    const [counts, fixed] = await passkeys.ofUser(ada);
    const use = (id = 0, counter = 0) => passkeys.use(id, { counter, now: morning + 1 });
    const outcomes: boolean[] = [];
    for (const counter of [4, 3, 0, 5, 5, 9]) outcomes.push(await use(counts?.id, counter));
    expect(outcomes).toEqual([false, false, false, true, false, true]);
    expect([await use(fixed?.id), await use(fixed?.id), await use(-1, 9)]).toEqual([true, true, false]);
    const saved = (await passkeys.ofUser(ada)).map(({ counter, lastUsedAt }) => [counter, lastUsedAt]);
    expect(saved).toEqual([
      [9, morning + 1],
      [0, morning + 1],
    ]);
  });

  test("removes a passkey of its own user only, and all with the second factor", async () => {
    const { passkeys, secondFactors, ada, bo, add, ofUser } = await setting();
    for (const credential of ["a", "b", "c"]) await add(ada, credential);
    await add(bo, "d");
    const [first] = await passkeys.ofUser(ada);
    expect(await passkeys.remove(first?.id ?? 0, bo)).toBe(false);
    expect(await ofUser(ada)).toEqual(["a", "b", "c"]);
    const remove = () => passkeys.remove(first?.id ?? 0, ada);
    expect([await remove(), await remove()]).toEqual([true, false]);
    expect(await ofUser(ada)).toEqual(["b", "c"]);
    await secondFactors.remove(ada);
    expect([await ofUser(ada), await ofUser(bo)]).toEqual([[], ["d"]]);
  });
}
