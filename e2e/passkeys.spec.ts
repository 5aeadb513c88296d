/** Passkeys as a second factor, with Chromium's virtual authenticator. */
import type { Page } from "playwright/test";
import { password, signUp } from "./people.ts";
import { expect, test } from "./test.ts";

async function addAuthenticator(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send("WebAuthn.enable");
  await client.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function logInToSecondStep(page: Page, username: string): Promise<void> {
  await page.goto("/login?next=/account");
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByRole("heading", { name: "One more step" })).toBeVisible();
}

test("a user adds a passkey, logs in with it or with a recovery code, and removes it", async ({
  page,
  openBrowser,
}) => {
  await addAuthenticator(page);
  const { username } = await signUp(page);
  await page.goto("/account");
  const section = page.locator("#two-steps");
  await section.getByRole("link", { name: "add a passkey" }).click();
  await page.waitForLoadState();
  await page.getByLabel("Name").fill("My laptop");
  await page.getByLabel("Your password").fill("wrong");
  await page.getByRole("button", { name: "Add passkey" }).click();
  await expect(page.getByText("This is not your password.")).toBeVisible();
  await page.getByLabel("Your password").fill(password);
  await page.getByRole("button", { name: "Add passkey" }).click();
  const codes = (await page.getByLabel("Recovery codes").inputValue()).split("\n");
  expect(codes).toHaveLength(10);
  await page.getByRole("link", { name: "Done" }).click();
  await expect(section.getByRole("radio", { name: "My laptop (added" })).toBeVisible();

  // The authenticator has one for this account already.
  await section.getByRole("link", { name: "Add a passkey" }).click();
  await page.waitForLoadState();
  await page.getByLabel("Name").fill("Again");
  await page.getByLabel("Your password").fill(password);
  await page.getByRole("button", { name: "Add passkey" }).click();
  await expect(page.getByText("No passkey was added")).toBeVisible();

  await page.getByRole("button", { name: "Log out", exact: true }).click();
  await expect(page.getByRole("banner").getByRole("link", { name: "Log in" })).toBeVisible();
  await logInToSecondStep(page, username);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Your account" })).toBeVisible();

  // A browser that does not have it.
  const other = await openBrowser();
  await logInToSecondStep(other, username);
  await expect(other.getByLabel("Code")).toHaveAccessibleDescription("One of your recovery codes.");
  await other.getByLabel("Code").fill(codes[0] ?? "");
  await other.getByRole("button", { name: "Log in" }).click();
  await expect(other.locator("#two-steps")).toContainText("Recovery codes left: 9");

  await section.getByRole("radio", { name: "My laptop (last used" }).check();
  await section.getByLabel("Your password").first().fill(password);
  await section.getByRole("button", { name: "Remove passkey" }).click();
  await expect(section.getByRole("status").first()).toHaveText("The passkey was removed.");
  await expect(section).toContainText("It is off.");
});

test("where JavaScript is off, the pages of passkeys say so, and the code works", async ({
  page,
  browser,
  baseURL,
}) => {
  await addAuthenticator(page);
  const { username } = await signUp(page);
  await page.goto("/account/passkeys");
  await page.getByLabel("Name").fill("My laptop");
  await page.getByLabel("Your password").fill(password);
  await page.getByRole("button", { name: "Add passkey" }).click();
  const codes = (await page.getByLabel("Recovery codes").inputValue()).split("\n");
  const context = await browser.newContext({ ...(baseURL && { baseURL }), javaScriptEnabled: false });
  const plain = await context.newPage();
  await logInToSecondStep(plain, username);
  // Chromium renders no <noscript> where Playwright switches scripts off.
  expect(await (await plain.request.get("/login/code")).text()).toContain("Your passkey needs JavaScript");
  await expect(plain.getByRole("button", { name: "Use a passkey" })).toHaveCount(0);
  await plain.getByLabel("Code").fill(codes[0] ?? "");
  await plain.getByRole("button", { name: "Log in" }).click();
  await expect(plain.getByRole("heading", { level: 1, name: "Your account" })).toBeVisible();
  expect(await (await plain.request.get("/account/passkeys")).text()).toContain("Passkeys need JavaScript");
  await context.close();
});
