import { expect, test } from "vitest";
import { addUser, addUsers, dayMs, morning, type Open } from "./setting.ts";

export function invitationContract(open: Open): void {
  const invitation = (createdBy: number, tokenHash: string, expiresAt = morning + dayMs) => ({
    tokenHash,
    note: "For دوست",
    createdBy,
    createdAt: morning,
    expiresAt,
  });

  test("an invitation is open until it is used or expires, and is used once, also concurrently", async () => {
    const database = await open();
    const { invitations, transaction, users } = database;
    const [ada = 0, bo = 0] = await addUsers(database, 2);
    await users.setAdministrator(ada, true);
    await invitations.insert(invitation(ada, "a"));
    await expect(invitations.insert(invitation(ada, "a"))).rejects.toThrow();
    expect(await invitations.open("a", morning + dayMs - 1)).toEqual({ makesWriter: true });
    expect(await invitations.open("a", morning + dayMs)).toBeUndefined();
    expect(await invitations.open("b", morning)).toBeUndefined();
    expect(await invitations.use("a", morning + dayMs)).toBeUndefined();
    const uses = await Promise.all(
      Array.from({ length: 5 }, () => transaction(() => invitations.use("a", morning + 1))),
    );
    const [used, ...more] = uses.flatMap((each) => each ?? []);
    expect([used?.note, more]).toEqual(["For دوست", []]);
    await invitations.setUser(used?.id ?? 0, bo);
    expect(await invitations.open("a", morning + 1)).toBeUndefined();
    const { tokenHash: _hash, createdBy: _creator, ...shown } = invitation(ada, "a");
    expect(await invitations.latest(9)).toEqual([
      {
        ...shown,
        id: used?.id,
        createdBy: "user-1",
        isByAdministrator: true,
        makesWriter: true,
        usedAt: morning + 1,
        usedBy: "user-2",
      },
    ]);
  });

  test("an invitation is open while its maker is an administrator who is not disabled", async () => {
    const database = await open();
    const { invitations, users } = database;
    const [ada = 0] = await addUsers(database, 1);
    await invitations.insert(invitation(ada, "a"));
    const isOpen = async () => {
      const found = (await invitations.open("a", morning)) !== undefined;
      expect((await invitations.latest(1))[0]?.isByAdministrator).toBe(found);
      return found;
    };
    expect(await isOpen()).toBe(false);
    expect(await invitations.use("a", morning)).toBeUndefined();
    await users.setAdministrator(ada, true);
    expect(await isOpen()).toBe(true);
    await users.setDisabledAt(ada, morning);
    expect(await isOpen()).toBe(false);
    await users.remove(ada);
    expect(await isOpen()).toBe(false);
    expect(await invitations.use("a", morning)).toBeUndefined();
  });

  test("lists invitations newest first, removes unused ones, and keeps those of deleted users", async () => {
    const database = await open();
    const { invitations, users } = database;
    const [ada = 0, bo = 0] = await addUsers(database, 2);
    await users.setAdministrator(ada, true);
    for (const hash of ["a", "b", "c"]) await invitations.insert(invitation(ada, hash));
    await invitations.setUser((await invitations.use("b", morning))?.id ?? 0, bo);
    await users.remove(ada);
    await users.remove(bo);
    const latest = await invitations.latest(2);
    expect(latest.map(({ usedAt, usedBy }) => [usedAt, usedBy])).toEqual([
      [null, null],
      [morning, null],
    ]);
    const removed: (string | undefined)[] = [];
    for (const { id } of await invitations.latest(9)) removed.push(await invitations.removeUnused(id));
    expect(removed).toEqual(["For دوست", undefined, "For دوست"]);
    expect((await invitations.latest(9)).map(({ usedAt }) => usedAt)).toEqual([morning]);
  });

  test("an account waits for approval from an instant on, until it is approved or made an administrator", async () => {
    const database = await open();
    const { users } = database;
    const [ada, bo] = [
      await addUser(database, "ada", { pendingSince: morning + 1 }),
      await addUser(database, "bo", { pendingSince: morning }),
    ];
    await addUser(database, "cy");
    expect((await users.pending(9)).map(({ id }) => id)).toEqual([bo, ada]);
    expect((await users.pending(1, { offset: 1 })).map(({ id }) => id)).toEqual([ada]);
    await users.approve(bo);
    expect((await users.byId(bo))?.pendingSince).toBeNull();
    await users.setAdministrator(ada, false);
    expect((await users.pending(9)).map(({ id }) => id)).toEqual([ada]);
    await users.setAdministrator(ada, true);
    expect(await users.pending(9)).toEqual([]);
  });

  test("finds accounts that wait by a part of their name or email, and by their network", async () => {
    const database = await open();
    const { users } = database;
    const waits = (name: string, pendingNetwork?: string) =>
      addUser(database, name, { pendingSince: morning, ...(pendingNetwork && { pendingNetwork }) });
    const [one, other] = [await waits("a_1", "n1"), await waits("ab1", "n1")];
    const [third] = [await waits("100%", "n2"), await waits("elsewhere")];
    await addUser(database, "a_2");
    const found = async (filter: Parameters<typeof users.countPending>[0]) => {
      const ids = (await users.pending(9, filter)).map(({ id }) => id);
      expect(await users.countPending(filter)).toBe(ids.length);
      return ids;
    };
    expect(await found({ search: "a_1" })).toEqual([one]);
    expect(await found({ search: "0%" })).toEqual([third]);
    expect(await found({ search: "\\" })).toEqual([]);
    expect(await found({ search: "ab1@exa" })).toEqual([other]);
    expect(await found({ network: "n1" })).toEqual([one, other]);
    expect(await found({ network: "n1", search: "b" })).toEqual([other]);
    expect((await users.pending(9)).map(({ ofNetwork }) => ofNetwork)).toEqual([2, 2, 1, 0]);
    await users.approve(one);
    expect((await users.pending(9)).map(({ ofNetwork }) => ofNetwork)).toEqual([1, 1, 0]);
  });
}
