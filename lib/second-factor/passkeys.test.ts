/** Passkeys with real keys and signatures, and the attacks on them. */
import { sign, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Database } from "../../db/index.ts";
import { address, password, sessionFor } from "../../testing/accounts.ts";
import { newAuthenticator } from "../../testing/authenticator.ts";
import { newDatabases } from "../../testing/both-databases.ts";
import { contextOf, limitsWith } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { selfSignedCertificate } from "../../testing/self-signed-certificate.ts";
import { minuteMs } from "../time/units.ts";
import { continueLogIn, logIn, type User } from "../users/index.ts";
import { createAccount } from "../users/manage.ts";
import { removeSecondFactor, secondFactorStatus } from "./index.ts";
import { secondStepOf } from "./passkey-log-in.ts";
import { addPasskey, beginPasskey, passkeysMaximum, removePasskey } from "./passkeys.ts";
import { ticketMs } from "./ticket.ts";
import { passkeySite } from "./webauthn.ts";

const origin = "https://blog.example.org";
const site = { origin, domain: "blog.example.org" };
/**
 * A time ahead of the machine's clock.
 * By that clock expired rows are removed when counts are reset.
 */
const morning = Date.UTC(2100, 0, 1);

/** An account, and the steps of adding passkeys and logging in with them. */
async function setting(database: Database) {
  const context = contextOf(database, limitsWith());
  const join = async (username: string): Promise<User> => {
    const input = { username, email: `${username}@example.org`, password };
    const outcome = await createAccount(context, { input, isAdministrator: false, now: morning });
    return outcome.kind === "registered" ? outcome.user : expect.fail(outcome.kind);
  };
  const requestOf = async (user: User, now = morning) => ({
    session: await sessionFor(context, user, now),
    address,
    now,
    site,
  });
  type PasskeyRequest = Awaited<ReturnType<typeof requestOf>>;
  const begin = async (request: PasskeyRequest, name = "Phone") => {
    const outcome = await beginPasskey(context, { ...request, input: { name, currentPassword: password } });
    return outcome.kind === "begun" ? outcome.options : expect.fail(outcome.kind);
  };
  const finish = (request: PasskeyRequest, response: string, given: Record<string, unknown> = {}) =>
    addPasskey(context, {
      ...request,
      input: { name: "Phone", currentPassword: password, response, ...given },
    });
  const add = async (request: PasskeyRequest, device = newAuthenticator()) => {
    const outcome = await finish(request, device.create({ options: await begin(request), origin }));
    return outcome.kind === "added" ? { ...outcome, device } : expect.fail(outcome.kind);
  };
  /** The password, and options for the second step. */
  const firstStep = async (username: string, now = morning) => {
    const first = await logIn(context, { input: { username, password }, address, now });
    const ticket = first.kind === "code-needed" ? first.ticket : expect.fail(first.kind);
    const options =
      (await secondStepOf(context, { ticket, site, now })).passkeyOptions ?? expect.fail("no passkey");
    return { ticket, options };
  };
  const secondStep = async (ticket: string, response: string, now = morning) =>
    (await continueLogIn(context, { ticket, passkey: { response, site }, address, now })).kind;
  const status = async (request: PasskeyRequest) => secondFactorStatus(context, request.session, morning);
  const user = await join("alder");
  return { context, user, join, requestOf, begin, finish, add, firstStep, secondStep, status };
}

describe.each(newDatabases)("on %s", (_name, open) => {
  test("adds a passkey, logs in with it once for each challenge, and removes it with the recovery codes", async () => {
    const { context, user, requestOf, add, firstStep, secondStep, status } = await setting(await open());
    const other = await sessionFor(context, user);
    const request = await requestOf(user);
    const { device, codes = [] } = await add(request);
    expect(codes).toHaveLength(10);
    expect(await context.database.transaction(() => context.database.sessions.lock(other.id, user.id))).toBe(
      false,
    );
    const { ticket, options } = await firstStep("alder");
    const response = device.authenticate({ options, origin });
    const kinds = await Promise.all([secondStep(ticket, response), secondStep(ticket, response)]);
    expect(kinds.toSorted()).toEqual(["logged-in", "wrong-code"]);
    // Another challenge of the same pending log-in.
    const again =
      (await secondStepOf(context, { ticket, site, now: morning })).passkeyOptions ?? expect.fail();
    expect(await secondStep(ticket, device.authenticate({ options: again, origin }))).toBe("logged-in");
    const { passkeys } = await status(request);
    expect(passkeys).toMatchObject([{ name: "Phone", createdAt: morning, lastUsedAt: morning }]);
    const remove = (currentPassword: string) =>
      removePasskey(context, { ...request, input: { passkey: passkeys[0]?.id, currentPassword } });
    expect(await remove("wrong")).toEqual({ kind: "wrong" });
    expect(await remove(password)).toEqual({ kind: "removed" });
    expect(await status(request)).toEqual({ app: { kind: "off" }, passkeys: [], recoveryCodes: 0 });
    expect(
      (await logIn(context, { input: { username: "alder", password }, address, now: morning })).kind,
    ).toBe("logged-in");
  });

  test("rejects another user's passkey, a removed one, and one whose counter went back", async () => {
    const { context, user, join, requestOf, begin, finish, add, firstStep, secondStep } = await setting(
      await open(),
    );
    const birch = await join("birch");
    const [mine, theirs] = [await requestOf(user), await requestOf(birch)];
    const [{ device }, others] = [await add(mine), await add(theirs)];
    const enter = async (from: typeof device, counter?: number) => {
      const { ticket, options } = await firstStep("alder");
      return secondStep(
        ticket,
        from.authenticate({ options, origin }, counter === undefined ? {} : { counter }),
      );
    };
    expect(await enter(others.device)).toBe("wrong-code");
    // The id of the right credential, signed with another key.
    const { ticket, options } = await firstStep("alder");
    const forged = others.device.authenticate({ options, origin }, { credentialId: device.credentialId });
    expect(await secondStep(ticket, forged)).toBe("wrong-code");
    const kinds: string[] = [];
    for (const counter of [0, 5, 5, 4, 0, 6]) kinds.push(await enter(device, counter));
    expect(kinds).toEqual(["logged-in", "logged-in", "wrong-code", "wrong-code", "wrong-code", "logged-in"]);
    // Removed while the log-in is pending; another keeps the second factor on.
    await add(mine);
    const pending = await firstStep("alder");
    const [first] = await context.database.passkeys.ofUser(user.id);
    await context.database.passkeys.remove(first?.id ?? 0, user.id);
    const late = device.authenticate({ options: pending.options, origin }, { counter: 7 });
    expect(await secondStep(pending.ticket, late)).toBe("wrong-code");
    // A credential that is another user's already.
    const taken = newAuthenticator().create(
      { options: await begin(mine), origin },
      { credentialId: others.device.credentialId },
    );
    expect(await finish(mine, taken)).toEqual({ kind: "wrong-passkey" });
  });
});

test("rejects a response for another challenge, origin, site or kind, and after ten minutes", async () => {
  const { context, user, requestOf, add, firstStep, secondStep } = await setting(temporaryDatabase());
  const { device } = await add(await requestOf(user));
  const { ticket, options } = await firstStep("alder");
  const later = await firstStep("alder", morning + minuteMs);
  for (const [from, deviations] of [
    ["https://evil.example", {}],
    ["http://blog.example.org", {}],
    [origin, { domain: "example.org" }],
    [origin, { type: "webauthn.create" }],
    [origin, { challenge: Buffer.from("a challenge of the attacker").toString("base64url") }],
    // A challenge that was given to another pending log-in.
    [origin, { challenge: JSON.parse(later.options).challenge }],
  ] as const)
    expect(await secondStep(ticket, device.authenticate({ options, origin: from }, deviations))).toBe(
      "wrong-code",
    );
  const response = device.authenticate({ options, origin });
  for (const malformed of ["", "{", "null", "[]", '{"id":5}', `${response} x`, response.padEnd(30_000)])
    expect(await secondStep(ticket, malformed)).toBe("wrong-code");
  expect(await secondStep(ticket, response, morning + ticketMs)).toBe("expired");
  expect(await secondStep(ticket, response, morning + ticketMs - 1)).toBe("logged-in");
  const optionsFor = async (sent: string, at: typeof site | undefined) =>
    (await secondStepOf(context, { ticket: sent, site: at, now: morning })).passkeyOptions;
  expect(await optionsFor(`${ticket}x`, site)).toBeUndefined();
  expect(await optionsFor(ticket, undefined)).toBeUndefined();
});

test("adds a passkey from its own session's challenge only, once, with the password and a short name", async () => {
  const { context, user, join, requestOf, begin, finish, status } = await setting(temporaryDatabase());
  const [request, elsewhere] = [await requestOf(user), await requestOf(user)];
  const stranger = await requestOf(await join("birch"));
  const device = newAuthenticator();
  const options = await begin(request);
  const response = device.create({ options, origin });
  const wrong = { kind: "wrong-passkey" };
  expect(await finish(elsewhere, response)).toEqual(wrong);
  expect(await finish(stranger, response)).toEqual(wrong);
  expect(await finish({ ...request, now: morning + ticketMs }, response)).toEqual(wrong);
  expect(await finish(request, device.create({ options, origin: "https://evil.example" }))).toEqual(wrong);
  expect(await finish(request, device.create({ options, origin }, { domain: "evil.example" }))).toEqual(
    wrong,
  );
  // Each credential's id as the authenticator wrote it; the one beside it does not count.
  for (const length of [0, 15]) {
    const credentialId = Buffer.alloc(length, 7).toString("base64url");
    const short = JSON.parse(device.create({ options, origin }, { credentialId }));
    for (const id of [credentialId || "AA", device.credentialId])
      expect(await finish(request, JSON.stringify({ ...short, id, rawId: id }))).toEqual(wrong);
  }
  expect(await finish(request, response, { currentPassword: "wrong" })).toEqual({ kind: "wrong" });
  for (const name of ["x".repeat(10_000), "", "two\nlines"])
    expect(await finish(request, response, { name })).toMatchObject({
      errors: { name: [expect.any(String)] },
    });
  expect(await finish(request, response, { response: "x".repeat(30_000) })).toMatchObject({
    kind: "invalid",
  });
  expect((await status(request)).passkeys).toEqual([]);
  expect((await finish(request, response)).kind).toBe("added");
  expect(await finish(request, response)).toEqual(wrong);
  expect(await finish(request, newAuthenticator().create({ options, origin }))).toEqual(wrong);
  expect(JSON.parse(await begin(request)).excludeCredentials).toMatchObject([{ id: device.credentialId }]);
  const input = { currentPassword: "wrong", name: "Phone" };
  for (let count = 0; count < 10; count += 1)
    expect(await beginPasskey(context, { ...request, input })).toEqual({ kind: "wrong" });
  expect(await beginPasskey(context, { ...request, input })).toMatchObject({ kind: "limited" });
});

test("rejects an attestation with a certificate, and fetches nothing that it names", async () => {
  const requests: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url);
    response.end();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const bound = server.address();
  const port = typeof bound === "object" ? bound?.port : undefined;
  const revocationList = `http://127.0.0.1:${port}/revoked.crl`;
  const { certificate, key } = selfSignedCertificate({ revocationList });
  const { raw } = new X509Certificate(certificate);
  const attestation = {
    format: "packed",
    statement: (signed: Buffer) =>
      new Map<string, unknown>([
        ["alg", -7],
        ["sig", new Uint8Array(sign("sha256", signed, key))],
        ["x5c", [new Uint8Array(raw)]],
      ]),
  };
  const { user, requestOf, begin, finish, status } = await setting(temporaryDatabase());
  const request = await requestOf(user);
  const answer = newAuthenticator().create({ options: await begin(request), origin }, { attestation });
  expect(await finish(request, answer)).toEqual({ kind: "wrong-passkey" });
  expect((await status(request)).passkeys).toEqual([]);
  expect(requests).toEqual([]);
});

test("gives the session administrator's rights with a first passkey, and keeps the recovery codes with a further one", async () => {
  const { context, user, requestOf, begin, finish, add, status } = await setting(temporaryDatabase());
  const request = await requestOf(user);
  await add(request);
  const token = async () => {
    const [row] = await context.database.sessions.ofUser(user.id, {
      usedAfter: 0,
      begunAfter: 0,
      latest: morning,
    });
    return row?.secondFactorAt;
  };
  expect(await token()).toBe(morning);
  // A session that has not passed does not pass by adding another.
  const late = await requestOf(user);
  expect((await add(late)).codes).toBeUndefined();
  const rows = await context.database.sessions.ofUser(user.id, {
    usedAfter: 0,
    begunAfter: 0,
    latest: morning,
  });
  expect(rows.find(({ id }) => id === late.session.id)?.secondFactorAt).toBeNull();
  expect(await status(request)).toMatchObject({ recoveryCodes: 10, passkeys: [{}, {}] });
  for (let count = 2; count < passkeysMaximum - 1; count += 1) await add(request);
  const begun = [await begin(request), await begin(request)];
  const answers = begun.map((options) => newAuthenticator().create({ options, origin }));
  expect((await finish(request, answers[0] ?? "")).kind).toBe("added");
  expect(await finish(request, answers[1] ?? "")).toEqual({ kind: "too-many" });
  const more = { ...request, input: { name: "Phone", currentPassword: password } };
  expect(await beginPasskey(context, more)).toEqual({ kind: "too-many" });
  expect(await removeSecondFactor(context, { ...request, input: { currentPassword: password } })).toEqual({
    kind: "off",
  });
  expect(await status(request)).toEqual({ app: { kind: "off" }, passkeys: [], recoveryCodes: 0 });
});

test("knows which pending log-ins take passkeys only, and which take codes of an app, too", async () => {
  const { context, user, requestOf, add, firstStep } = await setting(temporaryDatabase());
  await add(await requestOf(user));
  const { ticket } = await firstStep("alder");
  const hasPasskeysOnly = async (sent = ticket) =>
    !(await secondStepOf(context, { ticket: sent, site, now: morning })).hasApp;
  expect([await hasPasskeysOnly(), await hasPasskeysOnly(`${ticket}x`)]).toEqual([true, false]);
  const { secondFactors } = context.database;
  await secondFactors.startSetup(user.id, "an encrypted secret", morning);
  expect(await hasPasskeysOnly()).toBe(true);
  await secondFactors.confirm(user.id, morning);
  expect(await hasPasskeysOnly()).toBe(false);
});

test("counts passkeys by address only, so that wrong ones lock no owner out", async () => {
  const { context, user, requestOf, add, firstStep, secondStep } = await setting(temporaryDatabase());
  const { device } = await add(await requestOf(user));
  const { ticket, options } = await firstStep("alder");
  for (let count = 0; count < 30; count += 1) expect(await secondStep(ticket, "{}")).toBe("wrong-code");
  expect(await secondStep(ticket, "{}")).toBe("limited");
  const response = device.authenticate({ options, origin });
  const elsewhere = { ticket, passkey: { response, site }, address: "198.51.100.7", now: morning };
  expect((await continueLogIn(context, elsewhere)).kind).toBe("logged-in");
});

test.each([
  ["https://blog.example.org", "blog.example.org"],
  ["http://localhost:3000", "localhost"],
  ["http://blog.example.org", undefined],
  ["https://192.0.2.1", undefined],
  ["https://[2001:db8::1]", undefined],
  [undefined, undefined],
])("makes passkeys at the origin %s for the domain %s", (given, domain) => {
  expect(passkeySite(given)?.domain).toBe(domain);
});
