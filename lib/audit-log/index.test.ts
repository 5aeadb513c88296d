import { expect, test } from "vitest";
import { addPost, addUser, contextOf, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { changeRole } from "../users/people.ts";
import { auditLog, entriesPerPage, type LogPlace } from "./index.ts";

test("merges changes and people's decisions by time, and pages repeat and miss none", async () => {
  const context = contextOf(temporaryDatabase());
  const { database } = context;
  const keeper = await addUser(database, "keeper", { isAdministrator: true });
  const person = await addUser(database, "person");
  const { id } = await addPost(database, person);
  for (let minute = 0; minute < entriesPerPage; minute += 1) {
    const role = minute % 2 === 0 ? "moderator" : "writer";
    const now = morning + minute * 120_000;
    await changeRole(context, { actor: keeper, username: "person", input: { role, why: "It helps." }, now });
    const decision = {
      window: 1,
      at: now + 60_000,
      status: "excluded",
      userId: keeper.id,
      ratings: 3,
    } as const;
    const why = `Decision ${minute}`;
    await database.floodWindows.recordDecision(id, {
      ...decision,
      decidedBy: "person",
      role: "administrator",
      why,
    });
    // Made by the ratings' shape: not by a person.
    await database.floodWindows.recordDecision(id, { ...decision, decidedBy: "shape", userId: null });
  }
  const times: number[] = [];
  let before: LogPlace | undefined;
  for (let pages = 1; ; pages += 1) {
    const { entries, older } = await auditLog(context, keeper, before);
    times.push(...entries.map(({ at }) => at));
    if (!older) {
      expect([pages, entries.at(-1)]).toMatchObject([2, { entry: "change", by: "keeper", why: "It helps." }]);
      break;
    }
    before = older;
  }
  const all = Array.from({ length: 2 * entriesPerPage }, (_, index) => morning + index * 60_000);
  expect(times).toEqual(all.toReversed());
  expect(await auditLog(context, person)).toEqual({ entries: [], older: null });
});
