/** The forms of pages without the framework's scripts, with a script of their own. */
import type { Page } from "playwright/test";
import { userNamed } from "../db/contract/setting.ts";
import { uploadMaximumBytes } from "../lib/media/bounds.ts";
import {
  addImage,
  chooseColours,
  inDatabase,
  makeAdministrator,
  newName,
  password,
  publish,
  signUp,
  signUpAdministrator,
} from "./people.ts";
import { picture } from "./picture.ts";
import { expect, test } from "./test.ts";

const unreachable = /^Couldn’t reach the server\. Nothing you entered is lost\./;

async function fillLogIn(page: Page, username: string, typed: string): Promise<void> {
  await page.goto("/login?next=/account");
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill(typed);
}

test("a log-in that cannot be sent stays in its form, and can be sent again", async ({
  page,
  openBrowser,
  faults,
}) => {
  faults.expectNoConnection();
  faults.expectStatus(502);
  const { username } = await signUp(await openBrowser());
  await fillLogIn(page, username, password);
  const button = page.getByRole("button", { name: "Log in" });
  const failed = page.getByRole("status").filter({ hasText: unreachable });
  await page.context().setOffline(true);
  await button.click();
  await expect(failed).toBeVisible();
  // The next message is the same.
  await failed.evaluate((message) => message.replaceChildren());
  await page.context().setOffline(false);
  await page.route("**/*", (route) => route.fulfill({ status: 502, body: "Bad Gateway" }));
  const answer = page.waitForResponse((response) => response.status() === 502);
  await button.click();
  await answer;
  await expect(failed).toBeVisible();
  await page.unroute("**/*");
  await expect(page.getByLabel("Username")).toHaveValue(username);
  await expect(page.getByLabel("Password")).toHaveValue(password);
  await button.click();
  await expect(page.getByRole("heading", { level: 1, name: "Your account" })).toBeVisible();
});

test("a refused log-in stays on its page, keeps the focus, and can be corrected", async ({
  page,
  openBrowser,
}) => {
  const { username } = await signUp(await openBrowser());
  await fillLogIn(page, username, "not the password");
  const button = page.getByRole("button", { name: "Log in" });
  const loads: string[] = [];
  page.on("load", () => loads.push(page.url()));
  await button.press("Enter");
  await expect(
    page.getByRole("status").filter({ hasText: "The username or the password is wrong." }),
  ).toBeVisible();
  await expect(button).toBeFocused();
  await expect(page.getByLabel("Username")).toHaveValue(username);
  await expect(page.getByLabel("Password")).toHaveValue("");
  expect(loads).toEqual([]);
  await page.getByLabel("Password").fill("not the password");
  await page.getByLabel("Password").press("Enter");
  await expect(page.getByLabel("Password")).toHaveValue("");
  await expect(page.getByLabel("Password")).toBeFocused();
  await page.getByLabel("Password").fill(password);
  await button.click();
  await expect(page.getByRole("heading", { level: 1, name: "Your account" })).toBeVisible();
});

test("a log-in after the user has logged in elsewhere leads to the page it is for", async ({ page }) => {
  const { username } = await signUp(page);
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await fillLogIn(page, username, "not the password");
  await page.context().addCookies(cookies);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Your account" })).toBeVisible();
  await expect(page).toHaveURL(/\/account$/);
});

test("a bookmark that is removed after the session has ended stays, with a link to log in", async ({
  page,
}) => {
  const slug = await publish(await signUp(page));
  expect((await page.request.put(`/api/posts/${slug}/bookmark`)).status()).toBe(204);
  await page.goto("/account/bookmarks");
  await page.context().clearCookies();
  await page.getByRole("main").getByRole("button").first().click();
  await expect(page.getByRole("status").filter({ hasText: /^You are no longer logged in\./ })).toBeVisible();
  await expect(page).toHaveURL(/\/account\/bookmarks$/);
});

test("a log-in after too many counts down to the next one", async ({ startServer, openBrowser }) => {
  const limit = { capacity: 1, leakPerSecond: 0.001 };
  const server = await startServer({ LIMITS: JSON.stringify({ "login.address": limit }) });
  const page = await openBrowser(server);
  await page.clock.install();
  await fillLogIn(page, newName("stranger"), "not the password");
  const button = page.getByRole("button", { name: "Log in" });
  await button.click();
  await expect(page.getByText("The username or the password is wrong.")).toBeVisible();
  await page.getByLabel("Password").fill("not the password");
  await button.click();
  await expect(page.getByText(/^Too many requests: many passwords have been tried/)).toBeVisible();
  const timer = page.getByRole("timer");
  await expect(timer).toHaveText(/^You can try again in \d+ minutes\.$/);
  const first = await timer.innerText();
  await page.clock.fastForward("02:00");
  await expect(timer).not.toHaveText(first);
  await page.clock.fastForward("17:00");
  await expect(page.getByText("You can try again now.")).toBeVisible();
});

test("descriptions of images stay in their form when the session has ended, and are saved together", async ({
  page,
}) => {
  await signUp(page);
  for (const alt of ["A lake", "A pond"]) await addImage(page, { alt });
  await page.goto("/account/media");
  const rows = page.getByRole("listitem").filter({ hasText: "pixels" });
  for (const [index, alt] of ["A pond in spring", "A lake in autumn"].entries()) {
    await rows.nth(index).getByText("Change the description").click();
    await rows.nth(index).getByLabel("Description").fill(alt);
  }
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  const save = rows.first().getByRole("button", { name: "Save" });
  await save.click();
  const ended = page.getByRole("status").filter({ hasText: /^You are no longer logged in\./ });
  await expect(ended.getByRole("link", { name: "Log in" })).toHaveAttribute("href", /^\S*\/login\?next=/);
  await expect(rows.first().getByLabel("Description")).toHaveValue("A pond in spring");
  await page.context().addCookies(cookies);
  await rows.nth(1).getByLabel("Description").press("Enter");
  await expect(page.getByText(/^Saved\./)).toBeVisible();
  await expect(rows.first().getByLabel("For your post")).toHaveValue(/^!\[A pond in spring\]/);
  await expect(rows.nth(1).getByLabel("For your post")).toHaveValue(/^!\[A lake in autumn\]/);
});

test("a typed description stays when another image is removed, and so does the page of the list", async ({
  page,
}) => {
  await signUp(page);
  for (const alt of ["A lake", "A pond"]) await addImage(page, { alt });
  const later = "/account/media?before=999999999";
  await page.goto(later);
  const rows = page.getByRole("listitem").filter({ hasText: "pixels" });
  await rows.first().getByText("Change the description").click();
  await rows.first().getByLabel("Description").fill("A pond in spring");
  await rows.nth(1).getByRole("button", { name: "Remove" }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows.getByLabel("Description")).toBeVisible();
  await expect(rows.getByLabel("Description")).toHaveValue("A pond in spring");
  expect(page.url()).toContain(later);
  await page.reload();
  await expect(rows.getByLabel("Description")).toHaveValue("A pond");
});

test("ticked boxes, choices and texts stay when another form of the page succeeds", async ({
  sharedServer,
  openBrowser,
}) => {
  const server = await sharedServer({ REGISTRATION: "approval" });
  const administrator = await signUp(await openBrowser(server), "keeper");
  await makeAdministrator(server, administrator);
  const { page } = administrator;
  const [one, other, third] = ["one", "other", "third"].map((prefix) => newName(prefix));
  await inDatabase(server, async ({ users }) => {
    for (const name of [one, other, third])
      await users.insert(userNamed(name ?? "", { pendingSince: Date.now() }));
  });
  await page.goto("/admin/people");
  const note = page.getByRole("textbox", { name: "Note" });
  await note.fill("To be withdrawn");
  await page.getByRole("button", { name: "Create invitation" }).click();
  await page.getByRole("link", { name: "Done" }).click();
  // Then the script of forms runs.
  await page.waitForLoadState();

  const box = (name = "") => page.getByRole("checkbox", { name });
  await box(one).check();
  await box(other).check();
  await note.fill("For a friend");
  const role = page.getByRole("combobox", { name: "The person may" });
  await role.selectOption("reader");
  // The page with the answer takes this one's place.
  await page.getByRole("button", { name: /^Withdraw/ }).click();
  await expect(page.getByRole("button", { name: /^Withdraw/ })).toHaveCount(0);
  await expect(box(one)).toBeChecked();
  await expect(box(other)).toBeChecked();
  await expect(box(third)).not.toBeChecked();
  await expect(note).toHaveValue("For a friend");
  await expect(role).toHaveValue("reader");
  // The answer leads to the same page, which is loaded again.
  await page.getByRole("button", { name: `Approve ${third}` }).click();
  await expect(box(third)).toHaveCount(0);
  await expect(note).toHaveValue("For a friend");
  await expect(role).toHaveValue("reader");
  await page.goto("/admin/people");
  await expect(box(one)).not.toBeChecked();
  await expect(note).toHaveValue("");
});

test("a description that cannot be saved is refused beside its field", {
  tag: "@without-javascript",
}, async ({ page, javaScriptEnabled }) => {
  await signUp(page);
  await addImage(page);
  await page.goto("/account/media");
  const row = page.getByRole("listitem").filter({ hasText: "pixels" });
  await row.getByText("Change the description").click();
  const field = row.getByLabel("Description");
  await field.fill("A lake\u0007");
  await row.getByRole("button", { name: "Save" }).click();
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(field).toBeVisible();
  await expect(field).toHaveValue("A lake\u0007");
  if (javaScriptEnabled) await expect(field).toBeFocused();
});

test("a chosen image stays in a form whose description is refused", async ({ page }) => {
  await signUp(page);
  await page.goto("/account/media");
  const field = page.getByLabel("Image file");
  await field.setInputFiles({ name: "lake.jpg", mimeType: "image/jpeg", buffer: await picture() });
  const alt = page.getByLabel("Description");
  await alt.fill("A lake\u0007");
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(alt).toHaveAttribute("aria-invalid", "true");
  await expect(field).toHaveValue(/lake\.jpg$/);
  await alt.fill("A lake");
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByLabel("For your post")).toHaveValue(/^!\[A lake\]/);
});

test("an image's line is copied by its button, and a file that is too large is not sent", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signUp(page);
  await addImage(page);
  await page.goto("/account/media");
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  const line = await page.getByLabel("For your post").inputValue();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(line);

  const posts: string[] = [];
  page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
  const buffer = Buffer.alloc(uploadMaximumBytes + 1);
  await page.getByLabel("Image file").setInputFiles({ name: "lake.jpg", mimeType: "image/jpeg", buffer });
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("status").filter({ hasText: "10 MB" })).toBeVisible();
  await expect(page.getByLabel("Image file")).toBeFocused();
  expect(posts).toEqual([]);
});

test("an archive that cannot be uploaded stays in its form, also when the session has ended", async ({
  sharedServer,
  openBrowser,
  faults,
}) => {
  faults.expectNoConnection();
  for (const status of [502, 403]) faults.expectStatus(status);
  const server = await sharedServer({});
  const administrator = await signUpAdministrator(server, await openBrowser(server));
  const { page } = administrator;
  await page.goto("/admin/archive");
  const field = page.getByLabel("File");
  await field.setInputFiles({ name: "posts.json", mimeType: "application/json", buffer: Buffer.from("{}") });
  const button = page.getByRole("button", { name: "Upload" });
  const status = page.getByRole("main").getByRole("status");
  await page.context().setOffline(true);
  await button.click();
  const failed = status.filter({ hasText: unreachable });
  await expect(failed).toBeVisible();
  // The next message is the same.
  await failed.evaluate((message) => message.replaceChildren());
  await page.context().setOffline(false);
  await page.route("**/uploads", (route) => route.fulfill({ status: 502, body: "Bad Gateway" }));
  const answer = page.waitForResponse((response) => response.status() === 502);
  await button.click();
  await answer;
  await expect(failed).toBeVisible();
  await page.unroute("**/uploads");
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await button.click();
  const ended = status.filter({ hasText: /^You are no longer logged in\./ });
  await expect(ended.getByRole("link", { name: "Log in" })).toHaveAttribute("href", /\/login\?next=/);
  await expect(field).toHaveValue(/posts\.json$/);
  await page.context().addCookies(cookies);
  await button.click();
  await expect(page).toHaveURL(/\/admin\/archive\/.+/);
});

test("logging out needs a confirmation to end an upload, and does not wait for it", async ({
  sharedServer,
  openBrowser,
  faults,
}) => {
  faults.expectNoConnection();
  const server = await sharedServer({});
  const { page } = await signUpAdministrator(server, await openBrowser(server));
  await page.goto("/admin/archive");
  const buffer = Buffer.from("{}");
  await page.getByLabel("File").setInputFiles({ name: "posts.json", mimeType: "application/json", buffer });
  // It gets no answer.
  const uploading = Promise.withResolvers<void>();
  await page.route("**/uploads", () => uploading.resolve());
  await page.getByRole("button", { name: "Upload" }).click();
  await uploading.promise;
  const questions: string[] = [];
  page.on("dialog", (dialog) => {
    questions.push(dialog.message());
    return questions.length === 1 ? dialog.dismiss() : dialog.accept();
  });
  await page.getByRole("button", { name: "Log out" }).click();
  await expect(page.locator("form[aria-busy=true]")).toHaveCount(1);
  await page.getByRole("button", { name: "Log out" }).click();
  await expect(page.getByRole("banner").getByRole("link", { name: "Log in" })).toBeVisible();
  const question = "Any text or file in this browser that is not saved yet will be lost. Continue?";
  expect(questions).toEqual([question, question]);
});

test("a log-out that cannot be sent keeps the page", async ({ page, faults }) => {
  faults.expectNoConnection();
  await signUp(page);
  await page.goto("/");
  const button = page.getByRole("button", { name: "Log out" });
  await page.context().setOffline(true);
  await button.click();
  await expect(page.getByRole("banner").getByRole("status").filter({ hasText: unreachable })).toBeVisible();
  await page.context().setOffline(false);
  await button.click();
  await expect(page.getByRole("banner").getByRole("link", { name: "Log in" })).toBeVisible();
});

for (const who of ["visitor", "user"])
  test(`colours that a ${who} chooses without a connection keep the page`, async ({ page, faults }) => {
    faults.expectNoConnection();
    if (who === "user") await signUp(page);
    await page.goto("/");
    const failed = page.getByRole("contentinfo").getByRole("alert").filter({ hasText: unreachable });
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Dark" }).click();
    await expect(failed).toBeVisible();
    await page.context().setOffline(false);
    await chooseColours(page, "Dark");
  });

test("typed texts and choices stay when colours or a language are chosen", async ({
  page,
  sharedServer,
  openBrowser,
}) => {
  await page.goto("/lab");
  await page.locator("select[name=trace]").selectOption("times");
  await page.locator("textarea[name=times]").fill("0 1 2");
  await chooseColours(page, "Dark");
  await expect(page.locator("textarea[name=times]")).toHaveValue("0 1 2");
  await page.getByRole("button", { name: "فارسی" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "fa");
  await expect(page.locator("textarea[name=times]")).toHaveValue("0 1 2");

  const server = await sharedServer({});
  const administrator = await signUpAdministrator(server, await openBrowser(server));
  const settings = administrator.page;
  await settings.goto("/admin/accounts");
  const dialogs: string[] = [];
  settings.on("dialog", (dialog) => {
    dialogs.push(dialog.type());
    return dialog.accept();
  });
  await settings.getByLabel("Usernames").fill("one\ntwo");
  await chooseColours(settings, "Dark");
  await expect(settings.getByLabel("Usernames")).toHaveValue("one\ntwo");
  expect(dialogs).toEqual([]);
  // A browser shows the question only on a page that was used.
  await settings.getByLabel("Usernames").click();
  await settings.reload();
  await expect(settings.getByLabel("Usernames")).toHaveValue("");
  expect(dialogs).toEqual(["beforeunload"]);

  // Choices in a form that was refused, too.
  await settings.goto("/account");
  const choices = settings.locator("#api-tokens");
  await choices.getByLabel("Read posts").uncheck();
  await choices.getByLabel("Publish posts").check();
  await choices.getByRole("button", { name: "Create token" }).click();
  await expect(choices.getByLabel("Name")).toHaveAccessibleDescription(/^Give it a name/);
  await chooseColours(settings, "Light");
  await expect(choices.getByLabel("Read posts")).not.toBeChecked();
  await expect(choices.getByLabel("Publish posts")).toBeChecked();
  await chooseColours(settings, "Dark");

  await settings.goto("/posts/new");
  await settings.getByRole("textbox", { name: "Title" }).fill("A draft");
  await chooseColours(settings, "Light");
  await expect(settings.getByRole("textbox", { name: "Title" })).toHaveValue("A draft");

  // All fields of a post that was refused.
  await settings.getByRole("textbox", { name: "Title" }).fill(" ");
  await settings.getByRole("textbox", { name: "Content" }).fill("Some words.");
  await settings.locator("summary", { hasText: "Publishing options" }).click();
  const unlisted = settings.getByLabel("Only readers who have its link");
  await unlisted.check();
  await settings.getByRole("button", { name: "Publish" }).click();
  await expect(settings.getByRole("textbox", { name: "Title" })).toHaveAccessibleDescription(/title/);
  await chooseColours(settings, "Dark");
  await expect(settings.getByRole("textbox", { name: "Content" })).toHaveValue("Some words.");
  await expect(unlisted).toBeChecked();
  expect(dialogs).toHaveLength(1);
});

test("shows that a form failed, and confirms leaving, after a page with other colours did not come", async ({
  sharedServer,
  openBrowser,
  faults,
}) => {
  faults.expectNoConnection();
  const server = await sharedServer({});
  const administrator = await signUpAdministrator(server, await openBrowser(server));
  const { page } = administrator;
  await page.clock.install();
  await page.goto("/admin/accounts");
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.type());
    return dialog.accept();
  });
  const field = page.getByLabel("Usernames");
  await field.fill("one");
  // The browser stays on its page, as when its user stops loading.
  await page.route("/admin/accounts", (route) => route.fulfill({ status: 204 }));
  const answer = page.waitForResponse(
    (response) => response.status() === 204 && response.url().endsWith("/accounts"),
  );
  await page.getByRole("button", { name: "Dark" }).click();
  await answer;
  await page.unroute("/admin/accounts");
  expect(dialogs).toEqual([]);
  await page.context().setOffline(true);
  // Until then the page may still come.
  await page.clock.fastForward(10_000);
  await page.getByRole("button", { name: "Light" }).click();
  await expect(page.getByRole("alert").filter({ hasText: unreachable })).toBeVisible();
  await page.context().setOffline(false);
  await field.click();
  await field.fill("one\ntwo");
  await page.reload();
  expect(dialogs).toEqual(["beforeunload"]);
});

test("colours chosen on a page that answers a form do not send it again", async ({ page }) => {
  await fillLogIn(page, newName("stranger"), "not the password");
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") sent.push(new URL(request.url()).pathname);
  });
  // By the browser, as before the script has loaded.
  await page.getByLabel("Password").evaluate((field: HTMLInputElement) => field.form?.submit());
  await expect(page.getByText("The username or the password is wrong.")).toBeVisible();
  await chooseColours(page, "Dark");
  expect(sent).toEqual(["/login", "/theme"]);
});

test("colours that a site of another version does not take keep the visitor’s page, with a message", async ({
  page,
  faults,
}) => {
  faults.expectStatus(404);
  await page.goto("/");
  await page.route("/theme", (route) =>
    route.fulfill({ status: 404, headers: { "x-nextjs-action-not-found": "1" }, body: "" }),
  );
  await page.getByRole("button", { name: "Dark" }).click();
  const failed = page.getByRole("contentinfo").getByRole("alert");
  await expect(failed).toHaveText(/^Something went wrong on the server\. Nothing you entered is lost\./);
});

test("pasted times are in the lab again after going back", async ({ page }) => {
  await page.goto("/lab");
  await page.locator("select[name=trace]").selectOption("times");
  await page.locator("textarea[name=times]").fill("0 1 2");
  await page.getByRole("contentinfo").getByRole("link").first().click();
  await expect(page).toHaveURL("/how-scores-work");
  await page.goBack();
  await expect(page.locator("textarea[name=times]")).toHaveValue("0 1 2");
});
