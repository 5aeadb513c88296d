import { expect, test } from "vitest";
import { accounts, addApiToken, address, password, sessionFor, userOf } from "../../testing/accounts.ts";
import { morning } from "../../testing/content.ts";
import { changeSelected, latestChanges } from "../account-changes/index.ts";
import { removeAll } from "../removals/index.ts";
import { deleteAccount, type User } from "./index.ts";
import { createAccount, listUsers, resetPassword, setRoleByOperator } from "./manage.ts";
import { changeRole, type PersonRole } from "./people.ts";

test("creates an account under the rules of registration, optionally as administrator", async () => {
  const { context, join, tryPassword } = accounts();
  await join("alder");
  const create = (username: string, isAdministrator = false, email = `${username}@example.org`) =>
    createAccount(context, { input: { username, email, password }, isAdministrator, now: morning });
  expect(await create("birch", true)).toMatchObject({ kind: "registered", user: { isAdministrator: true } });
  expect(await create("cedar")).toMatchObject({ kind: "registered", user: { isAdministrator: false } });
  expect(await create("ALDER", false, "other@example.org")).toMatchObject({ kind: "taken" });
  expect(await create("a b")).toMatchObject({ kind: "invalid", errors: { username: expect.anything() } });
  expect((await tryPassword("birch", password)).kind).toBe("logged-in");
});

test("keeps at least one administrator who can log in", async () => {
  const { context, join } = accounts();
  for (const name of ["alder", "birch", "cedar"]) await join(name);
  const make = (username: string, isAdministrator: boolean) =>
    setRoleByOperator(context, { username, role: "administrator", given: isAdministrator, now: morning });
  const disable = async (username: string, disabled = true) => {
    const input = { usernames: [username], disabled };
    const outcome = await changeSelected(context, { actor: null, input, now: morning });
    const isRefused = outcome.kind === "done" && outcome.refused.length > 0;
    return { kind: isRefused ? "last-administrator" : outcome.kind };
  };
  expect((await make("alder", false)).kind).toBe("last-administrator");
  expect((await disable("alder")).kind).toBe("last-administrator");
  expect(await make("BIRCH", true)).toEqual({ kind: "done", username: "birch" });
  expect((await disable("birch")).kind).toBe("done");
  // A disabled administrator does not count, and can be demoted.
  expect((await make("alder", false)).kind).toBe("last-administrator");
  expect((await disable("birch", false)).kind).toBe("done");
  expect((await make("alder", false)).kind).toBe("done");
  expect((await make("cedar", false)).kind).toBe("done");
  expect((await make("nobody", true)).kind).toBe("no-such-user");
  const administrators = (await listUsers(context)).filter(({ isAdministrator }) => isAdministrator);
  expect(administrators.map(({ username }) => username)).toEqual(["birch"]);
});

test("keeps one of two administrators who are demoted at the same moment", async () => {
  const { context, join } = accounts();
  for (const name of ["alder", "birch"]) await join(name);
  await setRoleByOperator(context, { username: "birch", role: "administrator", given: true, now: morning });
  const outcomes = await Promise.all(
    ["alder", "birch"].map((username) =>
      setRoleByOperator(context, { username, role: "administrator", given: false, now: morning }),
    ),
  );
  expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(["done", "last-administrator"]);
});

test("records each change of a role with its maker and time, for administrators", async () => {
  const { context, join } = accounts();
  const { user: keeper } = await join("keeper");
  const { user: alder } = await join("alder");
  const give = (role: PersonRole) => ({
    actor: keeper,
    username: "alder",
    input: { role, why: "It helps." },
    now: morning + 1,
  });
  for (const role of ["moderator", "moderator", "reader"] as const) await changeRole(context, give(role));
  await setRoleByOperator(context, {
    username: "alder",
    role: "administrator",
    given: true,
    now: morning + 2,
  });
  expect((await latestChanges(context, keeper)).changes).toMatchObject([
    { kind: "make-administrator", actor: "operator", by: null, at: morning + 2, usernames: ["alder"] },
    { kind: "remove-moderator", by: "keeper", at: morning + 1, usernames: ["alder"] },
    { kind: "make-moderator", by: "keeper", at: morning + 1, usernames: ["alder"] },
  ]);
  expect((await latestChanges(context, alder)).changes).toEqual([]);
});

test("keeps the record of an account's change after both the administrator and the account are deleted", async () => {
  const { context, join } = accounts();
  const { user: keeper } = await join("keeper");
  await join("alder");
  const { user: birch } = await join("birch");
  const input = { role: "moderator", why: "It helps." };
  await changeRole(context, { actor: keeper, username: "birch", input, now: morning });
  const leave = async (user: User, now: number) => {
    const session = await sessionFor(context, user);
    return deleteAccount(context, { session, input: { currentPassword: password }, address, now });
  };
  expect(await leave(birch, morning + 1)).toEqual({ kind: "deleted" });
  expect(await leave(keeper, morning + 2)).toEqual({ kind: "deleted" });
  const alder = (await context.database.users.byUsernameKey("alder")) ?? expect.fail("The account is gone.");
  await removeAll(context, () => morning + 3, { pauseMs: 0 });
  expect((await latestChanges(context, alder)).changes).toMatchObject([
    { kind: "make-administrator", actor: "server", by: null, usernames: ["alder"], accounts: 1 },
    { kind: "delete", actor: "owner", at: morning + 2, accounts: 1 },
    { kind: "delete", actor: "owner", at: morning + 1, accounts: 1 },
    { kind: "make-moderator", actor: "administrator", by: null, usernames: [], accounts: 1, accountsLeft: 0 },
  ]);
});

test("replaces the password and ends every session and API token on reset", async () => {
  const { context, join, tryPassword } = accounts();
  const { user, sessionToken } = await join("alder");
  await addApiToken(context.database, user.id);
  const reset = (username: string, newPassword: string) =>
    resetPassword(context, { username, input: { newPassword }, now: morning });
  expect(await reset("alder", "short")).toMatchObject({ kind: "invalid" });
  expect(await reset("nobody", "another password")).toEqual({ kind: "no-such-user" });
  expect((await userOf(context, sessionToken))?.username).toBe("alder");
  expect(await reset("alder", "another password")).toEqual({ kind: "done", username: "alder" });
  expect(await userOf(context, sessionToken)).toBeNull();
  expect(await context.database.apiTokens.ofUser(user.id)).toEqual([]);
  expect((await tryPassword("alder", password)).kind).toBe("wrong");
  expect((await tryPassword("alder", "another password")).kind).toBe("logged-in");
});
