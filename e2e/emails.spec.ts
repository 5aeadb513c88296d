/** Emails that people choose or must confirm, from the page to the mailbox. */
import { freePort } from "../scripts/cluster/free-port.ts";
import { startSmtpServer, type TestSmtpServer } from "../testing/smtp-server.ts";
import { inDatabase, newName, password, publish, signUp } from "./people.ts";
import { expectSound } from "./soundness.ts";
import { expect, test } from "./test.ts";

let mail: TestSmtpServer;
test.beforeAll(async () => {
  mail = await startSmtpServer();
});
test.afterAll(() => mail.stop());

test("an author confirms the address, chooses mails about floods, gets one, and stops them with its link", {
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
  const linkIn = (text: string, path: string) =>
    new RegExp(`http\\S+${path}\\?token=\\S+`).exec(found(text)?.text ?? "")?.[0] ?? "";
  const slug = await publish(author);
  await page.goto("/account");
  const section = page.locator("#mail");
  await section.getByRole("button", { name: "Send me the link" }).click();
  await expect(section.getByText(`A link is on its way to ${to}.`)).toBeVisible();
  if (javaScriptEnabled) await expectSound(page);
  await expect.poll(() => found("/confirm-email")).toBeDefined();
  const link = linkIn("/confirm-email", "/confirm-email");
  // A browser that is not logged in can confirm the address, too.
  const mailbox = await openBrowser(server);
  await mailbox.goto(link);
  if (javaScriptEnabled) await expectSound(mailbox);
  await mailbox.getByRole("button", { name: "Confirm this address" }).click();
  await expect(mailbox.getByText("Your address is confirmed.")).toBeVisible();
  await mailbox.goto(link);
  await expect(mailbox.getByText("This link has been used, has expired, or is incomplete.")).toBeVisible();
  await page.goto("/account");
  const choice = section.getByRole("checkbox", { name: /ratings reach one of my posts/ });
  await choice.check();
  await section.getByRole("button", { name: "Save" }).click();
  await expect(section.getByText("Your choice is saved.")).toBeVisible();
  await expect(choice).toBeChecked();
  if (javaScriptEnabled) await expectSound(page);
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
  const activity = `/posts/${slug}/activity`;
  const card = page.getByRole("article", { name: "Flood 1" });
  await page.goto(activity);
  await expect(card).toBeVisible();
  await expect(card).not.toContainText("To get an email when this happens");
  const stopping = linkIn("143 ratings", "/unsubscribe");
  await mailbox.goto(stopping);
  await expect(mailbox.getByRole("button", { name: "Unsubscribe" })).toBeVisible();
  if (javaScriptEnabled) await expectSound(mailbox);
  // As a mail program does: without cookies, from elsewhere.
  const posted = await fetch(stopping.replace("/unsubscribe", "/unsubscribe/one-click"), {
    method: "POST",
    headers: { Origin: "https://mail.example", "Content-Type": "application/x-www-form-urlencoded" },
    body: "List-Unsubscribe=One-Click",
  });
  expect(posted.status).toBe(204);
  await mailbox.getByRole("button", { name: "Unsubscribe" }).click();
  await expect(mailbox.getByText("You are unsubscribed.")).toBeVisible();
  await mailbox.goto(stopping);
  await expect(mailbox.getByText("does not get these emails")).toBeVisible();
  await page.goto(activity);
  await expect(card).toContainText("To get an email when this happens, choose it in your account.");
  await card.getByRole("link", { name: "choose it in your account" }).click();
  await expect(page).toHaveURL("/account#mail");
  await expect(choice).not.toBeChecked();
});

test("with confirmed addresses to register, a person registers, opens the link, and logs in", {
  tag: "@without-javascript",
}, async ({ startServer, openBrowser, javaScriptEnabled }) => {
  const PORT = String(await freePort());
  const settings = {
    PORT,
    SITE_URL: `http://localhost:${PORT}`,
    MAIL_URL: mail.url,
    MAIL_FROM: "blog@weir.example",
  };
  const server = await startServer({ ...settings, EMAIL_VERIFICATION: "to-register" });
  await signUp(await openBrowser(server), "keeper");
  const page = await openBrowser(server);
  const username = newName("reader");
  const to = `${username}@example.org`;
  await page.goto("/register");
  await expect(page.getByText("When you send this form, you get an email with a link")).toBeVisible();
  await expect(page.getByText("ready as soon as")).toHaveCount(0);
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Email").fill(to);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("heading", { name: "Look in your mailbox" })).toBeVisible();
  if (javaScriptEnabled) await expectSound(page);
  const link = () =>
    /http\S+token=\S+/.exec(mail.mails.findLast(({ recipients }) => recipients[0] === to)?.text ?? "")?.[0];
  await expect.poll(link).toBeDefined();
  await page.goto(link() ?? "");
  if (javaScriptEnabled) await expectSound(page);
  await page.getByRole("button", { name: `Create the account ${username}` }).click();
  await page.getByRole("link", { name: "Log in" }).last().click();
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByRole("button", { name: "Log out" })).toBeVisible();
});

test("a user changes the address with a link to the new one, and the owner of the old one takes it back", {
  tag: "@without-javascript",
}, async ({ startServer, openBrowser, javaScriptEnabled }) => {
  const PORT = String(await freePort());
  const settings = { PORT, SITE_URL: `http://localhost:${PORT}`, MAIL_URL: mail.url };
  const server = await startServer({ ...settings, MAIL_FROM: "blog@weir.example" });
  const { page, username } = await signUp(await openBrowser(server), "mover");
  const [from, to] = [`${username}@example.org`, `${username}@example.net`];
  const linkTo = (recipient: string, path: string) => {
    const texts = mail.mails.filter(({ recipients }) => recipients[0] === recipient).map(({ text }) => text);
    return new RegExp(`http\\S+${path}\\?token=\\S+`).exec(texts.join("\n"))?.[0] ?? "";
  };
  const section = page.locator("#mail");
  const request = async () => {
    await section.getByLabel("New email address").fill(to);
    await section.getByLabel("Your password").fill(password);
    await section.getByRole("button", { name: "Send a link to the new address" }).click();
    await expect(section.getByText(`A link was sent to ${to}`)).toBeVisible();
  };
  await page.goto("/account");
  await request();
  await expect.poll(() => linkTo(to, "/account/new-email")).not.toBe("");
  await section.getByRole("button", { name: "Keep the old address" }).click();
  await expect(section.getByText("The account keeps its address.")).toBeVisible();
  await page.goto(linkTo(to, "/account/new-email"));
  await expect(page.getByText("This link has been used, has expired")).toBeVisible();
  mail.mails.length = 0;
  await page.goto("/account");
  await request();
  await expect
    .poll(() => mail.mails.some(({ subject }) => subject?.includes("is about to change")))
    .toBe(true);
  await expect.poll(() => linkTo(to, "/account/new-email")).not.toBe("");
  await page.goto(linkTo(to, "/account/new-email"));
  if (javaScriptEnabled) await expectSound(page);
  await page.getByRole("button", { name: "Use this address" }).click();
  await expect(page.getByText("The address is changed.")).toBeVisible();
  await page.goto("/account");
  await expect(section.getByText(`Your address is ${to}.`)).toBeVisible();

  await expect.poll(() => linkTo(from, "/account/restore-email")).not.toBe("");
  const owner = await openBrowser(server);
  await owner.goto(linkTo(from, "/account/restore-email"));
  await expect(owner.getByText(`The account ${username} gets the address ${from} again`)).toBeVisible();
  if (javaScriptEnabled) await expectSound(owner);
  await owner.getByLabel("New password").fill("a stone in the brook");
  await owner.getByRole("button", { name: "Restore the address" }).click();
  await expect(owner.getByText("The address is restored and the new password is set.")).toBeVisible();
  await page.goto("/account");
  await expect(page).toHaveURL(/\/login/);
  await owner.getByRole("main").getByRole("link", { name: "Log in" }).click();
  await owner.getByLabel("Username").fill(username);
  await owner.getByLabel("Password").fill("a stone in the brook");
  await owner.getByRole("button", { name: "Log in" }).click();
  await expect(owner.getByRole("button", { name: "Log out" })).toBeVisible();
  await owner.goto("/account");
  await expect(owner.locator("#mail").getByText(`Your address is ${from}.`)).toBeVisible();
});

test("a visitor subscribes, confirms with the link, and an administrator sees the address", {
  tag: "@without-javascript",
}, async ({ startServer, openBrowser, javaScriptEnabled }) => {
  const PORT = String(await freePort());
  const settings = {
    PORT,
    SITE_URL: `http://localhost:${PORT}`,
    MAIL_URL: mail.url,
    MAIL_FROM: "blog@weir.example",
  };
  const server = await startServer({ ...settings, REGISTRATION_WAIT_SECONDS: "0" });
  const { page: keeper } = await signUp(await openBrowser(server), "keeper");
  const page = await openBrowser(server);
  const to = `${newName("subscriber")}@example.org`;
  await page.goto("/");
  await page.getByRole("link", { name: "New posts by email" }).click();
  await page.getByLabel("Your email address").fill(to);
  await page.getByRole("button", { name: "Send me the link" }).click();
  await expect(page.getByText("Look in your mailbox: an email with a link is on its way")).toBeVisible();
  if (javaScriptEnabled) await expectSound(page);
  const link = () =>
    /http\S+token=\S+/.exec(mail.mails.findLast(({ recipients }) => recipients[0] === to)?.text ?? "")?.[0];
  await expect.poll(link).toBeDefined();
  await page.goto(link() ?? "");
  if (javaScriptEnabled) await expectSound(page);
  await page.getByRole("button", { name: "Get new posts by email" }).click();
  await expect(page.getByText("You are subscribed")).toBeVisible();
  await keeper.goto("/admin/subscribers");
  await expect(keeper.getByText(to).first()).toBeVisible();
  if (javaScriptEnabled) await expectSound(keeper);
  const csv = await keeper.request.get("/admin/subscribers/export");
  expect(await csv.text()).toContain(`"${to}",en,`);
  expect((await page.request.get("/admin/subscribers/export")).status()).toBe(403);
  await keeper.getByRole("button", { name: `Remove ${to}` }).click();
  await expect(keeper.getByText("No subscribers yet.")).toBeVisible();
});
