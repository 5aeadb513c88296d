/** Guesses at a password, which must neither succeed nor lock the owner out. */
import { describe, expect, test } from "vitest";
import type { Database } from "../../db/index.ts";
import { address, password, sessionFor } from "../../testing/accounts.ts";
import { newDatabases } from "../../testing/both-databases.ts";
import { contextOf, limitsWith, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { createApiToken } from "../api-tokens/index.ts";
import { dayMs } from "../time/units.ts";
import { delayMaximumMs } from "./guess-budgets.ts";
import { changePassword, deleteAccount, logIn, type User } from "./index.ts";
import { rememberBrowser } from "./known-browsers.ts";
import { createAccount } from "./manage.ts";

/** An account, a way to guess at it, and the delays of the guesses. */
async function setting(database: Database, limits = limitsWith()) {
  const delays: number[] = [];
  const context = { ...contextOf(database, limits), sleep: async (ms: number) => void delays.push(ms) };
  const made = async (username: string): Promise<User> => {
    const input = { username, email: `${username}@example.org`, password };
    const outcome = await createAccount(context, { input, isAdministrator: false, now: morning });
    return outcome.kind === "registered" ? outcome.user : expect.fail(outcome.kind);
  };
  const user = await made("alder");
  const guess = (
    guessed: string,
    from: string,
    {
      now = morning,
      browser,
      username = "alder",
    }: { now?: number; browser?: string; username?: string } = {},
  ) => logIn(context, { input: { username, password: guessed }, address: from, now, browser });
  const kindsOf = async (count: number, from: (index: number) => string) => {
    const kinds: string[] = [];
    for (let index = 0; index < count; index += 1) kinds.push((await guess("wrong", from(index))).kind);
    return kinds;
  };
  return { context, user, made, guess, kindsOf, delays };
}

async function rowOf({ database }: { database: Database }, { id }: User) {
  return (await database.users.byId(id)) ?? expect.fail("deleted");
}

const elsewhere = (index: number) => `203.0.${index % 250}.${1 + Math.floor(index / 250)}`;

describe.each(newDatabases)("on %s", (_name, open) => {
  test("an attacker in forty networks keeps the owner out neither of their own network nor of their browser", async () => {
    const { context, user, guess, kindsOf, delays } = await setting(await open());
    const kinds = await kindsOf(120, (index) => elsewhere(index % 40));
    expect(new Set(kinds)).toEqual(new Set(["wrong"]));
    // The owner's own network.
    expect((await guess(password, address)).kind).toBe("logged-in");
    await kindsOf(60, (index) => elsewhere(index % 20));
    const before = delays.length;
    // A browser that was logged in before is not even delayed, also from a network that has used up its guesses.
    const browser = rememberBrowser(undefined, await rowOf(context, user), context.browserSecret());
    expect((await guess(password, elsewhere(0), { browser })).kind).toBe("logged-in");
    expect(delays.length).toBe(before);
    expect(Math.max(...delays)).toBeLessThanOrEqual(delayMaximumMs);
  });

  test("guesses at log-in use up none of a logged-in owner's own password attempts", async () => {
    const { context, user, kindsOf } = await setting(await open());
    await kindsOf(40, () => address);
    const request = async () => ({ session: await sessionFor(context, user), address, now: morning });
    const token = { name: "A script", scopes: ["read"], lifetime: "90", currentPassword: password };
    expect((await createApiToken(context, { ...(await request()), input: token })).kind).toBe("created");
    const wrong = { ...token, currentPassword: "wrong" };
    for (let count = 0; count < 10; count += 1)
      expect((await createApiToken(context, { ...(await request()), input: wrong })).kind).toBe("wrong");
    expect(await createApiToken(context, { ...(await request()), input: wrong })).toMatchObject({
      kind: "limited",
      refusal: { policy: "password.user" },
    });
    // One purpose leaves the others their own.
    const change = { currentPassword: password, newPassword: "another quiet river" };
    expect((await changePassword(context, { ...(await request()), input: change })).kind).toBe("changed");
    const gone = { currentPassword: "another quiet river" };
    expect((await deleteAccount(context, { ...(await request()), input: gone })).kind).toBe("deleted");
  });
});

test("a network has ten guesses at an account at once, and 288 more each day", async () => {
  const { guess } = await setting(temporaryDatabase());
  const addresses = (index: number) => `192.0.2.${index}`;
  let wrongGuesses = 0;
  const stepMs = 60_000;
  for (let minute = 0; minute <= dayMs / stepMs; minute += 1)
    for (let count = 0; count < (minute === 0 ? 12 : 1); count += 1) {
      const outcome = await guess("wrong", addresses((minute + count) % 200), {
        now: morning + minute * stepMs,
      });
      if (outcome.kind === "wrong") wrongGuesses += 1;
      else expect(outcome).toMatchObject({ kind: "limited", refusal: { policy: "login.account" } });
    }
  expect(wrongGuesses).toBe(298);
});

test("counts IPv6 guesses at an account by /48", async () => {
  const { kindsOf } = await setting(temporaryDatabase());
  const kinds = await kindsOf(12, (index) => `2001:db8:1:${index.toString(16)}::/64`);
  expect(kinds).toEqual([...Array<string>(10).fill("wrong"), "limited", "limited"]);
});

test("delays strangers' guesses at an account, whether it exists or not, once twenty were made", async () => {
  for (const username of ["alder", "nobody"]) {
    const { guess, delays } = await setting(temporaryDatabase());
    for (let index = 0; index < 22; index += 1)
      expect((await guess("wrong", elsewhere(index), { username })).kind).toBe("wrong");
    expect(delays).toEqual([delayMaximumMs, delayMaximumMs]);
  }
});

test("limits a known browser's guesses, and counts those with a forged or foreign mark as strangers'", async () => {
  const limits = limitsWith({
    LIMITS:
      '{"login.known-browser": {"capacity": 2, "leakPerSecond": 0.001}, "login.account": {"capacity": 1, "leakPerSecond": 0.001}}',
  });
  const { context, user, made, guess } = await setting(temporaryDatabase(), limits);
  const other = await made("birch");
  const secret = context.browserSecret();
  const [mine, others] = [await rowOf(context, user), await rowOf(context, other)];
  const own = rememberBrowser(undefined, mine, secret);
  const shared = rememberBrowser(own, others, secret);
  for (const browser of [own, shared]) expect((await guess("wrong", "x", { browser })).kind).toBe("wrong");
  expect(await guess(password, "x", { browser: own })).toMatchObject({
    kind: "limited",
    refusal: { policy: "login.known-browser" },
  });
  const [id = "", mark = ""] = own.split(".");
  const forged = [
    rememberBrowser(undefined, others, secret),
    rememberBrowser(undefined, mine, "a guessed secret"),
    `${"A".repeat(22)}.${mark}`,
    id,
    `${id}.`,
    "…",
  ];
  for (const [index, browser] of forged.entries()) {
    const from = elsewhere(index);
    expect((await guess("wrong", from, { browser })).kind).toBe("wrong");
    expect(await guess("wrong", from, { browser })).toMatchObject({ refusal: { policy: "login.account" } });
  }
});

test("a browser is a stranger's again once the password was changed", async () => {
  const limits = limitsWith({ LIMITS: '{"login.account": {"capacity": 1, "leakPerSecond": 0.001}}' });
  const { context, user, guess } = await setting(temporaryDatabase(), limits);
  const browser = rememberBrowser(undefined, await rowOf(context, user), context.browserSecret());
  const input = { currentPassword: password, newPassword: "another quiet river" };
  expect(
    (
      await changePassword(context, {
        session: await sessionFor(context, user),
        input,
        address,
        now: morning,
      })
    ).kind,
  ).toBe("changed");
  expect((await guess("wrong", address, { browser })).kind).toBe("wrong");
  expect(await guess("wrong", address, { browser })).toMatchObject({ refusal: { policy: "login.account" } });
  const again = rememberBrowser(browser, await rowOf(context, user), context.browserSecret());
  expect((await guess("wrong", address, { browser: again })).kind).toBe("wrong");
});

test("remembers a browser for the five accounts logged in to last", () => {
  const passwordHash = "hash";
  let cookie: string | undefined;
  for (const userId of [1, 2, 3, 2, 4, 5, 6])
    cookie = rememberBrowser(cookie, { id: userId, passwordHash }, "secret");
  const marks = (cookie ?? "").split(".").slice(1);
  const known = [1, 2, 3, 4, 5, 6].map(
    (id) => rememberBrowser(cookie, { id, passwordHash }, "secret").split(".")[1] ?? "",
  );
  expect(known.map((mark) => marks.includes(mark))).toEqual([false, true, true, true, true, true]);
});
