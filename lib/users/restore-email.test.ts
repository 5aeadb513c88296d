/** The way back for an owner whose address another person has changed. */
import { describe, expect, onTestFinished, test } from "vitest";
import type { Database } from "../../db/index.ts";
import { addApiToken, address, password, sessionFor, solvedFor, userOf } from "../../testing/accounts.ts";
import { newDatabases } from "../../testing/both-databases.ts";
import { addUser, contextOf, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { mailSettings } from "../../testing/mail-settings.ts";
import { startSmtpServer } from "../../testing/smtp-server.ts";
import { sendDueMails } from "../mail/sender.ts";
import { dayMs } from "../time/units.ts";
import { confirmEmailChange, requestEmailChange } from "./change-email.ts";
import { logIn, register } from "./index.ts";
import { formerAddressOf, restoreEmail } from "./restore-email.ts";

const newPassword = "a stone in the brook";

/** A site where the address of alder's account was changed to thief@example.org. */
async function site(database: Database) {
  const context = { ...contextOf(database), mail: mailSettings };
  await addUser(database, "keeper", { isAdministrator: true });
  const signUp = async (username: string, email = `${username}@example.org`) => {
    const input = { username, email, password, ...(await solvedFor(context, morning)) };
    return register(context, { input, address, now: morning });
  };
  const made = await signUp("alder");
  const { user, sessionToken } = made.kind === "registered" ? made : expect.fail(made.kind);
  const server = await startSmtpServer();
  onTestFinished(() => server.stop());
  const deliver = (now = morning) =>
    sendDueMails({ database, mail: mailSettings, server: server.client, clock: () => now });
  const tokenTo = (recipient: string) => {
    const mail = server.mails.findLast(({ recipients }) => recipients[0] === recipient);
    return /\?token=([\w-]{43})\n/.exec(mail?.text ?? "")?.[1] ?? "";
  };
  const changeTo = async (email: string, now = morning) => {
    const session = await sessionFor(context, user);
    const input = { email, currentPassword: password };
    expect(await requestEmailChange(context, { session, input, address, locale: "en", now })).toEqual({
      kind: "requested",
    });
    await deliver(now);
    expect(await confirmEmailChange(context, tokenTo(email), now)).toEqual({ kind: "changed" });
    await deliver(now);
  };
  const restore = async (token: string, now = morning) => {
    const input = { newPassword };
    return (await restoreEmail(context, { token, input, address, locale: "en", now })).kind;
  };
  const email = async () => (await database.users.byId(user.id))?.email;
  const logInWith = async (sent: string) => {
    const input = { username: "alder", password: sent };
    return (await logIn(context, { input, address, now: morning })).kind;
  };
  await changeTo("thief@example.org");
  const token = tokenTo("alder@example.org");
  return {
    context,
    user,
    sessionToken,
    server,
    deliver,
    signUp,
    tokenTo,
    changeTo,
    restore,
    email,
    logInWith,
    token,
  };
}

describe.each(newDatabases)("a changed address on %s", (_, open) => {
  test("is restored once by the link to the old one, which sets a password and ends sessions and tokens", async () => {
    const { context, user, sessionToken, server, deliver, restore, email, logInWith, token } = await site(
      await open(),
    );
    await addApiToken(context.database, user.id);
    expect(await formerAddressOf(context, token, morning)).toEqual({
      username: "alder",
      email: "alder@example.org",
    });
    expect(await userOf(context, sessionToken)).not.toBeNull();
    const outcomes = await Promise.all([restore(token), restore(token)]);
    expect(outcomes.toSorted()).toEqual(["expired", "restored"]);
    expect(await email()).toBe("alder@example.org");
    expect(await userOf(context, sessionToken)).toBeNull();
    expect(await context.database.apiTokens.ofUser(user.id)).toEqual([]);
    expect(await logInWith(password)).toBe("wrong");
    expect(await logInWith(newPassword)).toBe("logged-in");
    server.mails.length = 0;
    await deliver();
    expect(server.mails.map(({ recipients }) => recipients)).toEqual([["thief@example.org"]]);
    expect(server.mails[0]?.text).toContain("tell the administrator of \u2068The Weir\u2069 at once");
    expect(server.mails[0]?.text).not.toContain("token=");
  });

  test("is restored after further changes, which cannot be restored then, for seven days", async () => {
    const { changeTo, tokenTo, restore, email, token } = await site(await open());
    await changeTo("other@example.org", morning + 1);
    const thiefs = tokenTo("thief@example.org");
    expect(await restore(token, morning + 7 * dayMs)).toBe("expired");
    expect(await restore(token)).toBe("restored");
    expect(await restore(thiefs)).toBe("expired");
    expect(await email()).toBe("alder@example.org");
  });

  test("stays restorable after a new password, and when another account wants the old one", async () => {
    const database = await open();
    const { context, user, signUp, restore, token } = await site(database);
    await database.users.setPasswordAndEndSessions(user.id, "another hash");
    expect((await signUp("birch", "Alder@example.org")).kind).toBe("taken");
    expect(await restore(token)).toBe("restored");
    expect(await formerAddressOf(context, token, morning)).toBeUndefined();
  });

  test("is not restored to an address that its owner has given to another account", async () => {
    const database = await open();
    const { restore, token, email } = await site(database);
    await addUser(database, "birch");
    const birch = await database.users.byUsernameKey("birch");
    const alders = { email: "alder@example.org", emailKey: "alder@example.org" };
    await database.users.changeEmail(birch?.id ?? 0, alders, morning);
    expect(await restore(token)).toBe("taken");
    expect(await email()).toBe("thief@example.org");
  });
});

test("a disabled or deleted account is not restored, and its former address is free again", async () => {
  const database = temporaryDatabase();
  const { user, signUp, restore, token } = await site(database);
  await database.users.setAllDisabledAt([user.id], morning);
  expect(await restore(token)).toBe("expired");
  await database.transaction(() => database.users.markDeleted(user.id, morning));
  expect((await signUp("birch", "alder@example.org")).kind).toBe("registered");
});
