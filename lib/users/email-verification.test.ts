/** Registration where the address must be confirmed. */
import { describe, expect, onTestFinished, test } from "vitest";
import type { Database } from "../../db/index.ts";
import { accounts, address, password, solvedFor } from "../../testing/accounts.ts";
import { newDatabases } from "../../testing/both-databases.ts";
import { addPost, addUser, contextOf, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { mailSettings } from "../../testing/mail-settings.ts";
import { startSmtpServer } from "../../testing/smtp-server.ts";
import { confirmEmail } from "../mail/confirm-email.ts";
import { mailLimits } from "../mail/kinds.ts";
import { sendDueMails } from "../mail/sender.ts";
import { createRating } from "../ratings/index.ts";
import type { EmailVerification } from "../site/schema.ts";
import { dayMs } from "../time/units.ts";
import { decideAccounts } from "./approvals.ts";
import { confirmRegistration, nameToConfirm } from "./confirm-registration.ts";
import { register } from "./index.ts";
import { invite } from "./invitations.ts";
import type { RegistrationSettings } from "./register.ts";
import { toUser } from "./user-of-row.ts";

async function site(
  database: Database,
  emailVerification: EmailVerification,
  mode: RegistrationSettings["mode"] = "open",
  ...behaviour: Parameters<typeof startSmtpServer>
) {
  const open = { ...contextOf(database), mail: mailSettings, emailVerification };
  const context = { ...open, registration: { ...open.registration, mode } };
  const administrator = await addUser(database, "keeper", { isAdministrator: true });
  const server = await startSmtpServer(...behaviour);
  onTestFinished(() => server.stop());
  const signUp = async (username: string, { email = `${username}@example.org`, invitation = "" } = {}) =>
    register(context, {
      input: {
        username,
        email,
        password,
        ...(invitation && { invitation }),
        ...(await solvedFor(context, morning)),
      },
      address,
      now: morning,
    });
  const deliver = (now = morning) =>
    sendDueMails({ database, mail: mailSettings, server: server.client, clock: () => now });
  const last = () => server.mails.at(-1);
  const token = () => /\?token=([\w-]{43})\n/.exec(last()?.text ?? "")?.[1] ?? "";
  const confirm = (sent = token(), now = morning) =>
    confirmRegistration(context, { token: sent, address, now });
  const users = async () => (await database.users.all()).map(({ username }) => username);
  return { context, administrator, server, signUp, deliver, last, token, confirm, users };
}

const sent = { kind: "confirmation-sent" };

describe.each(newDatabases)("with confirmed addresses on %s", (_, open) => {
  test("an account is made when its link is used, once, with its address confirmed", async () => {
    const database = await open();
    const { context, signUp, deliver, last, token, confirm, users } = await site(database, "to-register");
    expect(await signUp("alder")).toEqual(sent);
    expect(await users()).toEqual(["keeper"]);
    await deliver();
    expect(last()?.recipients).toEqual(["alder@example.org"]);
    const link = token();
    expect(await nameToConfirm(context, link, morning)).toBe("alder");
    expect(await nameToConfirm(context, link, morning + 7 * dayMs)).toBeUndefined();
    const outcomes = await Promise.all([confirm(link), confirm(link)]);
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(["expired", "registered"]);
    expect((await database.users.byUsernameKey("alder"))?.emailConfirmedAt).toBe(morning);
  });

  test("an address that has an account gets the same answer, and a mail about it", async () => {
    const database = await open();
    const { context, signUp, deliver, server, users } = await site(database, "to-register");
    expect(await signUp("alder", { email: "KEEPER@example.org" })).toEqual(sent);
    await deliver();
    const [mail] = server.mails;
    expect(mail?.recipients).toEqual(["keeper@example.org"]);
    expect(mail?.text).toContain("It belongs to your account \u2068keeper\u2069 already");
    expect(mail?.text).toContain("https://weir.example/login/forgot");
    expect(mail?.text).not.toContain("token=");
    expect(await users()).toEqual(["keeper"]);
    expect((await signUp("keeper")).kind).toBe("taken");
    expect(context.emailVerification).toBe("to-register");
  });

  test("of two registrations with one address or name, the first that is confirmed becomes an account", async () => {
    const { signUp, deliver, token, confirm, users } = await site(await open(), "to-register");
    const links: string[] = [];
    for (const [name, email] of [
      ["alder", "one@example.org"],
      ["birch", "one@example.org"],
      ["Alder", "other@example.org"],
    ] as const) {
      expect(await signUp(name, { email })).toEqual(sent);
      await deliver();
      links.push(token());
    }
    expect((await confirm(links[0])).kind).toBe("registered");
    expect((await confirm(links[1])).kind).toBe("expired");
    expect(await confirm(links[2])).toMatchObject({
      kind: "taken",
      errors: { username: [expect.any(String)] },
    });
    expect(await users()).toEqual(["keeper", "alder"]);
  });

  test("invitations and approval apply when the account is made", async () => {
    const database = await open();
    const { context, administrator, signUp, deliver, token, confirm } = await site(
      database,
      "to-register",
      "approval",
    );
    const invited = await invite(context, {
      actor: administrator,
      input: { note: "For Birch", days: "7" },
      now: morning,
    });
    if (invited.kind !== "invited") return expect.fail(invited.kind);
    await signUp("alder");
    await deliver();
    const waits = await confirm();
    expect(waits).toMatchObject({ kind: "registered", user: { isPending: true } });
    const ids = [(await database.users.byUsernameKey("alder"))?.id ?? 0];
    await decideAccounts(context, { actor: administrator, ids, approve: true, now: morning });
    await signUp("birch", { invitation: invited.token });
    await deliver();
    const first = token();
    await signUp("cedar", { invitation: invited.token });
    await deliver();
    expect(await confirm(first)).toMatchObject({ kind: "registered", user: { isWriter: true } });
    expect(await confirm()).toEqual({ kind: "not-open", reason: "bad-invitation" });
  });

  test("a new account rates once its address is confirmed; earlier ones rate as before", async () => {
    const database = await open();
    const { context, administrator, signUp, deliver, token } = await site(database, "to-rate");
    const { slug } = await addPost(database, administrator);
    const made = await signUp("alder");
    expect(made).toMatchObject({ kind: "registered", user: { mustConfirmEmail: true } });
    if (made.kind !== "registered") return;
    const rateAs = async (id: number) => {
      const row = await database.users.byId(id);
      const user = row ? toUser(row) : expect.fail("no user");
      return createRating(context, { slug, user, address, input: { score: 4 }, now: morning });
    };
    expect(await rateAs(made.user.id)).toEqual({ kind: "denied", isUnconfirmed: true });
    expect(await rateAs(administrator.id)).toMatchObject({ kind: "saved" });
    await deliver();
    expect(await confirmEmail(context, token(), morning)).toBe(true);
    expect(await rateAs(made.user.id)).toMatchObject({ kind: "saved" });
  });
});

test("the mail to an address that has an account arrives after a failed attempt, too", async () => {
  const database = temporaryDatabase();
  let isRefusing = true;
  const { signUp, deliver, server } = await site(database, "to-register", "open", {
    refusal: () => (isRefusing ? "451 Try later" : undefined),
  });
  await signUp("alder", { email: "keeper@example.org" });
  await deliver();
  isRefusing = false;
  await deliver(morning + dayMs);
  expect(server.mails.map(({ subject }) => subject)).toEqual(["The Weir: you have an account already"]);
});

test("the mails to an address that anyone can enter have no text of theirs", async () => {
  const { signUp, deliver, last } = await site(temporaryDatabase(), "to-register");
  await signUp("shop.example", { email: "birch@example.org" });
  await deliver();
  expect(last()?.text).toContain("/register/confirm?token=");
  expect(last()?.raw).not.toContain("shop.example");
});

test("the first account needs no confirmation", async () => {
  const { context } = accounts();
  const { database } = context;
  const strict = { ...context, mail: mailSettings, emailVerification: "to-register" as const };
  const input = {
    username: "first",
    email: "first@example.org",
    password,
    ...(await solvedFor(strict, morning)),
  };
  expect((await register(strict, { input, address, now: morning })).kind).toBe("registered");
  expect(await database.mails.all()).toEqual([]);
});

test("mails no more links to an address than its limit in a day, with the same answer", async () => {
  const { context } = accounts();
  const { database } = context;
  await addUser(database, "keeper");
  const strict = { ...context, mail: mailSettings, emailVerification: "to-register" as const };
  const { perDay } = mailLimits["confirm-registration"];
  for (let number = 0; number <= perDay; number += 1) {
    const email = "alder@example.org";
    const input = { username: `alder-${number}`, email, password, ...(await solvedFor(strict, morning)) };
    expect(await register(strict, { input, address, now: morning })).toEqual(sent);
  }
  expect(await database.mails.all()).toHaveLength(perDay);
});
