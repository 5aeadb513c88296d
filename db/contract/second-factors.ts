import { expect, test } from "vitest";
import { addUsers, morning, type Open } from "./setting.ts";

export function secondFactorContract(open: Open): void {
  test("replaces a secret until it is confirmed, once", async () => {
    const database = await open();
    const { secondFactors } = database;
    const [ada = 0, bo = 0] = await addUsers(database, 2);
    expect(await secondFactors.totp(ada)).toBeUndefined();
    expect(await secondFactors.startSetup(ada, "first", morning)).toBe(true);
    expect(await secondFactors.startSetup(ada, "second", morning + 1)).toBe(true);
    const row = { userId: ada, encryptedSecret: "second", createdAt: morning + 1, lastStep: 0 };
    expect(await secondFactors.totp(ada)).toEqual({ ...row, confirmedAt: null });
    expect(await secondFactors.confirm(bo, morning)).toBe(false);
    const confirm = () => secondFactors.confirm(ada, morning + 2);
    expect([await confirm(), await confirm()]).toEqual([true, false]);
    expect(await secondFactors.startSetup(ada, "third", morning + 3)).toBe(false);
    expect(await secondFactors.totp(ada)).toEqual({ ...row, confirmedAt: morning + 2 });
  });

  test("accepts a step once, and no earlier one afterwards", async () => {
    const database = await open();
    const { secondFactors } = database;
    const [ada = 0] = await addUsers(database, 1);
    await secondFactors.startSetup(ada, "secret", morning);
    const taken: boolean[] = [];
    for (const step of [5, 5, 4, 6]) taken.push(await secondFactors.consumeStep(ada, step));
    expect(taken).toEqual([true, false, false, true]);
  });

  test("accepts a recovery code once, of its user only, and replaces all of them", async () => {
    const database = await open();
    const { secondFactors } = database;
    const [ada = 0, bo = 0] = await addUsers(database, 2);
    await secondFactors.setRecoveryCodes(ada, ["a", "b"]);
    expect(await secondFactors.consumeRecoveryCode(bo, "a")).toBe(false);
    const consume = () => secondFactors.consumeRecoveryCode(ada, "a");
    expect([await consume(), await consume()]).toEqual([true, false]);
    await secondFactors.setRecoveryCodes(ada, ["c", "d", "e"]);
    expect(await secondFactors.consumeRecoveryCode(ada, "b")).toBe(false);
    expect(await secondFactors.countRecoveryCodes(ada)).toBe(3);
    await secondFactors.startSetup(ada, "secret", morning);
    expect(await secondFactors.remove(ada)).toBe(false);
    expect([await secondFactors.totp(ada), await secondFactors.countRecoveryCodes(ada)]).toEqual([
      undefined,
      0,
    ]);
  });

  test.each(["remove", "turnOff"] as const)(
    "%s leaves no session of its user that has passed",
    async (how) => {
      const database = await open();
      const { secondFactors, sessions, transaction } = database;
      const [ada = 0, bo = 0] = await addUsers(database, 2);
      for (const [index, userId] of [ada, ada, bo].entries()) {
        const session = { userId, tokenHash: `${index}`, device: "A device", createdAt: morning };
        await sessions.insert({ ...session, lastUsedAt: morning, secondFactorAt: morning }, 9);
        await secondFactors.setRecoveryCodes(userId, ["a"]);
      }
      await transaction(async () => void (await secondFactors[how](ada)));
      const passed = async (userId: number) => {
        const rows = await sessions.ofUser(userId, { usedAfter: 0, begunAfter: 0, latest: morning });
        return rows.map(({ secondFactorAt }) => secondFactorAt);
      };
      expect([await passed(ada), await passed(bo)]).toEqual([[null, null], [morning]]);
      const codes = [await secondFactors.countRecoveryCodes(ada), await secondFactors.countRecoveryCodes(bo)];
      expect(codes).toEqual([0, 1]);
    },
  );
}
