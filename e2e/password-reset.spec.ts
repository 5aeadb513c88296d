/** Forgotten passwords: the mail, and its link, of which no trace remains. */
import type { Page } from "playwright/test";
import { freePort } from "../scripts/cluster/free-port.ts";
import { startSmtpServer, type TestSmtpServer } from "../testing/smtp-server.ts";
import { signUp } from "./people.ts";
import type { ServerSettings } from "./server.ts";
import { expectSound } from "./soundness.ts";
import { expect, test } from "./test.ts";

let mail: TestSmtpServer;
let settings: ServerSettings;
test.beforeAll(async () => {
  mail = await startSmtpServer();
  const PORT = String(await freePort());
  settings = {
    PORT,
    SITE_URL: `http://localhost:${PORT}`,
    MAIL_URL: mail.url,
    MAIL_FROM: "The Weir <blog@weir.example>",
    LOG_LEVEL: "debug",
  };
});
test.afterAll(() => mail.stop());

async function requestLink(page: Page, email: string): Promise<void> {
  await page.goto("/login");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByRole("status")).toContainText("If an account has this address");
}

/** The link in the latest mail to an address, once it has come. */
async function linkIn(to: string): Promise<string> {
  const found = () =>
    mail.mails.findLast(({ recipients, text }) => recipients[0] === to && text?.includes("token="));
  await expect.poll(found).toBeDefined();
  return /http\S+token=\S+/.exec(found()?.text ?? "")?.[0] ?? "";
}

test("a user sets a new password with the link of an email, once, and logs in with it", {
  tag: "@without-javascript",
}, async ({ sharedServer, openBrowser, javaScriptEnabled }) => {
  const server = await sharedServer(settings);
  const page = await openBrowser(server);
  const { username } = await signUp(page);
  const email = `${username}@example.org`;
  const other = await openBrowser(server);
  await requestLink(other, "unknown@example.org");
  await requestLink(other, email);
  const link = await linkIn(email);
  // A mail server that checks the link does not use it up.
  await fetch(link, { method: "HEAD" });
  await other.goto(link);
  expect(new URL(other.url()).pathname + new URL(other.url()).search).toBe("/login/new-password");
  await expect(other.getByText(`For the account ${username}`)).toBeVisible();
  if (javaScriptEnabled) await expectSound(other);
  await other.getByLabel("New password").fill("password1");
  await other.getByRole("button", { name: "Set the password" }).click();
  await expect(other.getByText("one of the most common passwords")).toBeVisible();
  await other.getByLabel("New password").fill("another quiet river");
  await other.getByRole("button", { name: "Set the password" }).click();
  await expect(other.getByRole("status").filter({ hasText: "Your new password is set" })).toBeVisible();
  // The session from before has ended.
  await page.goto("/account");
  await expect(page.getByRole("heading", { name: "Log in" })).toBeVisible();
  await other.getByRole("link", { name: "Log in", exact: true }).last().click();
  await other.getByLabel("Username").fill(username);
  await other.getByLabel("Password").fill("another quiet river");
  await other.getByRole("button", { name: "Log in" }).click();
  await expect(other.getByRole("button", { name: "Log out" })).toBeVisible();
  const again = await openBrowser(server);
  await again.goto(link);
  await expect(again.getByText("This link has been used, has expired, or is incomplete.")).toBeVisible();
  // Neither token nor address is in the log.
  const token = new URL(link).searchParams.get("token") ?? "";
  expect(token).toHaveLength(43);
  expect(server.output).toContain('"path":"/login/reset"');
  expect(server.output).not.toContain(token);
  expect(server.output).not.toContain(email);
  await expect.poll(() => mail.mails.at(-1)?.subject).toContain("your password was changed");
});

test("a link leads to the site's own address, whatever Host the request names", async ({
  sharedServer,
  openBrowser,
}) => {
  const server = await sharedServer(settings);
  const { username } = await signUp(await openBrowser(server));
  const email = `${username}@example.org`;
  const page = await (await fetch(`${server.origin}/login/forgot`)).text();
  const form = new FormData();
  for (const [, name = "", value = ""] of page.matchAll(
    /<input type="hidden" name="([^"]*)"(?: value="([^"]*)")?/g,
  ))
    form.append(name, value.replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
  form.append("email", email);
  const headers = {
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Proto": "https",
    Forwarded: "host=evil.example",
  };
  const answer = await fetch(`${server.origin}/login/forgot`, {
    method: "POST",
    body: form,
    headers,
    redirect: "manual",
  });
  expect(answer.status).toBe(303);
  expect(await linkIn(email)).toMatch(new RegExp(`^${server.origin}/login/reset\\?token=`));
});

test("a site without mail names the people who can set a new password", async ({ page }) => {
  await page.goto("/login");
  await expect(
    page.getByText("Write to the administrator of this site, who can set a new one."),
  ).toBeVisible();
  await page.goto("/login/forgot");
  await expect(page.getByText("This site sends no email")).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveCount(0);
  await expectSound(page);
});

test("the page to request a link is sound, also with an error", async ({ sharedServer, openBrowser }) => {
  const server = await sharedServer(settings);
  const page = await openBrowser(server);
  await page.goto("/login/forgot");
  await expectSound(page);
  await page.getByLabel("Email").fill("nonsense");
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByText("Email must be an address such as name@example.org.")).toBeVisible();
  await expectSound(page);
});
