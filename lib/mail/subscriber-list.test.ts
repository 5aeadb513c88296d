import { expect, test } from "vitest";
import { newDatabases } from "../../testing/both-databases.ts";
import { addUser, morning } from "../../testing/content.ts";
import { latestChanges } from "../account-changes/index.ts";
import { exportSubscribers, listSubscribers, removeSubscriber } from "./subscriber-list.ts";

test.each(newDatabases)(
  "on %s, administrators find a subscriber and remove it once, on record",
  async (_, open) => {
    const database = await open();
    const context = { database };
    const actor = await addUser(database, "alder", { isAdministrator: true });
    const reader = await addUser(database, "birch");
    for (const name of ["one", "two"]) {
      const email = `${name}@example.org`;
      await database.subscribers.add({ email, emailKey: email, locale: "en", createdAt: morning });
    }
    const found = await listSubscribers(context, { actor, search: "TWO@" });
    expect(found).toMatchObject({ subscribers: [{ email: "two@example.org" }], count: 1, next: null });
    const id = found.kind === "listed" ? (found.subscribers[0]?.id ?? 0) : expect.fail();
    const remove = (by = actor) => removeSubscriber(context, { actor: by, id, now: morning });
    expect(await remove(reader)).toEqual({ kind: "forbidden" });
    expect(await remove()).toEqual({ kind: "removed" });
    expect(await remove()).toEqual({ kind: "nothing-there" });
    const { changes } = await latestChanges(context, actor);
    expect(changes).toMatchObject([{ kind: "remove-subscriber", by: "alder" }]);
    expect(await listSubscribers(context, { actor: reader })).toEqual({ kind: "forbidden" });
  },
);

test.each(newDatabases)("on %s, an export is for administrators only, and on record", async (_, open) => {
  const database = await open();
  const actor = await addUser(database, "alder", { isAdministrator: true });
  const reader = await addUser(database, "birch");
  const kinds = async () => (await latestChanges({ database }, actor)).changes.map(({ kind }) => kind);
  expect(await exportSubscribers({ database }, { actor: reader, now: morning })).toBeUndefined();
  expect(await kinds()).toEqual([]);
  expect(await exportSubscribers({ database }, { actor, now: morning })).toBeDefined();
  expect(await kinds()).toEqual(["export-subscribers"]);
});
