import { describe, expect, onTestFinished, test } from "vitest";
import type { Database } from "../../db/index.ts";
import { newDatabases } from "../../testing/both-databases.ts";
import { addUser, morning } from "../../testing/content.ts";
import { mailSettings } from "../../testing/mail-settings.ts";
import { startSmtpServer } from "../../testing/smtp-server.ts";
import { dayMs } from "../time/units.ts";
import { confirmEmail, requestConfirmation, userToConfirm } from "./confirm-email.ts";
import { mailLimits } from "./kinds.ts";
import { sendDueMails } from "./sender.ts";

async function site(database: Database) {
  const { id: userId } = await addUser(database, "alder");
  const context = { database, mail: mailSettings };
  const server = await startSmtpServer();
  onTestFinished(() => server.stop());
  const request = () => requestConfirmation(context, { userId, locale: "en", now: morning });
  const deliver = () => sendDueMails({ ...context, server: server.client, clock: () => morning });
  const token = () =>
    /https:\/\/weir\.example\/confirm-email\?token=([\w-]{43})\n/.exec(
      server.mails.at(-1)?.text ?? "",
    )?.[1] ?? "";
  const confirm = (sent: string, now = morning) => confirmEmail(context, sent, now);
  return { userId, context, server, request, deliver, token, confirm };
}

describe.each(newDatabases)("confirmations of addresses on %s", (_, open) => {
  test("a link confirms the address that it was sent to, once and for a day", async () => {
    const database = await open();
    const { userId, context, server, request, deliver, token, confirm } = await site(database);
    expect(await request()).toEqual({ kind: "link-sent" });
    await deliver();
    expect(server.mails[0]?.recipients).toEqual(["alder@example.org"]);
    const link = token();
    expect(await userToConfirm(context, link, morning)).toMatchObject({ username: "alder" });
    expect(await userToConfirm(context, link, morning + dayMs)).toBeUndefined();
    expect(await confirm(link, morning + dayMs)).toBe(false);
    expect((await database.users.byId(userId))?.emailConfirmedAt).toBeNull();
    const confirmed = await Promise.all([confirm(link), confirm(link)]);
    expect(confirmed.toSorted()).toEqual([false, true]);
    expect((await database.users.byId(userId))?.emailConfirmedAt).toBe(morning);
    expect(await confirm("A".repeat(43))).toBe(false);
    expect(await request()).toEqual({ kind: "confirmed-before" });
  });

  test("a link does not confirm an address that the account got later", async () => {
    const database = await open();
    const { userId, request, deliver, token, confirm } = await site(database);
    await request();
    await deliver();
    await database.users.changeEmail(userId, { email: "b@example.org", emailKey: "b@example.org" }, morning);
    expect(await confirm(token())).toBe(false);
  });

  test("bounds the links of a day, and sends none where mail is not set up", async () => {
    const { userId, context, request } = await site(await open());
    for (let count = 0; count < mailLimits["confirm-email"].perDay; count += 1) await request();
    expect(await request()).toEqual({ kind: "full" });
    const withoutMail = { ...context, mail: null };
    expect(await requestConfirmation(withoutMail, { userId, locale: "en", now: morning })).toEqual({
      kind: "no-mail",
    });
  });
});
