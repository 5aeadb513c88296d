import Sqlite from "better-sqlite3";
import { databaseFile } from "../db/index.ts";
import { manyAccounts } from "../testing/registration.ts";
import { giveStars, newName, password, postPath, publish, rate, ratingPath, signUp } from "./people.ts";
import { expect, test } from "./test.ts";

test("registering with bad input shows the error beside each field and keeps the typed text", {
  tag: "@without-javascript",
}, async ({ page, javaScriptEnabled }) => {
  await page.goto("/register");
  const username = page.getByRole("textbox", { name: "Username" });
  const email = page.getByRole("textbox", { name: "Email" });
  const passwordField = page.getByLabel("Password");
  await username.fill("two words");
  await email.fill("nobody");
  await passwordField.fill("short");
  await page.getByRole("button", { name: "Create account" }).click();

  await expect(username).toHaveAccessibleDescription(
    /Username must consist of letters and digits of any script/,
  );
  await expect(email).toHaveAccessibleDescription(/Email must be an address such as name@example\.org\./);
  await expect(passwordField).toHaveAccessibleDescription(/Password must have at least 8 characters\./);
  for (const field of [username, email, passwordField])
    await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(username).toHaveValue("two words");
  await expect(email).toHaveValue("nobody");
  await expect(passwordField).toHaveValue("");
  if (javaScriptEnabled) await expect(username).toBeFocused();

  const name = newName("corrected");
  await username.fill(name);
  await passwordField.fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(username).toHaveAttribute("aria-invalid", "false");
  await expect(username).toHaveValue(name);
  await expect(email).toHaveAttribute("aria-invalid", "true");
  await expect(passwordField).toHaveValue("");
  if (javaScriptEnabled) await expect(email).toBeFocused();

  await email.fill(`${name}@example.org`);
  await passwordField.fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("link", { name: `Your account, ${name}` })).toBeVisible();
});

test("shows beside each field that a username or an email is taken", { tag: "@without-javascript" }, async ({
  page,
  openBrowser,
}) => {
  const { username } = await signUp(await openBrowser(), "taken");
  await page.goto("/register");
  await page.getByRole("textbox", { name: "Username" }).fill(username.toUpperCase());
  await page.getByRole("textbox", { name: "Email" }).fill(`${username}@example.org`);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("textbox", { name: "Username" })).toHaveAccessibleDescription(
    /This username is taken: choose another\./,
  );
  await expect(page.getByRole("textbox", { name: "Email" })).toHaveAccessibleDescription(
    /There is an account with this email already/,
  );
});

test("a wrong password and an unknown name are refused with the same words", {
  tag: "@without-javascript",
}, async ({ page, openBrowser }) => {
  const { username } = await signUp(await openBrowser());
  for (const name of [username, newName("nobody")]) {
    await page.goto("/login");
    await page.getByRole("textbox", { name: "Username" }).fill(name);
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(
      page.getByRole("status").filter({ hasText: /^The username or the password is wrong\.$/ }),
    ).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Username" })).toHaveValue(name);
    await expect(page.getByLabel("Password")).toHaveValue("");
  }
});

test("while very many people log in, shows a notice and keeps the typed text, and logs in afterwards", {
  tag: "@without-javascript",
}, async ({ openBrowser, startServer, javaScriptEnabled }) => {
  const many = { capacity: 1_000_000, leakPerSecond: 1_000 };
  const server = await startServer({
    LIMITS: JSON.stringify({ ...manyAccounts, "login.address": many, "login.account": many }),
  });
  const page = await openBrowser(server);
  await page.goto("/");
  const { username } = await signUp(page);
  await page.context().clearCookies();
  let isFlooded = true;
  const flood = Array.from({ length: 40 }, async (_, index) => {
    while (isFlooded)
      await fetch(`${server.origin}/api/session`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ username: `nobody-${index}`, password: "not the password" }),
      });
  });
  const busy = page
    .getByRole("status")
    .filter({ hasText: /^Very many people are logging in or registering/ });
  const wrong = page.getByRole("status").filter({ hasText: /^The username or the password is wrong/ });
  const passwordField = page.getByLabel("Password");
  const logIn = async (typed: string) => {
    await page.getByRole("textbox", { name: "Username" }).fill(username);
    await passwordField.fill(typed);
    await page.getByRole("button", { name: "Log in" }).click();
  };
  do {
    await page.goto("/login");
    await logIn("not the password");
    await expect(busy.or(wrong)).toBeVisible();
  } while (await wrong.isVisible()); // a place had just become free
  await expect(page.getByRole("textbox", { name: "Username" })).toHaveValue(username);
  await expect(passwordField).toHaveValue(javaScriptEnabled ? "not the password" : "");
  isFlooded = false;
  await Promise.all(flood);
  await logIn(password);
  await expect(page.getByRole("link", { name: `Your account, ${username}` })).toBeVisible();
});

test("a post without a title is not published, and its text stays", { tag: "@without-javascript" }, async ({
  page,
  javaScriptEnabled,
}) => {
  await signUp(page, "author");
  await page.goto("/posts/new");
  const title = page.getByRole("textbox", { name: "Title" });
  const content = page.getByRole("textbox", { name: "Content" });
  const text = "First line,\n\n  “second” line & <third> 🙂";
  await content.fill(text);
  const idempotencyKey = page.locator("[name=idempotencyKey]");
  const sentKey = await idempotencyKey.inputValue();
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(title).toHaveAccessibleDescription(/Give your post a title\./);
  await expect(idempotencyKey).toHaveValue(sentKey);
  await expect(content).toHaveValue(text);
  await expect(content).toHaveAttribute("aria-invalid", "false");
  if (javaScriptEnabled) await expect(title).toBeFocused();

  await title.fill(newName("With a title"));
  await content.fill("");
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(content).toHaveAccessibleDescription(/Write something first: your post has no text yet\./);
  await expect(title).toHaveAttribute("aria-invalid", "false");
  await expect(title).toHaveValue(/With a title/);
  if (javaScriptEnabled) await expect(content).toBeFocused();
});

test("without JavaScript, pressing Rate without a choice shows an error", {
  tag: "@without-javascript",
}, async ({ page, javaScriptEnabled }) => {
  test.skip(javaScriptEnabled, "with JavaScript a choice is what sends the form");
  const slug = await publish(await signUp(page));
  await page.goto(postPath(slug));
  await page.getByRole("button", { name: "Rate", exact: true }).click();
  const group = page.getByRole("radiogroup", { name: "Your rating" });
  await expect(group).toHaveAccessibleDescription("Choose a number of stars first.");
  await expect(page.getByRole("region", { name: "Score" })).toContainText("Not rated yet");
});

test("a form made stale by a rating or withdrawal in another window saves the choice", {
  tag: "@without-javascript",
}, async ({ page, javaScriptEnabled }) => {
  const reader = await signUp(page);
  const slug = await publish(reader);
  const score = page.getByRole("region", { name: "Score" });
  await page.goto(postPath(slug));
  await rate(reader, slug, 2);
  await giveStars(page, "5 stars", javaScriptEnabled);
  await expect(score.getByRole("status")).toContainText("Counted as 5 stars");

  await page.request.delete(ratingPath(slug));
  await giveStars(page, "4 stars", javaScriptEnabled);
  await expect(score.getByRole("status")).toContainText("Counted as 4 stars");
  const saved = await page.request.get(ratingPath(slug));
  expect(await saved.json()).toMatchObject({ score: 4 });
});

test("changing the password with a wrong or a short one shows the error beside the field", {
  tag: "@without-javascript",
}, async ({ page, javaScriptEnabled }) => {
  await signUp(page);
  await page.goto("/account");
  const current = page.getByLabel("Current password");
  const next = page.getByLabel("New password");
  await current.fill("not the password");
  await next.fill("short");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(next).toHaveAccessibleDescription(/New password must have at least 8 characters\./);
  if (javaScriptEnabled) await expect(next).toBeFocused();
  await current.fill("not the password");
  await next.fill("another good one");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(current).toHaveAccessibleDescription(/This is not your current password\./);
  for (const field of [current, next]) await expect(field).toHaveValue("");
  if (javaScriptEnabled) await expect(current).toBeFocused();
});

test("a form of a page older than the server gets an error, and keeps the text", async ({ page, faults }) => {
  await signUp(page);
  await page.goto("/posts/new");
  await page.getByRole("textbox", { name: "Title" }).fill(newName("Written before the update"));
  const content = page.getByRole("textbox", { name: "Content" });
  await content.fill("Words.");
  faults.expectStatus(409);
  // The id of an action that no build has.
  await page.route("**/posts/new", (route) =>
    route.continue({ headers: { ...route.request().headers(), "next-action": "0".repeat(42) } }),
  );
  await page.getByRole("button", { name: "Publish" }).click();
  const message = "This site was updated meanwhile. Your text is still here. Copy what you need, then reload";
  await expect(page.getByRole("status").filter({ hasText: message })).toBeVisible();
  await expect(content).toHaveValue("Words.");
});

test("a failure of the server leaves the text in the form, and its page can be tried again", async ({
  startServer,
  browser,
}) => {
  const server = await startServer({ LOG_LEVEL: "silent" });
  // The framework reports these failures on the console too.
  const context = await browser.newContext({ baseURL: server.origin });
  const page = await context.newPage();
  await signUp(page);
  await page.goto("/posts/new");
  const title = newName("Written during a failure");
  await page.getByRole("textbox", { name: "Title" }).fill(title);
  const content = page.getByRole("textbox", { name: "Content" });
  await content.fill("Words.");
  const database = new Sqlite(databaseFile(server.databaseUrl), { timeout: 600_000 });
  database.exec("alter table posts rename to posts_elsewhere");
  await page.getByRole("button", { name: "Publish" }).click();
  const message = "Something went wrong on the server. Your text is still here. Try again in a moment.";
  await expect(page.getByRole("status").filter({ hasText: message })).toBeVisible();
  await expect(content).toHaveValue("Words.");
  database.exec("alter table posts_elsewhere rename to posts");
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();

  database.exec("alter table bookmarks rename to bookmarks_elsewhere");
  expect((await page.goto("/account/bookmarks"))?.status()).toBe(500);
  const failed = page.getByRole("heading", { name: "Something went wrong here." });
  await expect(failed).toBeVisible();
  database.exec("alter table bookmarks_elsewhere rename to bookmarks");
  database.close();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Saved for later" })).toBeVisible();
  await expect(failed).toHaveCount(0);
  await context.close();
});
