import { expect, onTestFinished, test } from "vitest";
import { accounts, address, password, sessionFor, solvedFor } from "../../testing/accounts.ts";
import { addUser, morning } from "../../testing/content.ts";
import { mailSettings } from "../../testing/mail-settings.ts";
import { startSmtpServer } from "../../testing/smtp-server.ts";
import type { Locale } from "../i18n/locale.ts";
import { requestConfirmation } from "../mail/confirm-email.ts";
import { sendDueMails } from "../mail/sender.ts";
import { requestEmailChange } from "./change-email.ts";
import { confirmByLink } from "./confirm-by-link.ts";
import { type RegistrationSettings, register } from "./register.ts";

async function site() {
  const { context: open, join } = accounts();
  const context = { ...open, mail: mailSettings, emailVerification: "to-register" as const };
  const { database } = context;
  const server = await startSmtpServer();
  onTestFinished(() => server.stop());
  /** The text of the latest email to an address, once all are sent. */
  const mailTo = async (recipient: string) => {
    await sendDueMails({ database, mail: mailSettings, server: server.client, clock: () => morning });
    return server.mails.findLast(({ recipients }) => recipients[0] === recipient)?.text ?? "";
  };
  const tokenTo = async (recipient: string) =>
    /\?token=([\w-]{43})\n/.exec(await mailTo(recipient))?.[1] ?? expect.fail(`No link to ${recipient}`);
  const confirm = (token: string, locale: Locale = "en") =>
    confirmByLink(context, { token, address, locale, now: morning });
  const withMode = (mode: RegistrationSettings["mode"]) => {
    const changed = { ...context, registration: { ...context.registration, mode } };
    return (token: string) => confirmByLink(changed, { token, address, locale: "en", now: morning });
  };
  const signUp = async (username: string, email: string) => {
    const input = { username, email, password, ...(await solvedFor(context, morning)) };
    expect(await register(context, { input, address, now: morning })).toEqual({ kind: "confirmation-sent" });
  };
  return { context, join, mailTo, tokenTo, confirm, withMode, signUp };
}

test("confirms the address of an account and then its new one, each once", async () => {
  const { context, join, mailTo, tokenTo, confirm } = await site();
  const { user } = await join("alder");
  const [before, after] = ["alder@example.org", "new@example.org"];
  await requestConfirmation(context, { userId: user.id, locale: "en", now: morning });
  const first = await tokenTo(before);
  expect(await confirm(first)).toEqual({ kind: "confirmed", confirmed: "address" });
  const session = await sessionFor(context, user);
  const input = { email: after, currentPassword: password };
  await requestEmailChange(context, { session, input, address, locale: "en", now: morning });
  const second = await tokenTo(after);
  expect(await confirm(second, "fa")).toEqual({ kind: "confirmed", confirmed: "new-address" });
  // The notice to the old address is in the language of the confirmation.
  expect(await mailTo(before)).toMatch(/\p{Script=Arabic}/u);
  for (const token of [first, second, "none"]) expect(await confirm(token)).toEqual({ kind: "expired" });
});

test("makes the account of a registration, unless its name or address has one by then", async () => {
  const { context, join, tokenTo, confirm, signUp } = await site();
  await join("keeper");
  await signUp("birch", "birch@example.org");
  await signUp("birch", "other@example.org");
  await signUp("larch", "elm@example.org");
  expect(await confirm(await tokenTo("other@example.org"))).toEqual({
    kind: "confirmed",
    confirmed: "registration",
  });
  expect((await context.database.users.byUsernameKey("birch"))?.email).toBe("other@example.org");
  expect(await confirm(await tokenTo("birch@example.org"))).toMatchObject({
    kind: "taken",
    errors: { username: [expect.any(String)] },
  });
  const larch = await tokenTo("elm@example.org");
  await addUser(context.database, "elm");
  expect(await confirm(larch)).toEqual({ kind: "expired" });
});

test("reports that an account waits for approval where the site approves them", async () => {
  const { join, tokenTo, withMode, signUp } = await site();
  await join("keeper");
  await signUp("birch", "birch@example.org");
  const outcome = await withMode("approval")(await tokenTo("birch@example.org"));
  expect(outcome).toEqual({ kind: "confirmed", confirmed: "registration", awaitsApproval: true });
});

test("reports a closed site only for a registration's token", async () => {
  const { join, tokenTo, withMode, signUp } = await site();
  await join("keeper");
  await signUp("birch", "birch@example.org");
  const token = await tokenTo("birch@example.org");
  const confirm = withMode("closed");
  expect(await confirm(token)).toEqual({ kind: "not-open", reason: "closed" });
  expect(await confirm("none")).toEqual({ kind: "expired" });
});
