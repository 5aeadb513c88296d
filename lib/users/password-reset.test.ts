import { expect, onTestFinished, test } from "vitest";
import { accounts, addApiToken, address, password, sessionFor, userOf } from "../../testing/accounts.ts";
import { limitsWith, morning } from "../../testing/content.ts";
import { mailSettings } from "../../testing/mail-settings.ts";
import { startSmtpServer } from "../../testing/smtp-server.ts";
import { setDisabled } from "../account-changes/index.ts";
import type { Limits } from "../limits/index.ts";
import { claimMs, sendDueMails } from "../mail/sender.ts";
import { canSendLinks } from "../mail/settings.ts";
import { changePassword, deleteAccount } from "./index.ts";
import { resetPassword } from "./manage.ts";
import { requestPasswordReset, resetForgottenPassword, usernameOfLink } from "./password-reset.ts";

const newPassword = "another quiet river";

/** A site with a mail server, and the steps of a reset there. */
async function site(limits?: Limits) {
  const { context: withoutMail, join, tryPassword } = accounts(limits);
  const context = { ...withoutMail, mail: mailSettings };
  const server = await startSmtpServer();
  onTestFinished(() => server.stop());
  const request = (email: string, { now = morning, from = address } = {}) =>
    requestPasswordReset(context, { input: { email }, address: from, locale: "en", now });
  const deliver = (now = morning) => sendDueMails({ ...context, server: server.client, clock: () => now });
  /** The token of the latest mail's link. */
  const token = () => {
    const [, found = ""] = /\?token=([\w-]{43})\n/.exec(server.mails.at(-1)?.text ?? "") ?? [];
    return found;
  };
  const reset = (sent: string, { now = morning, password: chosen = newPassword } = {}) =>
    resetForgottenPassword(context, {
      token: sent,
      input: { newPassword: chosen },
      address,
      locale: "en",
      now,
    });
  /** Requests a link and resolves to its token. */
  const linkTo = async (email: string) => {
    expect(await request(email)).toEqual({ kind: "requested" });
    await deliver();
    return token();
  };
  return { context, join, tryPassword, server, request, deliver, token, reset, linkTo };
}

test("sets a new password once with the link, ends sessions and API tokens and notifies the owner", async () => {
  const { context, join, tryPassword, server, deliver, reset, linkTo } = await site();
  const { user, sessionToken } = await join("alder");
  await addApiToken(context.database, user.id);
  const token = await linkTo("Alder@example.org");
  expect(server.mails.map(({ recipients }) => recipients)).toEqual([["alder@example.org"]]);
  expect(server.mails[0]?.text).toContain(`https://weir.example/login/reset?token=${token}\n`);
  expect(await usernameOfLink(context, token, morning)).toBe("alder");
  expect((await tryPassword("alder", password)).kind).toBe("logged-in");
  expect(await reset(token)).toEqual({ kind: "reset" });
  expect(await userOf(context, sessionToken)).toBeNull();
  expect(await context.database.apiTokens.ofUser(user.id)).toEqual([]);
  expect((await tryPassword("alder", password)).kind).toBe("wrong");
  expect((await tryPassword("alder", newPassword)).kind).toBe("logged-in");
  expect(await reset(token)).toEqual({ kind: "expired" });
  expect(await usernameOfLink(context, token, morning)).toBeUndefined();
  await deliver();
  expect(server.mails[1]).toMatchObject({
    subject: "The Weir: your password was changed",
    text: expect.stringMatching(/with the link from an email.*API tokens are revoked/s),
  });
});

test("answers and saves the same for an address with and without an account", async () => {
  const { context, join, server, request, deliver } = await site();
  await join("alder");
  const saved = async (email: string) => {
    const answer = await request(email);
    const {
      id: _id,
      messageId: _messageId,
      addressKey,
      ...row
    } = (await context.database.mails.all()).at(-1) ?? expect.fail();
    return { answer, row, isKey: addressKey === email };
  };
  expect(await saved("unknown@example.org")).toEqual(await saved("alder@example.org"));
  await deliver();
  expect(server.mails.map(({ recipients }) => recipients)).toEqual([["alder@example.org"]]);
  // The request for no account is gone without a trace.
  expect((await context.database.mails.all()).map(({ addressKey }) => addressKey)).toEqual([
    "alder@example.org",
  ]);
});

test("stores neither the token nor enough to derive it without the site's secret", async () => {
  const { context, join, linkTo } = await site();
  await join("alder");
  const token = await linkTo("alder@example.org");
  const tables = ["mails", "mail_links", "limiter_states"];
  const rows = tables.map((table) => context.database.sqlite.prepare(`select * from ${table}`).all());
  expect(JSON.stringify(rows)).not.toContain(token);
  expect(rows[1]).toHaveLength(1);
});

test("a link expires an hour after its request, even when its mail was late", async () => {
  const { join, request, deliver, token, reset } = await site();
  await join("alder");
  await request("alder@example.org");
  await deliver(morning + 3_000_000);
  expect(await reset(token(), { now: morning + 3_600_000 })).toEqual({ kind: "expired" });
  expect(await reset(token(), { now: morning + 3_599_999 })).toEqual({ kind: "reset" });
});

test("sends no mail for a request that is an hour old", async () => {
  const { join, server, request, deliver } = await site();
  await join("alder");
  await request("alder@example.org");
  await deliver(morning + 3_600_000);
  expect(server.mails).toEqual([]);
});

test("uses a link once when two requests bring it at the same moment", async () => {
  const { join, reset, linkTo } = await site();
  await join("alder");
  const token = await linkTo("alder@example.org");
  const outcomes = await Promise.all([
    reset(token, { password: "the first new river" }),
    reset(token, { password: "the second new river" }),
  ]);
  expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(["expired", "reset"]);
});

test.each([
  [
    "its owner",
    async ({ context, session }: Changing) => {
      const input = { currentPassword: password, newPassword: "changed by the owner 1" };
      await changePassword(context, { session, input, address, now: morning });
    },
  ],
  [
    "the operator",
    async ({ context }: Changing) => {
      const input = { newPassword: "changed by the operator 1" };
      await resetPassword(context, { username: "alder", input, now: morning });
    },
  ],
])("a link does not undo a password that %s changed after it was sent", async (_, change) => {
  const { context, join, reset, linkTo } = await site();
  const { user } = await join("alder");
  const token = await linkTo("alder@example.org");
  await change({ context, session: await sessionFor(context, user) });
  expect(await reset(token)).toEqual({ kind: "expired" });
});

test.each([
  [
    "its owner changed the password",
    async ({ context, session }: Changing) => {
      const input = { currentPassword: password, newPassword: "changed by the owner 1" };
      await changePassword(context, { session, input, address, now: morning });
    },
  ],
  [
    "the operator changed the password",
    async ({ context }: Changing) => {
      const input = { newPassword: "changed by the operator 1" };
      await resetPassword(context, { username: "alder", input, now: morning });
    },
  ],
  [
    "the account was disabled and enabled",
    async ({ context }: Changing) => {
      const { id } = (await context.database.users.byUsernameKey("alder")) ?? expect.fail();
      await context.database.users.setAllDisabledAt([id], morning);
      await context.database.users.setAllDisabledAt([id], null);
    },
  ],
])("a request that was made before %s sends no link", async (_, change) => {
  const { context, join, server, request, deliver } = await site();
  const { user } = await join("alder");
  await join("birch");
  const session = await sessionFor(context, user);
  await request("alder@example.org");
  await request("birch@example.org");
  await change({ context, session });
  await deliver();
  const links = server.mails.filter(({ text }) => text?.includes("/login/reset"));
  expect(links.map(({ recipients }) => recipients)).toEqual([["birch@example.org"]]);
});

test("a request that is withdrawn after a sender claimed it sends no link", async () => {
  const { context, join, server, request } = await site();
  const { user } = await join("alder");
  await request("alder@example.org");
  const { users, mails } = context.database;
  // The password changes between the claim and the first look at the account.
  const database = {
    ...context.database,
    mails: {
      ...mails,
      claim: async (now: number, until: number) => {
        const claimed = await mails.claim(now, until);
        await users.setPasswordAndEndSessions(user.id, "changed");
        return claimed;
      },
    },
  };
  await sendDueMails({ ...context, database, server: server.client, clock: () => morning });
  expect(server.mails).toEqual([]);
  expect(context.database.sqlite.prepare("select * from mail_links").all()).toEqual([]);
});

interface Changing {
  context: Awaited<ReturnType<typeof site>>["context"];
  session: Awaited<ReturnType<typeof sessionFor>>;
}

test("a link of an account that is disabled or deleted meanwhile sets no password", async () => {
  const { context, join, server, request, deliver, reset, linkTo } = await site();
  const { user: administrator } = await join("chestnut");
  await join("alder");
  const { user } = await join("birch");
  const alder = await linkTo("alder@example.org");
  const birch = await linkTo("birch@example.org");
  const running = reset(alder);
  const input = { disabled: true, why: "A raid." };
  await setDisabled(context, { actor: administrator, username: "alder", input, now: morning });
  expect(["expired", "reset"]).toContain((await running).kind);
  expect(await reset(alder)).toEqual({ kind: "expired" });
  const session = await sessionFor(context, user);
  await deleteAccount(context, { session, input: { currentPassword: password }, address, now: morning });
  expect(await reset(birch)).toEqual({ kind: "expired" });
  const sent = server.mails.length;
  await request("alder@example.org");
  await deliver();
  expect(server.mails.slice(sent).filter(({ subject }) => subject?.includes("set a new"))).toEqual([]);
});

test("a second factor stays, and is still needed after a reset", async () => {
  const { context, join, tryPassword, reset, linkTo } = await site();
  const { user } = await join("alder");
  const passkey = { userId: user.id, name: "Phone", credentialId: "a", publicKey: "b", counter: 0 };
  await context.database.passkeys.insert({ ...passkey, createdAt: morning });
  expect(await reset(await linkTo("alder@example.org"))).toEqual({ kind: "reset" });
  expect((await tryPassword("alder", newPassword)).kind).toBe("code-needed");
});

test("refuses a weak password and keeps the link", async () => {
  const { join, reset, linkTo } = await site();
  await join("alder");
  const token = await linkTo("alder@example.org");
  for (const weak of ["short", "password1", "alder1234"])
    expect(await reset(token, { password: weak })).toMatchObject({
      kind: "invalid",
      errors: { newPassword: [expect.any(String)] },
    });
  expect(await reset(token)).toEqual({ kind: "reset" });
});

test("refuses an address that equals an account's only in comparison form", async () => {
  const { join, server, context, request, deliver } = await site();
  await join("alder");
  // Full-width letters compare like ASCII ones, and could belong to another domain.
  expect(await request("alder@ｅxample.org")).toMatchObject({ kind: "invalid" });
  await deliver();
  expect([server.mails, await context.database.mails.all()]).toEqual([[], []]);
});

test("sends an address three mails at once, whichever addresses request them, and the owner's links all work", async () => {
  const { join, server, request, deliver, reset, token } = await site();
  await join("alder");
  const outcomes: string[] = [];
  for (let count = 1; count <= 5; count += 1)
    outcomes.push((await request("alder@example.org", { from: `192.0.2.${count}` })).kind);
  expect(outcomes).toEqual(["requested", "requested", "requested", "limited", "limited"]);
  await deliver();
  expect(server.mails).toHaveLength(3);
  expect(await reset(token())).toEqual({ kind: "reset" });
});

test("limits the requests of one network address, for any accounts", async () => {
  const { request } = await site(limitsWith({ LIMITS: '{"reset.address": {"capacity": 2}}' }));
  const outcomes: string[] = [];
  for (const name of ["a", "b", "c"]) outcomes.push((await request(`${name}@example.org`)).kind);
  expect(outcomes).toEqual(["requested", "requested", "limited"]);
});

test("sends the same link in a second try, and does not revive one that was used in between", async () => {
  const { context, join, server, request, reset, token } = await site();
  await join("alder");
  const server2 = await startSmtpServer({ refusal: () => "451 Try later" });
  onTestFinished(() => server2.stop());
  await request("alder@example.org");
  await sendDueMails({ ...context, server: server2.client, clock: () => morning });
  await sendDueMails({ ...context, server: server.client, clock: () => morning + 60_000 });
  const first = token();
  expect(await reset(first, { now: morning + 60_000 })).toEqual({ kind: "reset" });
  // As if the sender had died before it noted that the mail was sent.
  context.database.sqlite.exec(
    `update mails set finished_at = null, due_at = ${morning + claimMs} where kind = 'password-reset'`,
  );
  const sent = server.mails.length;
  await sendDueMails({ ...context, server: server.client, clock: () => morning + 2 * claimMs });
  expect(server.mails.slice(sent).map(({ subject }) => subject)).toEqual([
    "The Weir: your password was changed",
  ]);
  expect(await reset(first, { now: morning + 2 * claimMs })).toEqual({ kind: "expired" });
});

test("requests nothing without mail, or without the site's own address for the link", async () => {
  const { context } = await site();
  for (const mail of [null, { ...mailSettings, siteUrl: undefined }]) {
    expect(canSendLinks({ mail })).toBe(false);
    const request = { input: { email: "alder@example.org" }, address, locale: "en", now: morning } as const;
    expect(await requestPasswordReset({ ...context, mail }, request)).toEqual({ kind: "no-mail" });
  }
});
