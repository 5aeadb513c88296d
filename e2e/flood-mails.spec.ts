/** Mails to authors about floods, from the account page to the mailbox. */
import { freePort } from "../testing/free-port.ts";
import { startSmtpServer, type TestSmtpServer } from "../testing/smtp-server.ts";
import { inDatabase, publish, signUp } from "./people.ts";
import { expectSound } from "./soundness.ts";
import { expect, test } from "./test.ts";

let mail: TestSmtpServer;
test.beforeAll(async () => {
  mail = await startSmtpServer();
});
test.afterAll(() => mail.stop());

test("an author turns mails about floods on, confirms the address, and gets one", {
  tag: "@without-javascript",
}, async ({ startServer, openBrowser, javaScriptEnabled }) => {
  const PORT = String(await freePort());
  const settings = { PORT, SITE_URL: `http://localhost:${PORT}`, MAIL_URL: mail.url };
  const server = await startServer({ ...settings, MAIL_FROM: "The Weir <blog@weir.example>" });
  const author = await signUp(await openBrowser(server), "author");
  const { page } = author;
  const to = `${author.username}@example.org`;
  const found = (text: string) =>
    mail.mails.findLast((each) => each.recipients[0] === to && each.text?.includes(text));
  const slug = await publish(author);
  await page.goto("/account");
  const section = page.locator("#mail");
  await section.getByRole("button", { name: "Get these emails" }).click();
  await expect(section.getByText(`A link was sent to ${to}.`)).toBeVisible();
  if (javaScriptEnabled) await expectSound(page);
  await expect.poll(() => found("token=")).toBeDefined();
  const link = /http\S+token=\S+/.exec(found("token=")?.text ?? "")?.[0] ?? "";
  // A browser that is not logged in can confirm the address, too.
  const mailbox = await openBrowser(server);
  await mailbox.goto(link);
  if (javaScriptEnabled) await expectSound(mailbox);
  await mailbox.getByRole("button", { name: "Get these emails" }).click();
  await expect(mailbox.getByText("You now get an email when a flood of ratings begins")).toBeVisible();
  await mailbox.goto(link);
  await expect(mailbox.getByText("This link has been used, has expired, or is incomplete.")).toBeVisible();
  await inDatabase(server, async (database) => {
    const post = (await database.posts.idOf(slug))?.id;
    const at = Date.now();
    const times = { openedAt: at, lastAt: at, closedAt: null, usualGapMs: 3_600_000, recentGapMs: 1 };
    const decision = { status: "held", decidedBy: null, decisions: 0 } as const;
    await database.floodWindows.save(post ?? 0, {
      number: 1,
      ...times,
      counts: [130, 0, 0, 0, 0, 13],
      ...decision,
    });
  });
  await expect.poll(() => found("143 ratings")).toBeDefined();
  expect(found("143 ratings")?.text).toContain(`${server.origin}/posts/${slug}/activity`);
  await page.goto("/account");
  await section.getByRole("button", { name: "Turn these emails off" }).click();
  await expect(section.getByText("These emails are off.")).toBeVisible();
});
