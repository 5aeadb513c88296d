import { lookup } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import { accounts, address, password, sessionFor } from "../../testing/accounts.ts";
import { limitsWith, morning } from "../../testing/content.ts";
import type { Guard } from "../limits/types.ts";
import { changePassword, logIn, register } from "./index.ts";
import { createPasswordHasher, passwordHasher } from "./password.ts";

function newHasher(settings: Parameters<typeof createPasswordHasher>[0]) {
  const hasher = createPasswordHasher(settings);
  onTestFinished(() => hasher.close());
  return hasher;
}

test("files, names and the database answer while hundreds of passwords wait", async () => {
  const { context, join } = accounts();
  await join("alder");
  const hasher = newHasher({ waitingMaximum: 500 });
  let hashed = 0;
  const passwords = Array.from({ length: 500 }, async () => {
    await hasher.hash(password);
    hashed += 1;
  });
  const all = Promise.allSettled(passwords);
  const file = await readFile(import.meta.filename, "utf8");
  expect(file).toContain("hundreds of passwords");
  expect(await lookup("localhost")).toMatchObject({ address: expect.any(String) });
  expect(await context.database.users.byUsernameKey("alder")).toMatchObject({ username: "alder" });
  expect(hashed).toBeLessThan(500);
  await hasher.close();
  await all;
});

test("takes two passwords at once and 20 that wait, and more as soon as there is room", async () => {
  const hasher = newHasher({});
  const outcomes = Array.from({ length: 24 }, () => hasher.hash(password));
  expect(hasher.isBusy()).toBe(true);
  expect(await Promise.all(outcomes.slice(22))).toEqual(Array(2).fill({ kind: "passwords-busy" }));
  const hashes = await Promise.all(outcomes.slice(0, 22));
  expect(hashes.map(({ kind }) => kind)).toEqual(Array(22).fill("hashed"));
  expect(hasher.isBusy()).toBe(false);
});

test("knows a password by its hash in every form of Unicode, and none without a hash", async () => {
  const hasher = newHasher({});
  const hashed = await hasher.hash("caf\u00e9 au lait");
  const hash = hashed.kind === "hashed" ? hashed.hash : expect.fail(hashed.kind);
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await hasher.check(hash, "cafe\u0301 au lait")).toEqual({ kind: "right" });
  expect(await hasher.check(hash, "cafe au lait")).toEqual({ kind: "wrong" });
  expect(await hasher.check(undefined, "caf\u00e9 au lait")).toEqual({ kind: "wrong" });
});

test("a password that ends its thread fails alone, and those that wait go to another thread", async () => {
  const hasher = newHasher({ threads: 1 });
  const malformed = hasher.check("no hash", password);
  const next = hasher.hash(password);
  await expect(malformed).rejects.toThrow();
  expect(await next).toMatchObject({ kind: "hashed" });
  expect(await hasher.hash(password)).toMatchObject({ kind: "hashed" });
});

test("fails the passwords that it has when it is closed, those that wait too", async () => {
  const hasher = createPasswordHasher({ threads: 1 });
  const outcomes = Promise.allSettled([hasher.hash(password), hasher.hash(password)]);
  await hasher.close();
  expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await expect(hasher.hash(password)).rejects.toThrow("closed");
});

test("refuses strangers' passwords while too many wait, later known users' too, and counts none of them", async () => {
  const { context, join, signUp, tryPassword } = accounts();
  const { user } = await join("alder");
  const states = () => context.database.sqlite.prepare("select * from limiter_states order by key").all();
  const before = states();
  const full = () => Array.from({ length: 22 }, () => passwordHasher().hash(password));
  const known = () =>
    Array.from({ length: 20 }, (_, index) => passwordHasher().check(undefined, password, 100 + index));
  const input = { currentPassword: password, newPassword: "still water 9" };
  const session = await sessionFor(context, user);
  const change = () => changePassword(context, { session, input, address: "192.0.2.1", now: morning });
  const busy = { kind: "passwords-busy" };
  const strangers = full();
  expect(await tryPassword("alder", password)).toEqual(busy);
  const all = [...strangers, ...known()];
  expect(await change()).toEqual(busy);
  expect(states()).toEqual(before);
  await Promise.all(all);
  const others = full();
  expect((await change()).kind).toBe("changed");
  await Promise.all(others);
  expect((await tryPassword("alder", "still water 9")).kind).toBe("logged-in");
  expect((await signUp("birch")).kind).toBe("registered");
});

test("a guess that finds the queue full after it was counted is not counted", async () => {
  const limits = limitsWith({ LIMITS: '{"login.delay": {"capacity": 2, "leakPerSecond": 0.001}}' });
  const { context, join, tryPassword } = accounts(limits);
  await join("alder");
  for (let count = 0; count < 2; count += 1) expect((await tryPassword("alder", "wrong")).kind).toBe("wrong");
  const states = () =>
    context.database.sqlite.prepare("select key, state from limiter_states order by key").all();
  const before = states();
  let full: Promise<unknown>[] = [];
  const fill = async () => {
    full = Array.from({ length: 22 }, () => passwordHasher().hash(password));
  };
  // It waits here, counted: others have guessed at this account before.
  const late = logIn(
    { ...context, sleep: fill },
    { input: { username: "alder", password }, address: "192.0.2.1", now: morning },
  );
  expect(await late).toEqual({ kind: "passwords-busy" });
  expect(states()).toEqual(before);
  await Promise.all(full);
});

test("a registration that finds the queue full after it was counted is not counted", async () => {
  const { context, join } = accounts();
  await join("alder");
  const levels = () =>
    context.database.sqlite
      .prepare("select state from limiter_states where key like 'register.%' order by key")
      .all();
  const before = levels();
  let full: Promise<unknown>[] = [];
  const run: Guard["run"] = async (request) => {
    const outcome = await context.guard.run(request);
    full = Array.from({ length: 22 }, () => passwordHasher().hash(password));
    return outcome;
  };
  // Without a challenge, so that the password follows at once.
  const registration = { ...context.registration, challenge: null };
  const late = { ...context, registration, guard: { ...context.guard, run } };
  const input = { username: "birch", email: "birch@example.org", password };
  expect(await register(late, { input, address, now: morning })).toEqual({ kind: "passwords-busy" });
  expect(levels()).toEqual(before);
  await Promise.all(full);
});

test("eleven accounts that confirm their passwords without end shut out neither other users nor strangers", async () => {
  const { context, join, tryPassword } = accounts();
  const { user } = await join("alder");
  const session = await sessionFor(context, user);
  const input = { currentPassword: password, newPassword: "still water 9" };
  const change = () => changePassword(context, { session, input, address: "192.0.2.1", now: morning });
  const flood = () =>
    Array.from({ length: 44 }, (_, index) =>
      passwordHasher().check(undefined, password, 100 + Math.floor(index / 4)),
    );
  const first = flood();
  expect((await change()).kind).toBe("changed");
  const second = flood();
  expect((await tryPassword("alder", "still water 9")).kind).toBe("logged-in");
  await Promise.all([...first, ...second]);
});

test("known users fill half of the general places, and each gets one of those kept for them", async () => {
  const hasher = newHasher({ threads: 1, waitingMaximum: 5, keptForKnown: 2 });
  const check = (knownUser?: number) => hasher.check(undefined, password, knownUser);
  const outcomes = [check(1), check(1), check(1)];
  expect([hasher.isBusy(), hasher.isBusy(1), hasher.isBusy(2)]).toEqual([false, true, false]);
  outcomes.push(check(2));
  expect([hasher.isBusy(), hasher.isBusy(2), hasher.isBusy(3)]).toEqual([false, true, false]);
  outcomes.push(check(3));
  expect([hasher.isBusy(), hasher.isBusy(4)]).toEqual([false, true]);
  outcomes.push(check(), check(), check());
  expect(hasher.isBusy()).toBe(true);
  expect((await Promise.all(outcomes)).map(({ kind }) => kind)).toEqual(Array(8).fill("wrong"));
  expect([hasher.isBusy(), hasher.isBusy(1)]).toEqual([false, false]);
});
