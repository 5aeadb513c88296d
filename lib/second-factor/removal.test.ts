/** Removed second factors leave no rows, on both databases. */
import { Secret, TOTP } from "otpauth";
import { describe, expect, test } from "vitest";
import type { Database } from "../../db/index.ts";
import { address, password } from "../../testing/accounts.ts";
import { newAuthenticator } from "../../testing/authenticator.ts";
import { newDatabases } from "../../testing/both-databases.ts";
import { contextOf, limitsWith, morning } from "../../testing/content.ts";
import { type Session, sessionOf, startSession } from "../sessions/index.ts";
import { changePassword } from "../users/index.ts";
import { createAccount } from "../users/manage.ts";
import { beginSecondFactor, confirmSecondFactor, removeSecondFactor, secondFactorStatus } from "./index.ts";
import { addPasskey, beginPasskey, removePasskey } from "./passkeys.ts";

const origin = "https://blog.example.org";
const site = { origin, domain: "blog.example.org" };

/** An administrator in two sessions, who adds and removes second factors. */
async function setting(database: Database) {
  const context = { ...contextOf(database, limitsWith()), adminSecondFactor: "required" as const };
  const account = { username: "alder", email: "alder@example.org", password };
  const outcome = await createAccount(context, { input: account, isAdministrator: true, now: morning });
  const { user } = outcome.kind === "registered" ? outcome : expect.fail(outcome.kind);
  const newToken = (secondFactorAt: number | null) =>
    database.transaction(() => startSession(database, { userId: user.id, secondFactorAt, now: morning }));
  const token = await newToken(null);
  const session = async (of = token) =>
    (await sessionOf(context, of, morning)) ?? expect.fail("It has ended");
  const isAdministrator = async (of = token) => (await session(of)).user.isAdministrator;
  const request = { session: await session(), address, now: morning, site };
  const confirmation = { currentPassword: password };
  const beginApp = async () => {
    expect(await beginSecondFactor(context, { ...request, input: confirmation })).toEqual({ kind: "begun" });
    const { app } = await secondFactorStatus(context, request.session, morning);
    return app.kind === "pending" ? app.secret : expect.fail(app.kind);
  };
  const addApp = async () => {
    const code = TOTP.generate({ secret: Secret.fromBase32(await beginApp()), timestamp: morning });
    expect((await confirmSecondFactor(context, { ...request, input: { ...confirmation, code } })).kind).toBe(
      "on",
    );
  };
  const addPhone = async () => {
    const named = { ...confirmation, name: "Phone" };
    const begun = await beginPasskey(context, { ...request, input: named });
    const options = begun.kind === "begun" ? begun.options : expect.fail(begun.kind);
    const response = newAuthenticator().create({ options, origin });
    expect((await addPasskey(context, { ...request, input: { ...named, response } })).kind).toBe("added");
    return (await database.passkeys.ofUser(user.id)).at(-1)?.id ?? expect.fail("It was not saved");
  };
  const removePhone = async (passkey: number) =>
    (await removePasskey(context, { ...request, input: { ...confirmation, passkey } })).kind;
  const removeAll = async () => (await removeSecondFactor(context, { ...request, input: confirmation })).kind;
  const change = async (by: Session) => {
    const passwords = { currentPassword: password, newPassword: "another calm pond 9" };
    const changed = await changePassword(context, { ...request, session: by, input: passwords });
    return changed.kind === "changed" ? changed.sessionToken : expect.fail(changed.kind);
  };
  const status = () => secondFactorStatus(context, request.session, morning);
  return {
    newToken,
    session,
    isAdministrator,
    beginApp,
    addApp,
    addPhone,
    removePhone,
    removeAll,
    change,
    status,
  };
}

type Setting = Awaited<ReturnType<typeof setting>>;

/** Adds a second factor; resolves to the function that removes it. */
const kinds: readonly [name: string, add: (given: Setting) => Promise<() => Promise<string>>][] = [
  [
    "an app",
    async ({ addApp, removeAll }) => {
      await addApp();
      return removeAll;
    },
  ],
  [
    "a passkey",
    async ({ addPhone, removePhone }) => {
      const id = await addPhone();
      return () => removePhone(id);
    },
  ],
];

describe.each(newDatabases)("on %s", (_name, open) => {
  test.each(kinds)(
    "an administrator who removes %s, the last second factor, loses the role in every session",
    async (_kind, add) => {
      const given = await setting(await open());
      const { newToken, session, isAdministrator, change } = given;
      const remove = await add(given);
      const other = await newToken(morning);
      expect([await isAdministrator(), await isAdministrator(other)]).toEqual([true, true]);
      const before = await session();
      await remove();
      expect([await isAdministrator(), await isAdministrator(other)]).toEqual([false, false]);
      // Also when the request to change the password had read its session before.
      expect(await isAdministrator(await change(before))).toBe(false);
    },
  );

  test("keeps the role while another second factor is left", async () => {
    const { addApp, addPhone, removePhone, session, isAdministrator, change } = await setting(await open());
    await addApp();
    await removePhone(await addPhone());
    expect(await isAdministrator()).toBe(true);
    expect(await isAdministrator(await change(await session()))).toBe(true);
  });

  test("removing the last passkey leaves an app that waits for its first code", async () => {
    const { addPhone, beginApp, removePhone, status } = await setting(await open());
    const id = await addPhone();
    const secret = await beginApp();
    expect(await removePhone(id)).toBe("removed");
    expect(await status()).toEqual({ app: { kind: "pending", secret }, passkeys: [], recoveryCodes: 0 });
  });

  test("removes nothing, and reports that, when the passkey is gone already", async () => {
    const { addPhone, removePhone, status } = await setting(await open());
    const id = await addPhone();
    expect(await removePhone(id + 1)).toBe("not-found");
    expect(await status()).toMatchObject({ passkeys: [{ id }], recoveryCodes: 10 });
    expect([await removePhone(id), await removePhone(id)]).toEqual(["removed", "not-found"]);
  });
});
