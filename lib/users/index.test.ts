import { expect, test } from "vitest";
import { addPost, addUsers, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { integrityFaults } from "../../testing/integrity.ts";
import type { Limits } from "../limits.ts";
import { listPosts } from "../posts/index.ts";
import { createRating } from "../ratings/index.ts";
import {
  changePassword,
  deleteAccount,
  logIn,
  logOutEverywhere,
  profileOf,
  register,
  setDisabled,
  userOfSession,
} from "./index.ts";

const password = "quiet water 8";
const address = "192.0.2.1";

function accounts(limits: Limits = limitsWith()) {
  const context = { database: temporaryDatabase(), limits };
  const signUp = (
    username: string,
    { email = `${username}@example.org`, from = address, now = morning } = {},
  ) => register(context, { input: { username, email, password }, address: from, now });
  /** Registers, and fails the test when that is refused. */
  const join = async (username: string) => {
    const outcome = await signUp(username);
    if (outcome.kind !== "registered") throw new Error(`Not registered: ${JSON.stringify(outcome)}`);
    return outcome;
  };
  const tryPassword = (username: string, guess: string, { from = address, now = morning } = {}) =>
    logIn(context, { input: { username, password: guess }, address: from, now });
  return { context, signUp, join, tryPassword };
}

test("The first account is the administrator's, the next ones are not", async () => {
  const { join } = accounts();
  expect((await join("alder")).user).toMatchObject({ username: "alder", isAdministrator: true });
  expect((await join("birch")).user).toMatchObject({ username: "birch", isAdministrator: false });
});

test("Of accounts that are registered at the same moment one is the administrator's and no name is given twice", async () => {
  const { signUp } = accounts();
  const outcomes = await Promise.all(
    ["alder", "ALDER", "birch", "Alder"].map((name, index) =>
      signUp(name, { email: `${index}@example.org` }),
    ),
  );
  const users = outcomes.flatMap((outcome) => (outcome.kind === "registered" ? [outcome.user] : []));
  expect(users.map(({ username }) => username.toLowerCase()).toSorted()).toEqual(["alder", "birch"]);
  expect(users.filter(({ isAdministrator }) => isAdministrator)).toHaveLength(1);
  expect(outcomes.filter(({ kind }) => kind === "taken")).toHaveLength(2);
});

test("A name or an email that differs only in case or form is taken", async () => {
  const { signUp, join } = accounts();
  await signUp("caf\u00E9", { email: "first@example.org" });
  for (const name of ["CAF\u00C9", "cafe\u0301", "ｃａｆé"])
    expect(await signUp(name, { email: "other@example.org" })).toEqual({
      kind: "taken",
      errors: { username: ["This username is taken."] },
    });
  await join("alder");
  expect(await signUp("birch", { email: "ALDER@Example.org" })).toEqual({
    kind: "taken",
    errors: { email: ["There is an account with this email."] },
  });
  expect(await signUp("Alder", { email: "alder@example.org" })).toMatchObject({
    errors: { username: expect.anything(), email: expect.anything() },
  });
});

test("Bad input is refused by name and costs nothing", async () => {
  const { context } = accounts();
  const outcome = await register(context, { input: { username: "x" }, address, now: morning });
  expect(outcome).toMatchObject({ kind: "invalid" });
  expect(outcome.kind === "invalid" && Object.keys(outcome.errors)).toEqual([
    "username",
    "email",
    "password",
  ]);
  expect(await logIn(context, { input: null, address, now: morning })).toMatchObject({ kind: "invalid" });
  expect(context.database.sqlite.prepare("select * from limiter_states").all()).toEqual([]);
});

test("A log-in goes by name in any case and starts a session that is the user's", async () => {
  const { context, join, tryPassword } = accounts();
  const { user } = await join("Alder");
  const outcome = await tryPassword("aLDER", password);
  expect(outcome).toMatchObject({ kind: "logged-in", user });
  expect(outcome.kind === "logged-in" && userOfSession(context, outcome.claim)).toEqual(user);
});

test("An unknown name and a wrong password are the same answer and cost the same in the limiter", async () => {
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

test("Guesses at one account are limited, wherever they come from and whether it exists or not", async () => {
  const limits = limitsWith({ LIMITS: '{"login.account": {"capacity": 2, "leakPerSecond": 0.1}}' });
  const { join, tryPassword } = accounts(limits);
  await join("alder");
  for (const name of ["alder", "nobody"]) {
    for (const from of ["192.0.2.1", "192.0.2.2"])
      expect((await tryPassword(name, "wrong", { from })).kind).toBe("wrong");
    expect(await tryPassword(name.toUpperCase(), "wrong", { from: "192.0.2.3" })).toMatchObject({
      kind: "limited",
      refusal: { policy: "login.account", decision: { retryAfterMs: 10_000 } },
    });
  }
  // Not even the right password gets through, or guessing on would pay.
  expect((await tryPassword("alder", password)).kind).toBe("limited");
  expect((await tryPassword("alder", password, { now: morning + 10_000 })).kind).toBe("logged-in");
});

test("Guesses from one address are limited, whichever account they are at", async () => {
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

test("A limited guess is not hashed: its answer is there before any hash could be", async () => {
  const limits = limitsWith({ LIMITS: '{"login.account": {"capacity": 1, "leakPerSecond": 0.1}}' });
  const { join, tryPassword } = accounts(limits);
  await join("alder");
  await tryPassword("alder", "wrong");
  const inOrder: string[] = [];
  await Promise.all([
    tryPassword("birch", "wrong").then(({ kind }) => inOrder.push(kind)),
    tryPassword("alder", "wrong").then(({ kind }) => inOrder.push(kind)),
  ]);
  expect(inOrder).toEqual(["limited", "wrong"]);
});

test("The right password clears the account's count, not the address's", async () => {
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

test("Registrations from one address are limited", async () => {
  const limits = limitsWith({ LIMITS: '{"register.address": {"capacity": 1, "leakPerSecond": 0.1}}' });
  const { signUp } = accounts(limits);
  expect((await signUp("alder")).kind).toBe("registered");
  expect(await signUp("birch")).toMatchObject({ kind: "limited", refusal: { policy: "register.address" } });
  expect((await signUp("birch", { from: "192.0.2.2" })).kind).toBe("registered");
});

test("A disabled user is out at once, cannot log in, and comes back when let in", async () => {
  const { context, join, tryPassword } = accounts();
  const { user: actor } = await join("alder");
  const { user, claim } = await join("birch");
  const set = (disabled: boolean, by = actor, username = "birch") =>
    setDisabled(context, { actor: by, username, disabled, now: morning });
  expect(set(true, user, "alder")).toEqual({ kind: "forbidden" });
  expect(set(true, actor, "alder")).toEqual({ kind: "forbidden" });
  expect(set(true, actor, "nobody")).toEqual({ kind: "no-such-user" });
  expect(set(true)).toEqual({ kind: "done" });
  expect(userOfSession(context, claim)).toBeNull();
  expect(await tryPassword("birch", password)).toEqual({ kind: "disabled" });
  expect(await tryPassword("birch", "wrong")).toEqual({ kind: "wrong" });
  expect(profileOf(context, "birch")).toMatchObject({ isDisabled: true });
  expect(set(false)).toEqual({ kind: "done" });
  expect((await tryPassword("birch", password)).kind).toBe("logged-in");
  // The old session stays ended.
  expect(userOfSession(context, claim)).toBeNull();
});

test("A changed password ends every session but the new one, and the old password is no good", async () => {
  const { context, join, tryPassword } = accounts();
  const { user, claim } = await join("alder");
  const change = (currentPassword: string, newPassword: string) =>
    changePassword(context, { user, input: { currentPassword, newPassword }, address, now: morning });
  expect(await change("wrong", "new password 1")).toEqual({ kind: "wrong" });
  expect(await change(password, "short")).toMatchObject({ kind: "invalid" });
  expect(userOfSession(context, claim)).toEqual(user);
  const outcome = await change(password, "new password 1");
  expect(userOfSession(context, claim)).toBeNull();
  expect(outcome.kind === "changed" && userOfSession(context, outcome.claim)).toEqual(user);
  expect((await tryPassword("alder", password)).kind).toBe("wrong");
  expect((await tryPassword("alder", "new password 1")).kind).toBe("logged-in");
});

test("Logging out everywhere ends all sessions of the user and nobody else's", async () => {
  const { context, join } = accounts();
  const [alder, birch] = [await join("alder"), await join("birch")];
  logOutEverywhere(context, alder.user);
  expect(userOfSession(context, alder.claim)).toBeNull();
  expect(userOfSession(context, birch.claim)).toEqual(birch.user);
});

test("A deleted account takes its posts and ratings along, and every score stays right", async () => {
  const { context, join, tryPassword } = accounts();
  const { database } = context;
  const { user, claim } = await join("alder");
  const [other, rater] = addUsers(database, 2);
  if (!other || !rater) throw new Error("There are no users.");
  const kept = [1, 2, 3, 4, 5, 6].map((n) => addPost(database, other, { title: `Kept ${n}` }));
  const gone = addPost(database, user, { title: "Gone" });
  const rate = (slug: string, userId: number, score: number) =>
    createRating(context, { slug, userId, address, input: { score }, now: morning });
  kept.forEach(({ slug }, score) => {
    rate(slug, user.id, score);
    rate(slug, rater.id, 5);
  });
  rate(gone.slug, rater.id, 1);

  const remove = (currentPassword: string) =>
    deleteAccount(context, { user, input: { currentPassword }, address, now: morning });
  expect(await remove("wrong")).toEqual({ kind: "wrong" });
  expect(await remove(password)).toEqual({ kind: "deleted" });

  const listed = listPosts(context, { sort: "newest", limit: 50 })?.items ?? [];
  expect(listed.map(({ counts }) => counts)).toEqual(kept.map(() => [0, 0, 0, 0, 0, 1]));
  expect(listPosts(context, { sort: "newest", limit: 50, search: "gone" })?.items).toEqual([]);
  expect(integrityFaults(database)).toEqual([]);
  // What was tried stays on the activity page, with nobody's name to it.
  expect(database.attempts.latest(kept[0]?.id ?? 0, 5).map(({ username }) => username)).toContain(null);
  expect(userOfSession(context, claim)).toBeNull();
  expect(profileOf(context, "alder")).toBeNull();
  expect(await tryPassword("alder", password)).toEqual({ kind: "wrong" });
  // The name is free, and whoever takes it is somebody new: no old session is theirs.
  await join("alder");
  expect(userOfSession(context, claim)).toBeNull();
});
