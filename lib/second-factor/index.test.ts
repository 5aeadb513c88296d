import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";
import { accounts, address, password } from "../../testing/accounts.ts";
import { limitsWith, morning } from "../../testing/content.ts";
import { setDisabled } from "../account-changes/index.ts";
import { sessionOf } from "../sessions/index.ts";
import { delayMaximumMs } from "../users/guess-budgets.ts";
import { continueLogIn, logIn, type User } from "../users/index.ts";
import { removeSecondFactor as removeByOperator } from "../users/manage.ts";
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  secondFactorStatus,
} from "./index.ts";
import { newRecoveryCodes, recoveryCodeHash } from "./recovery-codes.ts";
import { newTicket, ticketMs } from "./ticket.ts";
import { newTotpSecret, totpAddress, totpStep } from "./totp.ts";

const stepMs = 30_000;

// RFC 6238, appendix B, for SHA-1: the last six of its eight digits. The secret is "12345678901234567890" in base32.
test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("accepts the code of RFC 6238 for second %i", (second, code) => {
  const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  const step = Math.floor(second / 30);
  const stepAt = (now: number, lastStep = 0) => totpStep(secret, code, { lastStep, now });
  expect(stepAt(second * 1_000)).toBe(step);
  expect([stepAt((step + 2) * stepMs - 1), stepAt((step - 1) * stepMs)]).toEqual([step, step]);
  expect([stepAt((step + 2) * stepMs), stepAt((step - 1) * stepMs - 1)]).toEqual([undefined, undefined]);
  expect(stepAt(second * 1_000, step)).toBeUndefined();
});

test("accepts nothing but six digits, and names site and user in the address", () => {
  const secret = newTotpSecret();
  for (const code of ["", "12345", "1234567", "12345a", "１２３４５６"])
    expect(totpStep(secret, code, { lastStep: 0, now: morning })).toBeUndefined();
  const url = new URL(totpAddress(secret, { site: "blog.example.org", username: "alder" }));
  expect([url.protocol, url.searchParams.get("secret")]).toEqual(["otpauth:", secret]);
  expect(decodeURIComponent(url.pathname)).toContain("blog.example.org:alder");
});

function codeAt(secret: string, now: number): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: now });
}

/** A user in a session, and the steps of logging in. */
async function setting(limits = limitsWith()) {
  const { context, join, tryPassword } = accounts(limits);
  const { sessionToken } = await join("alder");
  const session = async (token: string, adminSecondFactor: "optional" | "required" = "optional") =>
    (await sessionOf({ ...context, adminSecondFactor }, token, morning)) ??
    expect.fail("The session has ended.");
  const current = await session(sessionToken);
  const request = { session: current, address, now: morning, input: { currentPassword: password } };
  /** Turns the second factor on; returns its secret and the recovery codes. */
  const turnOn = async () => {
    expect(await beginSecondFactor(context, request)).toEqual({ kind: "begun" });
    const { app } = await secondFactorStatus(context, current, morning);
    const secret = app.kind === "pending" ? app.secret : expect.fail(app.kind);
    const input = { currentPassword: password, code: codeAt(secret, morning) };
    const outcome = await confirmSecondFactor(context, { ...request, input });
    return { secret, codes: (outcome.kind === "on" && outcome.codes) || expect.fail(outcome.kind) };
  };
  const enter = async (code: string, { now = morning + stepMs, from = address } = {}) => {
    const first = await tryPassword("alder", password, { now, from });
    const ticket = first.kind === "code-needed" ? first.ticket : expect.fail(first.kind);
    return continueLogIn(context, { ticket, code, address: from, now });
  };
  return { context, join, tryPassword, session, sessionToken, current, request, turnOn, enter };
}

test("takes a code after the password, each once, and no code from before", async () => {
  const { turnOn, enter, tryPassword } = await setting();
  const { secret } = await turnOn();
  expect((await tryPassword("alder", "wrong")).kind).toBe("wrong");
  expect(await enter("000000")).toEqual({ kind: "wrong-code" });
  // The code that turned it on.
  expect(await enter(codeAt(secret, morning))).toEqual({ kind: "wrong-code" });
  const code = codeAt(secret, morning + stepMs);
  const kinds = await Promise.all([enter(code), enter(code)]);
  expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(["logged-in", "wrong-code"]);
});

test("takes password and code together, as the API sends them", async () => {
  const { context, turnOn } = await setting();
  const { secret } = await turnOn();
  const now = morning + stepMs;
  const send = (code: string) =>
    logIn(context, { input: { username: "alder", password, code }, address, now });
  expect((await send("000000")).kind).toBe("wrong-code");
  expect((await send(codeAt(secret, now))).kind).toBe("logged-in");
});

test("takes each recovery code once, in any case and grouping, until new ones are made", async () => {
  const { context, request, turnOn, enter } = await setting();
  const { codes } = await turnOn();
  const [first = "", second = "", third = ""] = codes;
  expect(new Set(codes).size).toBe(10);
  expect((await enter(first)).kind).toBe("logged-in");
  expect((await enter(first)).kind).toBe("wrong-code");
  expect((await enter(second.replaceAll("-", " ").toUpperCase())).kind).toBe("logged-in");
  expect((await renewRecoveryCodes(context, request)).kind).toBe("renewed");
  expect((await enter(third)).kind).toBe("wrong-code");
});

test("keeps neither the secret nor recovery codes readable", async () => {
  const { context, turnOn } = await setting();
  const { secret, codes } = await turnOn();
  const text = JSON.stringify(
    ["totp_secrets", "recovery_codes"].map((table) =>
      context.database.sqlite.prepare(`select * from ${table}`).all(),
    ),
  );
  for (const each of [secret, ...codes]) expect(text).not.toContain(each);
  expect(text).toContain(recoveryCodeHash(codes[0] ?? ""));
});

test("limits guesses of codes by account and network, and takes a recovery code all the same", async () => {
  const { turnOn, enter } = await setting();
  const { secret, codes } = await turnOn();
  for (let index = 0; index < 5; index += 1)
    expect((await enter("000000", { from: `203.0.113.${index}` })).kind).toBe("wrong-code");
  expect(await enter(codeAt(secret, morning + stepMs), { from: "203.0.113.9" })).toMatchObject({
    kind: "limited",
    refusal: { policy: "login.second-factor" },
  });
  expect((await enter(codes[0] ?? "", { from: "203.0.113.9" })).kind).toBe("logged-in");
});

test("an attacker who has the password keeps the owner out with no number of codes, and only delays", async () => {
  const { context, turnOn } = await setting();
  const { secret } = await turnOn();
  const user = (await context.database.users.byId(1)) ?? expect.fail("The account is gone.");
  const delays: number[] = [];
  const waiting = { ...context, sleep: async (ms: number) => void delays.push(ms) };
  const enter = (code: string, now: number, from = address) =>
    continueLogIn(waiting, {
      ticket: newTicket(user, context.secondFactorKey(), now),
      code,
      address: from,
      now,
    });
  // An hour of guesses from ever new networks, and the owner's log-in after each.
  for (let minute = 5; minute <= 60; minute += 5) {
    const now = morning + minute * 60_000;
    for (let index = 0; index < 6; index += 1)
      expect((await enter("000000", now, `203.${minute}.${index}.1`)).kind).toBe("wrong-code");
    expect((await enter(codeAt(secret, now), now)).kind).toBe("logged-in");
  }
  expect(delays).toEqual([]);
  const now = morning + 2 * 3_600_000;
  for (let index = 0; index < 30; index += 1) await enter("000000", now, `203.100.${index}.1`);
  expect(delays).toHaveLength(10);
  expect((await enter(codeAt(secret, now), now)).kind).toBe("logged-in");
  expect(Math.max(...delays)).toBe(delayMaximumMs);
});

test("a ticket is good for ten minutes, one user and one password, and not when it is changed", async () => {
  const { context, join, turnOn } = await setting();
  const { codes } = await turnOn();
  const { user: other } = await join("birch");
  const row = async (id: number) => (await context.database.users.byId(id)) ?? expect.fail("gone");
  const alder = await row(1);
  const key = context.secondFactorKey();
  const ticket = newTicket(alder, key, morning);
  const send = (sent: string, now = morning) =>
    continueLogIn(context, { ticket: sent, code: codes[0] ?? "", address, now });
  for (const forged of [
    "",
    "1",
    ticket.replace(/^1\./, `${other.id}.`),
    `${ticket.slice(0, -1)}!`,
    newTicket(alder, Buffer.alloc(32), morning),
    newTicket({ ...alder, passwordHash: "former" }, key, morning),
  ])
    expect(await send(forged)).toEqual({ kind: "expired" });
  expect(await send(ticket, morning + ticketMs)).toEqual({ kind: "expired" });
  expect((await send(ticket, morning + ticketMs - 1)).kind).toBe("logged-in");
});

test("turning the second factor on ends the other sessions, and on and off take the password", async () => {
  const { context, request, tryPassword, session, turnOn, sessionToken, current } = await setting();
  const before = await tryPassword("alder", password);
  const wrong = { ...request, input: { currentPassword: "wrong" } };
  expect(await beginSecondFactor(context, wrong)).toEqual({ kind: "wrong" });
  await turnOn();
  expect((await session(sessionToken)).secondFactorAt).toBe(morning);
  expect(before.kind === "logged-in" && (await sessionOf(context, before.sessionToken, morning))).toBeNull();
  expect(await beginSecondFactor(context, request)).toEqual({ kind: "on-already" });
  expect(await removeSecondFactor(context, wrong)).toEqual({ kind: "wrong" });
  expect(await removeSecondFactor(context, request)).toEqual({ kind: "off" });
  expect(await secondFactorStatus(context, current, morning)).toEqual({
    app: { kind: "off" },
    passkeys: [],
    recoveryCodes: 0,
  });
  expect((await tryPassword("alder", password)).kind).toBe("logged-in");
});

test("a stolen session cannot confirm a pending secret without the password, within the limit of passwords", async () => {
  const { context, request, current } = await setting();
  expect(await beginSecondFactor(context, request)).toEqual({ kind: "begun" });
  const { app } = await secondFactorStatus(context, current, morning);
  const secret = app.kind === "pending" ? app.secret : expect.fail(app.kind);
  const code = codeAt(secret, morning);
  const confirm = (input: unknown) => confirmSecondFactor(context, { ...request, input });
  expect(await confirm({ code })).toMatchObject({ errors: { currentPassword: ["Enter your password."] } });
  expect(await confirm({ currentPassword: password })).toMatchObject({
    errors: { code: ["Enter your code."] },
  });
  for (let count = 0; count < 10; count += 1)
    expect(await confirm({ code, currentPassword: "wrong" })).toEqual({ kind: "wrong" });
  expect(await confirm({ code, currentPassword: "wrong" })).toMatchObject({
    kind: "limited",
    refusal: { policy: "password.user" },
  });
  expect((await secondFactorStatus(context, current, morning)).app.kind).toBe("pending");
});

test("where the second factor is required, an administrator has the role only in a session that passed it", async () => {
  const { context, join, session, sessionToken, turnOn, enter } = await setting();
  await join("birch");
  const disable = async (actor: User) =>
    (
      await setDisabled(context, {
        actor,
        username: "birch",
        input: { disabled: true, why: "A raid." },
        now: morning,
      })
    ).kind;
  // A session from before it was required.
  const { user } = await session(sessionToken, "required");
  const loggedIn = await logIn(
    { ...context, adminSecondFactor: "required" },
    { input: { username: "alder", password }, address, now: morning },
  );
  expect(loggedIn.kind === "logged-in" && loggedIn.user).toEqual(user);
  expect(user).toMatchObject({ isAdministrator: false, lacksSecondFactor: true });
  expect(await disable(user)).toBe("forbidden");
  expect((await session(sessionToken)).user.isAdministrator).toBe(true);
  const { codes } = await turnOn();
  expect((await session(sessionToken, "required")).user.isAdministrator).toBe(true);
  const entered = await enter(codes[0] ?? "");
  const again = await session(entered.kind === "logged-in" ? entered.sessionToken : "", "required");
  expect(again.user).toMatchObject({ isAdministrator: true });
  expect(await disable(again.user)).toBe("done");
});

test("the operator removes a lost second factor, and all sessions end", async () => {
  const { context, turnOn, tryPassword, sessionToken } = await setting();
  await turnOn();
  expect(await removeByOperator(context, { username: "nobody" })).toEqual({ kind: "no-such-user" });
  expect(await removeByOperator(context, { username: "alder" })).toEqual({ kind: "done", username: "alder" });
  expect(await sessionOf(context, sessionToken, morning)).toBeNull();
  expect((await tryPassword("alder", password)).kind).toBe("logged-in");
});

test("makes recovery codes that are not guessable", () => {
  for (const code of newRecoveryCodes()) expect(code).toMatch(/^(?:[a-z2-7]{4}-){3}[a-z2-7]{4}$/);
});
