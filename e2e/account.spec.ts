import Sqlite from "better-sqlite3";
import type { Page } from "playwright/test";
import { databaseFile } from "../db/index.ts";
import {
  beginDeletion,
  holdScripts,
  isTakenOver,
  newName,
  type Person,
  password,
  postPath,
  publish,
  rate,
  signUp,
} from "./people.ts";
import { expect, mainServer, test } from "./test.ts";

const newPassword = "staple battery horse";

test("changing the password ends every session but this one", {
  tag: "@without-javascript",
}, async ({ page, openBrowser }) => {
  const person = await signUp(page);
  const elsewhere = await logInElsewhere(person, await openBrowser());
  await page.goto("/account");
  await page.getByLabel("Current password").fill(password);
  await page.getByLabel("New password").fill(newPassword);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Your password is changed." })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "Your account" })).toBeVisible();
  await expect(page.getByText("Your password is changed.")).toHaveCount(0);
  await page.goto("/account");
  await expect(page.getByRole("heading", { level: 1, name: "Your account" })).toBeVisible();
  await expectLoggedOut(elsewhere);
  const { username } = person;
  const logIn = (given: string) =>
    elsewhere.request.post("/api/session", { data: { username, password: given } });
  expect((await logIn(password)).status()).toBe(401);
  expect((await logIn(newPassword)).status()).toBe(200);
});

test("a password that is typed before the page's scripts have run stays, and keeps the focus", async ({
  page,
}) => {
  await signUp(page);
  const scripts = await holdScripts(page);
  await page.goto("/account", { waitUntil: "commit" });
  const current = page.getByLabel("Current password");
  const next = page.getByLabel("New password");
  await current.fill("not the password");
  await next.fill(newPassword);
  // The browser sends it, and the answer is a page.
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(current).toHaveAttribute("aria-invalid", "true");
  await current.fill(password);
  await next.fill(newPassword);
  scripts.release();
  await expect.poll(() => isTakenOver(next)).toBe(true);
  // Effects run before the next frame.
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await expect(next).toBeFocused();
  await expect(current).toHaveValue(password);
  await expect(next).toHaveValue(newPassword);
});

test("logging out everywhere ends every session", { tag: "@without-javascript" }, async ({
  page,
  openBrowser,
}) => {
  const person = await signUp(page);
  const elsewhere = await logInElsewhere(person, await openBrowser());
  await page.goto("/account");
  await page.getByRole("button", { name: "Log out everywhere" }).click();
  await expect(page.getByText("You are logged out everywhere.")).toBeVisible();
  for (const each of [page, elsewhere]) await expectLoggedOut(each);
});

test("logging out ends this session and no other", { tag: "@without-javascript" }, async ({
  page,
  openBrowser,
}) => {
  const person = await signUp(page);
  const elsewhere = await logInElsewhere(person, await openBrowser());
  await page.goto("/");
  await page.getByRole("button", { name: "Log out", exact: true }).click();
  await expect(page.getByRole("banner").getByRole("link", { name: "Log in" })).toBeVisible();
  await expectLoggedOut(page);
  await elsewhere.goto("/account");
  await expect(elsewhere.getByRole("heading", { level: 1, name: "Your account" })).toBeVisible();
});

test("a cookie that was copied before the log-out is worthless afterwards", {
  tag: "@without-javascript",
}, async ({ page, openBrowser }) => {
  await signUp(page);
  const copied = await page.context().cookies();
  await page.goto("/");
  await page.getByRole("button", { name: "Log out", exact: true }).click();
  await expect(page.getByRole("banner").getByRole("link", { name: "Log in" })).toBeVisible();
  const thief = await openBrowser();
  await thief.context().addCookies(copied);
  await expectLoggedOut(thief);
});

test("the account page lists the sessions, and ends one, all others, and its own", {
  tag: "@without-javascript",
}, async ({ page, openBrowser, request }) => {
  const person = await signUp(page);
  const [second, third] = [await openBrowser(), await openBrowser()];
  for (const each of [second, third]) await logInElsewhere(person, each);
  const data = { username: person.username, password };
  await request.post("/api/session", { data, headers: { "User-Agent": "backup-script/2.1" } });

  await page.goto("/account");
  const sessions = page.locator("#sessions");
  await expect(sessions.getByRole("listitem")).toHaveCount(4);
  await expect(sessions.getByRole("listitem").filter({ hasText: "this session" })).toHaveCount(1);
  await sessions.getByRole("button", { name: "Log out backup-script, logged in" }).click();
  await expect(sessions.getByRole("status")).toHaveText("That session has ended.");
  await expect(sessions.getByRole("listitem")).toHaveCount(3);
  await sessions.getByRole("button", { name: "Log out all others" }).click();
  await expect(sessions.getByRole("status")).toHaveText("All other sessions have ended.");
  await expect(sessions.getByRole("listitem")).toHaveCount(1);
  for (const each of [second, third]) await expectLoggedOut(each);
  await sessions.getByRole("listitem").getByRole("button", { name: "Log out" }).click();
  await expect(page.getByText("You are logged out.")).toBeVisible();
  await expectLoggedOut(page);
});

test("a session that ends while its password is checked changes nothing and shows an error", {
  tag: "@without-javascript",
}, async ({ page, javaScriptEnabled }) => {
  const { username } = await signUp(page);
  await page.goto("/account");
  const database = new Sqlite(databaseFile(mainServer.databaseUrl), { timeout: 600_000 });
  const userId = Number(database.prepare("select id from users where username = ?").pluck().get(username));
  // Counting the password is the last that is saved before it is checked.
  database.exec(
    `create trigger end_${userId} after insert on limiter_states when new.key like 'password.user:%:${userId} change-password'
    begin delete from sessions where user_id = ${userId}; end`,
  );
  await page.getByLabel("Current password").fill(password);
  await page.getByLabel("New password").fill(newPassword);
  await page.getByRole("button", { name: "Change password" }).click();
  if (javaScriptEnabled === false) await expect(page).toHaveURL(/\/login\?next=%2Faccount$/);
  else await expect(page.getByText("You are no longer logged in.")).toBeVisible();
  database.exec(`drop trigger end_${userId}`);
  database.close();
  const logIn = (given: string) => page.request.post("/api/session", { data: { username, password: given } });
  expect((await logIn(newPassword)).status()).toBe(401);
  expect((await logIn(password)).status()).toBe(200);
});

test("a notice of a log-out is shown in no other browser", { tag: "@without-javascript" }, async ({
  page,
  openBrowser,
}) => {
  await signUp(page);
  await page.goto("/account");
  await page.getByRole("button", { name: "Log out everywhere" }).click();
  await expect(page.getByText("You are logged out everywhere.")).toBeVisible();
  const other = await openBrowser();
  await other.goto(page.url());
  await expect(other.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
  await expect(other.getByText("You are logged out")).toHaveCount(0);
});

test("deleting an account deletes its posts and ratings, and scores change accordingly", {
  tag: "@without-javascript",
}, async ({ page, openBrowser, faults }) => {
  const author = await signUp(await openBrowser(), "author");
  const rated = await publish(author);
  await rate(author, rated, 2);
  const leaver = await signUp(page, "leaver");
  const title = newName("Leaving");
  const own = await publish(leaver, { title });
  await rate(leaver, rated, 5);
  const score = author.page.getByRole("region", { name: "Score" });
  await author.page.goto(postPath(rated));
  await expect(score).toContainText("3.50");

  const passwordField = page.locator("#delete-account").getByLabel("Your password");
  await beginDeletion(page, "not the password");
  await expect(passwordField).toHaveAccessibleDescription("This is not your password.");
  await beginDeletion(page);
  await expect(page.getByRole("link", { name: "Download the archive" })).toBeVisible();
  // The first step permits a copy only.
  await passwordField.fill("not the password");
  await page.getByRole("button", { name: "Delete account" }).click();
  await expect(passwordField).toHaveAccessibleDescription("This is not your password.");
  expect((await page.request.get(`/users/${leaver.username}`)).status()).toBe(200);
  await passwordField.fill(password);
  await page.getByRole("button", { name: "Delete account" }).click();
  await expect(page).toHaveURL("/");
  await expectLoggedOut(page);

  // Ratings are removed in the background.
  await expect
    .poll(async () => {
      await author.page.goto(postPath(rated));
      return score.textContent();
    })
    .toContain("2.00");
  await expect(score).toContainText("1 rating");
  faults.expectStatus(404);
  for (const path of [postPath(own), `/users/${leaver.username}`]) {
    const answer = await page.goto(path);
    expect(answer?.status()).toBe(404);
  }
  const again = { username: leaver.username, password };
  expect((await page.request.post("/api/session", { data: again })).status()).toBe(401);
});

async function logInElsewhere({ username }: Person, page: Page): Promise<Page> {
  const answer = await page.request.post("/api/session", { data: { username, password } });
  expect(answer.status()).toBe(200);
  await page.goto("/account");
  await expect(page.getByRole("heading", { level: 1, name: "Your account" })).toBeVisible();
  return page;
}

async function expectLoggedOut(page: Page): Promise<void> {
  await page.goto("/account");
  await expect(page).toHaveURL("/login?next=%2Faccount");
}
