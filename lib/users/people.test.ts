import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../db/dialects/postgres/index.ts";
import { accounts, address, password, sessionFor, userOf } from "../../testing/accounts.ts";
import { addUser, limitsWith, morning } from "../../testing/content.ts";
import { patientTimeouts, sharedPostgres } from "../../testing/postgres-server.ts";
import { changeSelected, latestChanges } from "../account-changes/index.ts";
import { changePassword } from "./index.ts";
import {
  changeRole,
  changeRoleInSession,
  endSessionsOf,
  type PeopleRequest,
  peoplePerPage,
  personNamed,
  searchPeople,
} from "./people.ts";

/** An administrator, and others of these names. */
async function setting(...names: string[]) {
  const { context, join } = accounts(limitsWith({ LIMITS: '{"password.user": {"capacity": 2}}' }));
  const { user: keeper } = await join("keeper");
  const joined = new Map<string, Awaited<ReturnType<typeof join>>>();
  for (const name of names) joined.set(name, await join(name));
  const get = (name: string) => joined.get(name) ?? expect.fail(`no ${name}`);
  const namesFound = async (request: PeopleRequest) => {
    const found = await searchPeople(context, keeper, request);
    return found.kind === "people" ? found.people.map(({ username }) => username) : expect.fail(found.kind);
  };
  const make = async (
    username: string,
    role: string,
    actor = keeper,
    {
      why = "They asked for it.",
      currentPassword = password,
    }: { why?: string; currentPassword?: string } = {},
  ) => {
    const session = { ...(await sessionFor(context, actor)), user: actor };
    const input = { role, why, currentPassword };
    return changeRoleInSession(context, { session, address, username, input, now: morning });
  };
  const makeByToken = (username: string, role: string, actor = keeper) =>
    changeRole(context, { actor, username, input: { role, why: "They asked for it." }, now: morning });
  const roleOf = async (username: string) => {
    const found = await personNamed(context, { actor: keeper, username, now: morning });
    return found.kind === "person" ? found.person.role : found.kind;
  };
  return { context, keeper, get, namesFound, make, makeByToken, roleOf };
}

test("finds people by the beginning of their name, or with an @ of their email, in order", async () => {
  const { namesFound } = await setting("alder", "Alma", "birch");
  expect(await namesFound({ search: " AL" })).toEqual(["alder", "Alma"]);
  expect(await namesFound({ search: "lder" })).toEqual([]);
  expect(await namesFound({ search: "birch@ex" })).toEqual(["birch"]);
  expect(await namesFound({ search: "%" })).toEqual([]);
});

test("lists the newest first without a search, and only staff or disabled accounts", async () => {
  const { context, keeper, make, namesFound } = await setting("alder", "birch", "cedar");
  await make("alder", "moderator");
  const input = { disabled: true, usernames: ["birch"], why: "A raid." };
  await changeSelected(context, { actor: keeper, input, now: morning });
  expect(await namesFound({})).toEqual(["cedar", "birch", "alder", "keeper"]);
  expect(await namesFound({ kind: "staff" })).toEqual(["alder", "keeper"]);
  expect(await namesFound({ kind: "disabled" })).toEqual(["birch"]);
});

test("pages follow one another by name and by age, without gaps", async () => {
  const { context, keeper } = await setting();
  const { users } = context.database;
  const names = Array.from({ length: peoplePerPage + 5 }, (_, index) => `user-${100 + index}`);
  for (const name of names)
    await users.insert({
      username: name,
      usernameKey: name,
      email: `${name}@example.org`,
      emailKey: `${name}@example.org`,
      passwordHash: "",
      isAdministrator: false,
      createdAt: morning,
    });
  for (const [search, all] of [
    ["user-", names],
    ["", [...names.toReversed(), "keeper"]],
  ] as const) {
    const first = await searchPeople(context, keeper, { search });
    if (first.kind !== "people" || first.next === null) return expect.fail("no second page");
    const second = await searchPeople(context, keeper, { search, after: first.next });
    if (second.kind !== "people") return expect.fail(second.kind);
    expect([...first.people, ...second.people].map(({ username }) => username)).toEqual(all);
    expect(second.next).toBeNull();
  }
});

test("gives and takes roles, on record with the reason", async () => {
  const { context, keeper, make, roleOf } = await setting("alder");
  for (const role of ["moderator", "administrator", "reader", "administrator", "moderator", "reader"]) {
    expect(await make("ALDER", role)).toEqual({ kind: "done", username: "alder", role });
    expect(await roleOf("alder")).toBe(role);
  }
  const { changes } = await latestChanges(context, keeper);
  expect(changes.every(({ by, why }) => by === "keeper" && why === "They asked for it.")).toBe(true);
  expect(changes.map(({ kind }) => kind).toReversed()).toEqual([
    "make-moderator",
    "make-administrator",
    "remove-moderator",
    "remove-administrator",
    "make-administrator",
    "make-moderator",
    "remove-administrator",
    "remove-moderator",
  ]);
});

test("needs a reason and a role that exists, and changes no own role", async () => {
  const { make, roleOf } = await setting("alder");
  expect(await make("alder", "moderator", undefined, { why: " " })).toEqual({
    kind: "invalid",
    errors: { why: ["Say why in a sentence."] },
  });
  expect(await make("alder", "king")).toMatchObject({
    kind: "invalid",
    errors: { role: [expect.any(String)] },
  });
  expect(await make("keeper", "reader")).toEqual({ kind: "own-role" });
  expect(await make("missing", "reader")).toEqual({ kind: "no-such-user" });
  expect([await roleOf("alder"), await roleOf("keeper")]).toEqual(["reader", "administrator"]);
});

test("making and unmaking an administrator needs the acting one's password, no other role does", async () => {
  const { context, keeper, make, makeByToken, roleOf } = await setting("alder");
  const wrong = { currentPassword: "not the password" };
  const roles = async () => [await roleOf("alder"), (await latestChanges(context, keeper)).changes.length];
  expect(await make("alder", "moderator", keeper, { currentPassword: "" })).toMatchObject({ kind: "done" });
  for (const [from, to] of [
    ["moderator", "administrator"],
    ["administrator", "reader"],
  ] as const) {
    const before = await roles();
    expect(before[0]).toBe(from);
    expect(await makeByToken("alder", to)).toEqual({ kind: "password-required" });
    expect(await make("alder", to, keeper, { currentPassword: "" })).toMatchObject({
      kind: "invalid",
      errors: { currentPassword: [expect.any(String)] },
    });
    expect(await make("alder", to, keeper, wrong)).toEqual({ kind: "wrong" });
    expect(await roles()).toEqual(before);
    expect(await make("alder", to)).toMatchObject({ kind: "done", role: to });
  }
  for (let guesses = 0; guesses < 2; guesses += 1)
    expect(await make("alder", "administrator", keeper, wrong)).toEqual({ kind: "wrong" });
  expect(await make("alder", "administrator")).toMatchObject({ kind: "limited" });
  expect(await roleOf("alder")).toBe("reader");
});

test("makes no administrator in a session that ended with its password", async () => {
  const { context, keeper, roleOf } = await setting("alder");
  const [stolen, session] = [await sessionFor(context, keeper), await sessionFor(context, keeper)];
  const change = { currentPassword: password, newPassword: "another quiet water" };
  const changed = await changePassword(context, { session, input: change, address, now: morning });
  expect(changed.kind).toBe("changed");
  for (const [currentPassword, kind] of [
    [password, "wrong"],
    [change.newPassword, "session-ended"],
  ]) {
    const input = { role: "administrator", why: "Mine.", currentPassword };
    const request = { session: stolen, address, username: "alder", input, now: morning };
    expect(await changeRoleInSession(context, request)).toEqual({ kind });
  }
  expect(await roleOf("alder")).toBe("reader");
});

test("keeps one of two administrators who demote each other at the same moment", async () => {
  const { keeper, make, get, roleOf } = await setting("alder");
  await make("alder", "administrator");
  const alder = { ...get("alder").user, isAdministrator: true };
  const outcomes = await Promise.all([make("alder", "reader"), make("keeper", "reader", alder)]);
  expect(outcomes.map(({ kind }) => kind)).toContain("done");
  expect([await roleOf("alder"), await roleOf("keeper")].toSorted()).toEqual(["administrator", "reader"]);
  expect(keeper.isAdministrator).toBe(true);
});

test("keeps an administrator whose demoter is demoted at the same moment", async () => {
  const url = await (await sharedPostgres()).newMigratedDatabase();
  const database = await openPostgres(url, { timeouts: patientTimeouts });
  const sql = postgres(url, { max: 1 });
  onTestFinished(async () => {
    await database.close();
    await sql.end();
  });
  const keeper = await addUser(database, "keeper", { isAdministrator: true });
  await addUser(database, "alder", { isAdministrator: true });
  const [isDemoted, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = database.transaction(async () => {
    await database.users.hasOtherAdministrator(keeper.id);
    await database.users.setAdministrator(keeper.id, false);
    isDemoted.resolve();
    await mayEnd.promise;
  });
  await isDemoted.promise;
  // Gets past the check of the keeper's own right, and waits for the other demotion.
  const input = { role: "reader", why: "They asked for it." };
  const second = changeRole({ database }, { actor: keeper, username: "alder", input, now: morning });
  const waiting = () =>
    sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  let isOver = false;
  void second.finally(() => {
    isOver = true;
  });
  await expect.poll(async () => isOver || (await waiting()).length === 1).toBe(true);
  mayEnd.resolve();
  await first;
  expect(await second).toEqual({ kind: "last-administrator" });
  expect((await database.users.byUsernameKey("alder"))?.isAdministrator).toBe(true);
});

test("ends one session of a person, or all, on record", async () => {
  const { context, keeper, get } = await setting("alder");
  const { user, sessionToken } = get("alder");
  await sessionFor(context, user);
  const read = () => personNamed(context, { actor: keeper, username: "alder", now: morning });
  const before = await read();
  if (before.kind !== "person") return expect.fail(before.kind);
  expect(before.sessions).toHaveLength(2);
  const end = (session: number | "all", username = "alder", actor = keeper) =>
    endSessionsOf(context, { actor, username, session, now: morning });
  for (const [id, name] of [
    [before.sessions[0]?.id ?? 0, "keeper"],
    [999, "alder"],
  ] as const)
    expect(await end(id, name)).toEqual({ kind: "no-such-session" });
  expect(await read()).toMatchObject({ sessions: [{}, {}] });
  expect((await latestChanges(context, keeper)).changes).toEqual([]);
  expect(await end(before.sessions[0]?.id ?? 0)).toEqual({ kind: "done" });
  expect(await read()).toMatchObject({ sessions: [{}] });
  expect(await end("all")).toEqual({ kind: "done" });
  expect(await read()).toMatchObject({ sessions: [] });
  expect(await userOf(context, sessionToken)).toBeNull();
  const [change] = (await latestChanges(context, keeper)).changes;
  expect(change).toMatchObject({ kind: "end-sessions", by: "keeper", usernames: ["alder"] });
});

test("shows and changes nothing for others, nor for an administrator who was demoted since", async () => {
  const { context, get, make } = await setting("alder", "birch");
  const stranger = get("alder").user;
  const demoted = { ...get("birch").user, isAdministrator: true };
  const now = morning;
  expect(await searchPeople(context, stranger, {})).toEqual({ kind: "forbidden" });
  expect(await personNamed(context, { actor: stranger, username: "keeper", now })).toEqual({
    kind: "forbidden",
  });
  for (const actor of [stranger, demoted]) {
    expect(await make("keeper", "reader", actor)).toEqual({ kind: "forbidden" });
    expect(await endSessionsOf(context, { actor, username: "keeper", session: "all", now })).toEqual({
      kind: "forbidden",
    });
  }
});
