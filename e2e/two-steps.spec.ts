/** Logging in with a second factor: an app's codes, and recovery codes. */
import { Secret, TOTP } from "otpauth";
import type { Locator, Page } from "playwright/test";
import { password, signUp } from "./people.ts";
import { expect, test } from "./test.ts";

const stepMs = 30_000;
const inTime = { timeout: 20_000 };

/**
 * Submits until something is shown.
 * On a busy machine a code expires before it is checked: the next attempt has a new one.
 */
async function untilShown(shown: Locator, submit: () => Promise<void>): Promise<void> {
  await expect(async () => {
    if (!(await shown.isVisible())) await submit();
    await expect(shown).toBeVisible(inTime);
  }).toPass();
}

/** Sets the second factor up; resolves to its secret and the recovery codes. */
async function setUp(page: Page): Promise<{ secret: string; codes: string[] }> {
  await page.goto("/account");
  const section = page.locator("#two-steps");
  await section.getByLabel("Your password").fill(password);
  await section.getByRole("button", { name: "Set up an authenticator app" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Two-step verification" })).toBeVisible();
  const secret = (await page.locator("code").innerText()).replace(/\s/g, "");
  const link = await page.getByRole("link", { name: "open the app" }).getAttribute("href");
  expect(new URL(link ?? "").searchParams.get("secret")).toBe(secret);
  await expect(page.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
  await page.getByLabel("Code", { exact: true }).fill("000000");
  await page.getByLabel("Your password").fill("wrong");
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByText("This is not your password.")).toBeVisible();
  await page.getByLabel("Your password").fill(password);
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByText("This code is wrong.")).toBeVisible();
  const recoveryCodes = page.getByLabel("Recovery codes");
  await untilShown(recoveryCodes, async () => {
    await page.getByLabel("Code", { exact: true }).fill(codeOf(secret, Date.now()), inTime);
    await page.getByLabel("Your password").fill(password, inTime);
    await page.getByRole("button", { name: "Turn on" }).click(inTime);
  });
  const codes = (await recoveryCodes.inputValue()).split("\n");
  expect(codes).toHaveLength(10);
  return { secret, codes };
}

/** The code is of the next step, since each is accepted once. */
function nextCode(secret: string): string {
  return codeOf(secret, Date.now() + stepMs);
}

function codeOf(secret: string, timestamp: number): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp });
}

async function logInWith(page: Page, username: string, code: () => string): Promise<void> {
  await page.goto("/login?next=/account");
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByRole("heading", { name: "One more step" })).toBeVisible();
  await page.getByLabel("Code", { exact: true }).fill("123");
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByText("This code is wrong, was used, or has expired.")).toBeVisible();
  await untilShown(page.getByRole("heading", { level: 1, name: "Your account" }), async () => {
    await page.getByLabel("Code", { exact: true }).fill(code(), inTime);
    await page.getByRole("button", { name: "Log in" }).click(inTime);
  });
}

test("a user sets up a second factor, and logs in with a code and with a recovery code", {
  tag: "@without-javascript",
}, async ({ page, openBrowser }) => {
  const { username } = await signUp(page);
  const { secret, codes } = await setUp(page);
  const other = await openBrowser();
  await logInWith(other, username, () => nextCode(secret));
  await expect(other.locator("#two-steps")).toContainText("Recovery codes left: 10");
  const third = await openBrowser();
  await logInWith(third, username, () => codes[0] ?? "");
  await expect(third.locator("#two-steps")).toContainText("Recovery codes left: 9");
  const byApi = await third.request.post("/api/session", { data: { username, password } });
  expect(byApi.status()).toBe(401);
  expect((await byApi.json()).detail).toContain("two-step verification");
  const withCode = { username, password, code: codes[1] };
  expect((await third.request.post("/api/session", { data: withCode })).status()).toBe(200);
});

test("after new recovery codes, Done shows the form for others", {
  tag: "@without-javascript",
}, async ({ page }) => {
  await signUp(page);
  await setUp(page);
  await page.goto("/account");
  const renew = page.getByRole("button", { name: "New recovery codes" });
  const form = page.locator("#two-steps form").filter({ has: renew });
  await form.getByLabel("Your password").fill(password);
  await renew.click();
  await expect(page.getByLabel("Recovery codes")).toBeVisible();
  await page.getByRole("link", { name: "Done" }).click();
  await expect(renew).toBeVisible();
  await expect(page.getByLabel("Recovery codes")).toHaveCount(0);
});

test("with ADMIN_SECOND_FACTOR=required an administrator sets one up before /admin and its API work", async ({
  startServer,
  openBrowser,
  faults,
}) => {
  const server = await startServer({ ADMIN_SECOND_FACTOR: "required" });
  const page = await openBrowser(server);
  // The first account is the administrator's.
  const person = await signUp(page);
  await page.goto("/admin");
  await expect(page).toHaveURL(/\/account#two-steps$/);
  await expect(page.getByText("set it up to act as an administrator")).toBeVisible();
  faults.expectStatus(403);
  const disable = () =>
    page.request.put(`/api/users/${person.username}/disabled`, { data: { disabled: true, why: "A raid." } });
  expect((await disable()).status()).toBe(403);
  await setUp(page);
  await page.goto("/admin");
  await expect(page.getByRole("heading", { level: 1, name: "Admin" })).toBeVisible();
});
