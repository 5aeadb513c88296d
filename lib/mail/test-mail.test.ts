import { expect, onTestFinished, test } from "vitest";
import { addUser, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { mailSettings as mail } from "../../testing/mail-settings.ts";
import { startSmtpServer } from "../../testing/smtp-server.ts";
import { mailLimits } from "./kinds.ts";
import { sendDueMails } from "./sender.ts";
import { lastTestMail, requestTestMail } from "./test-mail.ts";

const locale = "en";

test("sends an administrator a test email, at most so many a day, and reports its result", async () => {
  const database = temporaryDatabase();
  const smtp = await startSmtpServer();
  onTestFinished(() => smtp.stop());
  const actor = await addUser(database, "alder", { isAdministrator: true });
  expect(await lastTestMail({ database }, actor)).toBeUndefined();
  const request = () => requestTestMail({ database, mail }, { actor, locale, now: morning });
  expect(await request()).toEqual({ kind: "queued" });
  expect(await lastTestMail({ database }, actor)).toEqual({ kind: "waiting", at: morning, fault: null });
  await sendDueMails({ database, server: smtp.client, mail, clock: () => morning + 1_000 });
  expect(smtp.mails).toMatchObject([
    { subject: "The Weir: a test email", recipients: ["alder@example.org"] },
  ]);
  expect(await lastTestMail({ database }, actor)).toEqual({ kind: "sent", at: morning + 1_000 });
  for (let sent = 1; sent < mailLimits.test.perDay; sent += 1) await request();
  expect(await request()).toEqual({ kind: "full" });
});

test("reports why a test email could not be sent", async () => {
  const database = temporaryDatabase();
  let refusal = "451 Try later";
  const smtp = await startSmtpServer({ refusal: () => refusal });
  onTestFinished(() => smtp.stop());
  const actor = await addUser(database, "alder", { isAdministrator: true });
  await requestTestMail({ database, mail }, { actor, locale, now: morning });
  const sendAt = (now: number) => sendDueMails({ database, server: smtp.client, mail, clock: () => now });
  await sendAt(morning);
  expect(await lastTestMail({ database }, actor)).toEqual({
    kind: "waiting",
    at: morning,
    fault: expect.stringContaining("451"),
  });
  refusal = "550 No such user";
  const later = morning + 1_800_000;
  await sendAt(later);
  expect(await lastTestMail({ database }, actor)).toEqual({
    kind: "given-up",
    at: later,
    fault: expect.stringContaining("550"),
  });
});

test("sends none for others, nor without mail", async () => {
  const database = temporaryDatabase();
  const actor = await addUser(database, "alder", { isAdministrator: true });
  const moderator = await addUser(database, "birch", { isModerator: true });
  const by = (each: typeof actor) =>
    ({ actor: { ...each, isAdministrator: true }, locale, now: morning }) as const;
  expect(await requestTestMail({ database, mail }, by(moderator))).toEqual({ kind: "forbidden" });
  expect(await requestTestMail({ database, mail: null }, by(actor))).toEqual({ kind: "no-mail" });
  expect(await database.mails.all()).toEqual([]);
});
