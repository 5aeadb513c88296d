import { expect, test } from "vitest";
import { accounts, address, password, sessionFor, userOf } from "../../testing/accounts.ts";
import { addPost, addUsers, limitsWith, morning } from "../../testing/content.ts";
import { integrityFaults } from "../../testing/integrity.ts";
import { mailSettings } from "../../testing/mail-settings.ts";
import { setDisabled } from "../account-changes/index.ts";
import { apiTokensOf, createApiToken } from "../api-tokens/index.ts";
import type { MailSettings } from "../mail/settings.ts";
import { listPosts } from "../posts/index.ts";
import { createRating } from "../ratings/index.ts";
import { removeAll } from "../removals/index.ts";
import { beginSecondFactor } from "../second-factor/index.ts";
import {
  changePassword,
  deleteAccount,
  logIn,
  logOutEverywhere,
  profileOf,
  register,
  type User,
} from "./index.ts";
import { createAccount, resetPassword } from "./manage.ts";

test("makes only the first account administrator", async () => {
  const { join } = accounts();
  expect((await join("alder")).user).toMatchObject({ username: "alder", isAdministrator: true });
  expect((await join("birch")).user).toMatchObject({ username: "birch", isAdministrator: false });
});

test("makes one administrator and gives no name twice when accounts register at the same moment", async () => {
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

test("treats names and emails that differ only in case or form as taken", async () => {
  const { signUp, join } = accounts();
  await signUp("caf\u00E9", { email: "first@example.org" });
  for (const name of ["CAF\u00C9", "cafe\u0301", "ｃａｆé"])
    expect(await signUp(name, { email: "other@example.org" })).toEqual({
      kind: "taken",
      errors: { username: ["This username is taken: choose another."] },
    });
  await join("alder");
  expect(await signUp("birch", { email: "ALDER@Example.org" })).toEqual({
    kind: "taken",
    errors: { email: ["There is an account with this email already: log in, or use another."] },
  });
  expect(await signUp("Alder", { email: "alder@example.org" })).toMatchObject({
    errors: { username: expect.anything(), email: expect.anything() },
  });
});

test("reports invalid input by field, at no cost in the limiter", async () => {
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

test("limits registrations per address", async () => {
  const limits = limitsWith({ LIMITS: '{"register.address": {"capacity": 1, "leakPerSecond": 0.1}}' });
  const { signUp } = accounts(limits);
  expect((await signUp("alder")).kind).toBe("registered");
  expect(await signUp("birch")).toMatchObject({ kind: "limited", refusal: { policy: "register.address" } });
  expect((await signUp("birch", { from: "192.0.2.2" })).kind).toBe("registered");
});

test("logs a disabled user out at once, and lets them log in again once enabled", async () => {
  const { context, join, tryPassword } = accounts();
  const { user: actor } = await join("alder");
  const { user, sessionToken } = await join("birch");
  const set = (disabled: boolean, by = actor, username = "birch") =>
    setDisabled(context, { actor: by, username, input: { disabled, why: "A raid." }, now: morning });
  expect(await set(true, user, "alder")).toEqual({ kind: "forbidden" });
  expect(await set(true, actor, "alder")).toEqual({ kind: "is-administrator" });
  expect(await set(true, actor, "nobody")).toEqual({ kind: "no-such-user" });
  expect(await set(true)).toMatchObject({ kind: "done" });
  expect(await userOf(context, sessionToken)).toBeNull();
  expect(await tryPassword("birch", password)).toEqual({ kind: "disabled" });
  expect(await tryPassword("birch", "wrong")).toEqual({ kind: "wrong" });
  expect(await profileOf(context, "birch")).toMatchObject({ isDisabled: true });
  expect(await set(false)).toMatchObject({ kind: "done" });
  expect((await tryPassword("birch", password)).kind).toBe("logged-in");
  // The old session stays ended.
  expect(await userOf(context, sessionToken)).toBeNull();
});

test("executes no request with a password in a session that ends meanwhile", async () => {
  const { context, join, tryPassword } = accounts();
  const { user } = await join("alder");
  const session = await sessionFor(context, user);
  const request = { session, address, now: morning, input: { currentPassword: password } };
  const token = { name: "a script", scopes: ["read"], lifetime: "30", currentPassword: password };
  // The password of each is being checked when the sessions end.
  const running = [
    changePassword(context, { ...request, input: { ...request.input, newPassword: "new password 1" } }),
    createApiToken(context, { ...request, input: token }),
    beginSecondFactor(context, request),
    deleteAccount(context, request),
  ];
  await logOutEverywhere(context, user);
  const ended = { kind: "session-ended" };
  expect(await Promise.all(running)).toEqual([ended, ended, ended, ended]);
  expect(await apiTokensOf(context, user, morning)).toEqual([]);
  expect((await tryPassword("alder", password)).kind).toBe("logged-in");
});

test("queues a notice when the password changes, by its owner or the operator, where mail is set up", async () => {
  const { context, join } = accounts();
  const { user } = await join("alder");
  const change = async (mail: MailSettings | null, from: string, to: string) =>
    changePassword(
      { ...context, mail },
      {
        session: await sessionFor(context, user),
        input: { currentPassword: from, newPassword: to },
        address,
        now: morning,
      },
    );
  expect((await change(null, password, "new password 1")).kind).toBe("changed");
  expect(await context.database.mails.all()).toEqual([]);
  expect((await change(mailSettings, "wrong", "new password 2")).kind).toBe("wrong");
  expect((await change(mailSettings, "new password 1", "new password 2")).kind).toBe("changed");
  const input = { newPassword: "new password 3" };
  await resetPassword({ ...context, mail: mailSettings }, { username: "alder", input, now: morning });
  const queued = await context.database.mails.all();
  expect(queued.map(({ userId, address, data }) => [userId, address, JSON.parse(data)])).toEqual([
    [user.id, "alder@example.org", { username: "alder", by: "owner" }],
    [user.id, "alder@example.org", { username: "alder", by: "operator" }],
  ]);
});

test("ends all other sessions when the password changes, and rejects the old password", async () => {
  const { context, join, tryPassword } = accounts();
  const { user, sessionToken } = await join("alder");
  const change = async (currentPassword: string, newPassword: string) => {
    const session = await sessionFor(context, user);
    return changePassword(context, {
      session,
      input: { currentPassword, newPassword },
      address,
      now: morning,
    });
  };
  expect(await change("wrong", "new password 1")).toEqual({ kind: "wrong" });
  expect(await change(password, "short")).toMatchObject({ kind: "invalid" });
  expect(await userOf(context, sessionToken)).toEqual(user);
  const outcome = await change(password, "new password 1");
  expect(await userOf(context, sessionToken)).toBeNull();
  expect(outcome.kind === "changed" && (await userOf(context, outcome.sessionToken))).toEqual(user);
  expect((await tryPassword("alder", password)).kind).toBe("wrong");
  expect((await tryPassword("alder", "new password 1")).kind).toBe("logged-in");
});

test("ends all sessions of one user, and of no other, on logging out everywhere", async () => {
  const { context, join } = accounts();
  const [alder, birch] = [await join("alder"), await join("birch")];
  await logOutEverywhere(context, alder.user);
  expect(await userOf(context, alder.sessionToken)).toBeNull();
  expect(await userOf(context, birch.sessionToken)).toEqual(birch.user);
});

test("deletes an account's posts and ratings, and keeps every score exact", async () => {
  const { context, join, tryPassword } = accounts();
  const { database } = context;
  const { user, sessionToken } = await join("alder");
  const [other, rater] = await addUsers(database, 2);
  if (!other || !rater) throw new Error("There are no users.");
  const kept: { id: number; slug: string }[] = [];
  for (let n = 1; n <= 6; n += 1) kept.push(await addPost(database, other, { title: `Kept ${n}` }));
  const gone = await addPost(database, user, { title: "Gone" });
  const rate = (slug: string, by: User, score: number) =>
    createRating(context, { slug, user: by, address, input: { score }, now: morning });
  for (const [score, { slug }] of kept.entries()) {
    await rate(slug, user, score);
    await rate(slug, rater, 5);
  }
  await rate(gone.slug, rater, 1);

  const session = await sessionFor(context, user);
  const remove = (currentPassword: string) =>
    deleteAccount(context, { session, input: { currentPassword }, address, now: morning });
  expect(await remove("wrong")).toEqual({ kind: "wrong" });
  expect(await remove(password)).toEqual({ kind: "deleted" });

  await removeAll(context, () => morning, { pauseMs: 0 });
  const listed = (await listPosts(context, { sort: "newest", limit: 50 }))?.items ?? [];
  expect(listed.map(({ counts }) => counts)).toEqual(kept.map(() => [0, 0, 0, 0, 0, 1]));
  expect((await listPosts(context, { sort: "newest", limit: 50, search: "gone" }))?.items).toEqual([]);
  expect(await integrityFaults(database)).toEqual([]);
  // Attempts stay on the activity page, without a name.
  expect((await database.attempts.latest(kept[0]?.id ?? 0, 5)).map(({ username }) => username)).toContain(
    null,
  );
  expect(await userOf(context, sessionToken)).toBeNull();
  expect(await profileOf(context, "alder")).toBeNull();
  expect(await tryPassword("alder", password)).toEqual({ kind: "wrong" });
  // The name is free again, and old sessions do not belong to its new owner.
  await join("alder");
  expect(await userOf(context, sessionToken)).toBeNull();
});

test("gives no name twice to accounts that look alike and register at the same moment", async () => {
  const { signUp } = accounts();
  const outcomes = await Promise.all(["alder", "a1der", "aIder"].map((name) => signUp(name)));
  expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(["registered", "taken", "taken"]);
});

test("gives a reserved name to the first account and by the operator only", async () => {
  const { context, signUp } = accounts();
  expect((await signUp("admin")).kind).toBe("registered");
  const refused = { kind: "taken", errors: { username: ["This username is reserved: choose another."] } };
  for (const name of ["moderator", "rn0derator", "Adm1n.", "s-u-p-p-o-r-t"])
    expect(await signUp(name, { email: "new@example.org" })).toEqual(refused);
  const input = { username: "moderator", email: "moderator@example.org", password };
  expect(await createAccount(context, { input, isAdministrator: false, now: morning })).toMatchObject({
    kind: "registered",
  });
});
