import { expect, onTestFinished, test } from "vitest";
import { accounts, address, password, sessionFor } from "../../testing/accounts.ts";
import { addUser, morning } from "../../testing/content.ts";
import { mailSettings } from "../../testing/mail-settings.ts";
import { startSmtpServer } from "../../testing/smtp-server.ts";
import { sendDueMails } from "../mail/sender.ts";
import { dayMs } from "../time/units.ts";
import { changeOfLink, confirmEmailChange, pendingEmail, requestEmailChange } from "./change-email.ts";

/** A user who changes the address from alder@example.org. */
async function site() {
  const { context: open, join } = accounts();
  const context = { ...open, mail: mailSettings };
  const { database } = context;
  const session = await sessionFor(context, (await join("alder")).user);
  const server = await startSmtpServer();
  onTestFinished(() => server.stop());
  const request = (email: string, currentPassword = password) =>
    requestEmailChange(context, {
      ...{ session, input: { email, currentPassword }, address },
      ...{ locale: "en", now: morning },
    });
  const deliver = () =>
    sendDueMails({ database, mail: mailSettings, server: server.client, clock: () => morning });
  const mailTo = (recipient: string) =>
    server.mails.findLast(({ recipients }) => recipients[0] === recipient);
  const tokenTo = (recipient: string) =>
    /\?token=([\w-]{43})\n/.exec(mailTo(recipient)?.text ?? "")?.[1] ?? "";
  const confirm = async (token: string, now = morning) =>
    (await confirmEmailChange(context, token, now)).kind;
  const email = async () => (await database.users.byId(session.user.id))?.email;
  return { context, session, server, request, deliver, mailTo, tokenTo, confirm, email };
}

test("a link to the new address changes it, once; the old one gets a mail before and after", async () => {
  const { context, session, request, deliver, mailTo, tokenTo, confirm, email } = await site();
  expect(await request("new@example.org", "a wrong password")).toEqual({ kind: "wrong" });
  expect(await request("alder@example.org")).toEqual({ kind: "same" });
  expect(await request("first@example.org")).toEqual({ kind: "requested" });
  expect(await request("new@example.org")).toEqual({ kind: "requested" });
  await deliver();
  expect(await pendingEmail(context, session.user.id, morning)).toBe("new@example.org");
  expect(mailTo("alder@example.org")?.text).toContain("Set a new one now: that also stops the change.");
  expect(mailTo("first@example.org")).toBeUndefined();
  const token = tokenTo("new@example.org");
  expect(await changeOfLink(context, token, morning)).toEqual({
    username: "alder",
    email: "new@example.org",
  });
  expect(await confirm(token, morning + dayMs)).toBe("expired");
  expect((await Promise.all([confirm(token), confirm(token)])).toSorted()).toEqual(["changed", "expired"]);
  expect(await email()).toBe("new@example.org");
  await deliver();
  expect(mailTo("alder@example.org")?.subject).toBe("The Weir: your email address was changed");
  expect((await context.database.users.byId(session.user.id))?.emailConfirmedAt).toBe(morning);
});

test("an address of another account gets the same answer, and a mail without a link to change it", async () => {
  const { context, request, deliver, mailTo, email } = await site();
  await addUser(context.database, "birch");
  expect(await request("Birch@example.org")).toEqual({ kind: "requested" });
  await deliver();
  expect(mailTo("birch@example.org")?.text).toContain("It belongs to your account \u2068birch\u2069 already");
  expect(mailTo("birch@example.org")?.text).not.toContain("token=");
  expect(await email()).toBe("alder@example.org");
});

test("an address that another account got meanwhile, and a new password, stop the change", async () => {
  const { context, session, request, deliver, tokenTo, confirm, email } = await site();
  await request("birch@example.org");
  await deliver();
  const taken = tokenTo("birch@example.org");
  await addUser(context.database, "birch");
  expect(await confirm(taken)).toBe("expired");
  await request("cedar@example.org");
  await deliver();
  await context.database.users.setPasswordAndEndSessions(session.user.id, "another hash");
  expect(await confirm(tokenTo("cedar@example.org"))).toBe("expired");
  expect(await email()).toBe("alder@example.org");
});

test("moves the subscription of a confirmed address, and leaves one of an address that was not", async () => {
  const { context, session, request, deliver, tokenTo, confirm } = await site();
  const { subscribers, users } = context.database;
  const subscribe = (email: string) =>
    subscribers.add({ email, emailKey: email, locale: "en", createdAt: morning });
  const subscribed = async () => (await subscribers.list(10)).map(({ email }) => email);
  const changeTo = async (email: string) => {
    await request(email);
    await deliver();
    expect(await confirm(tokenTo(email))).toBe("changed");
  };
  expect((await users.byId(session.user.id))?.emailConfirmedAt).toBeNull();
  await subscribe("alder@example.org");
  await changeTo("new@example.org");
  expect(await subscribed()).toEqual(["alder@example.org"]);
  await subscribe("new@example.org");
  await changeTo("newer@example.org");
  expect(await subscribed()).toEqual(["alder@example.org", "newer@example.org"]);
});

test("limits a user's requests", async () => {
  const { request } = await site();
  const kinds: string[] = [];
  for (const name of ["a", "b", "c", "d"]) kinds.push((await request(`${name}@example.org`)).kind);
  expect(kinds).toEqual(["requested", "requested", "requested", "limited"]);
});
