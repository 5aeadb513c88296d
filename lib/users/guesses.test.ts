import { expect, onTestFinished, test, vi } from "vitest";
import { accounts, password, sessionFor, userOf } from "../../testing/accounts.ts";
import { limitsWith, morning } from "../../testing/content.ts";
import { setDisabled } from "../account-changes/index.ts";
import { changePassword, deleteAccount } from "./index.ts";
import { passwordHasher } from "./password.ts";

test("logs in by username in any case, and starts the user's session", async () => {
  const { context, join, tryPassword } = accounts();
  const { user } = await join("Alder");
  const outcome = await tryPassword("aLDER", password);
  expect(outcome).toMatchObject({ kind: "logged-in", user });
  expect(outcome.kind === "logged-in" && (await userOf(context, outcome.sessionToken))).toEqual(user);
});

test("gives the same result and limiter cost for an unknown name and a wrong password", async () => {
  const { context, join, tryPassword } = accounts();
  await join("alder");
  expect(await tryPassword("alder", "wrong")).toEqual({ kind: "wrong" });
  expect(await tryPassword("nobody", "wrong")).toEqual({ kind: "wrong" });
  const states = context.database.sqlite
    .prepare("select state from limiter_states where key like 'login.account:%'")
    .all();
  expect(states).toHaveLength(2);
  expect(states[0]).toEqual(states[1]);
});

test("limits guesses per account and network, whether it exists or not", async () => {
  const limits = limitsWith({ LIMITS: '{"login.account": {"capacity": 2, "leakPerSecond": 0.1}}' });
  const { join, tryPassword } = accounts(limits);
  await join("alder");
  for (const name of ["alder", "stranger"]) {
    for (const from of ["192.0.2.1", "192.0.2.2"])
      expect((await tryPassword(name, "wrong", { from })).kind).toBe("wrong");
    expect(await tryPassword(name.toUpperCase(), "wrong", { from: "192.0.2.3" })).toMatchObject({
      kind: "limited",
      refusal: { policy: "login.account", decision: { retryAfterMs: 10_000 } },
    });
    expect((await tryPassword(name, "wrong", { from: "198.51.100.1" })).kind).toBe("wrong");
  }
  // The right password is refused too, otherwise guessing on would pay.
  expect((await tryPassword("alder", password)).kind).toBe("limited");
  expect((await tryPassword("alder", password, { now: morning + 10_000 })).kind).toBe("logged-in");
});

test("limits guesses per address, over all accounts", async () => {
  const limits = limitsWith({ LIMITS: '{"login.address": {"capacity": 2, "leakPerSecond": 0.1}}' });
  const { tryPassword } = accounts(limits);
  await tryPassword("alder", "wrong");
  await tryPassword("birch", "wrong");
  expect(await tryPassword("cedar", "wrong")).toMatchObject({
    kind: "limited",
    refusal: { policy: "login.address" },
  });
  expect((await tryPassword("cedar", "wrong", { from: "192.0.2.2" })).kind).toBe("wrong");
});

test("does not hash a limited guess, and hashes a guess at an unknown name", async () => {
  const limits = limitsWith({ LIMITS: '{"login.account": {"capacity": 2, "leakPerSecond": 0.1}}' });
  const { join, tryPassword } = accounts(limits);
  await join("alder");
  const checks = vi.spyOn(passwordHasher(), "check");
  onTestFinished(() => checks.mockRestore());
  for (const name of ["alder", "stranger"]) {
    const hashed = [];
    for (let guess = 0; guess < 3; guess += 1) {
      checks.mockClear();
      await tryPassword(name, "wrong");
      hashed.push(checks.mock.calls.length);
    }
    expect(hashed, name).toEqual([1, 1, 0]);
  }
});

test("resets the account's count, not the address's, on the right password", async () => {
  const limits = limitsWith({
    LIMITS:
      '{"login.account": {"capacity": 2, "leakPerSecond": 0.001}, "login.address": {"capacity": 5, "leakPerSecond": 0.001}}',
  });
  const { join, tryPassword } = accounts(limits);
  await join("alder");
  const kinds: string[] = [];
  for (const guess of ["wrong", password, "wrong", password, "wrong", password])
    kinds.push((await tryPassword("alder", guess)).kind);
  expect(kinds).toEqual(["wrong", "logged-in", "wrong", "logged-in", "wrong", "limited"]);
});

test("makes one of two simultaneous password changes and rejects the other as wrong", async () => {
  const { context, join, tryPassword } = accounts();
  const { user } = await join("alder");
  const change = async (newPassword: string) =>
    changePassword(context, {
      session: await sessionFor(context, user),
      input: { currentPassword: password, newPassword },
      address: "x",
      now: morning,
    });
  const outcomes = await Promise.all([change("the first new one"), change("the second new one")]);
  expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(["changed", "wrong"]);
  const made = outcomes[0].kind === "changed" ? "the first new one" : "the second new one";
  expect((await tryPassword("alder", made)).kind).toBe("logged-in");
});

test("makes the oldest enabled account administrator when the only administrator deletes theirs", async () => {
  const { context, join } = accounts();
  const { user } = await join("alder");
  for (const name of ["birch", "cedar"]) await join(name);
  await setDisabled(context, {
    actor: user,
    username: "birch",
    input: { disabled: true, why: "A raid." },
    now: morning,
  });
  const session = await sessionFor(context, user);
  await deleteAccount(context, { session, input: { currentPassword: password }, address: "x", now: morning });
  const administrators = context.database.sqlite
    .prepare("select username from users where is_administrator")
    .all();
  expect(administrators).toEqual([{ username: "cedar" }]);
});
