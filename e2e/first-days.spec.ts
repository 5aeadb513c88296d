/** A new blog: empty, with a first account, with an administrator at work. */
import { makeAdministrator, newName, password, postPath, publish, signUp } from "./people.ts";
import { expectSound } from "./soundness.ts";
import { expect, mainServer, test } from "./test.ts";

test("an empty blog shows the first steps until there is a post", async ({ startServer, openBrowser }) => {
  const server = await startServer();
  const page = await openBrowser(server);
  await page.goto("/");
  await expect(page.getByText("Nothing has been written here yet.")).toBeVisible();
  await expect(page.getByText("npm run demo")).toBeVisible();
  await expect(page.getByRole("link", { name: "Create the first account" })).toBeVisible();
  await page.goto("/how-scores-work");
  await page.getByRole("banner").getByRole("link", { name: "Register" }).click();
  await expect(page.getByText("This is the first account: it becomes the administrator’s.")).toBeVisible();
  const username = newName("first");
  await page.getByRole("textbox", { name: "Username" }).fill(username);
  await page.getByRole("textbox", { name: "Email" }).fill(`${username}@example.org`);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Your site is ready" })).toBeVisible();
  await expectSound(page);
  await expect(page).toHaveURL(({ pathname }) => pathname === "/admin/welcome");
  await page.getByRole("link", { name: "Later" }).click();
  await expect(page.getByRole("link", { name: "Write the first post" })).toBeVisible();
  await page.getByRole("link", { name: "Or set up the site first" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Your site is ready" })).toBeVisible();

  const visitor = await openBrowser(server);
  await visitor.goto("/");
  await expect(visitor.getByText("Log in to write the first post.")).toBeVisible();
  await page.goto("/account");
  await expect(page.getByText(/^You are logged in as .* an administrator/)).toBeVisible();
  await page.goto("/");
  await page.getByRole("link", { name: "Write the first post" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill("The first post");
  await page.getByRole("textbox", { name: "Content" }).fill("Words.");
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "The first post" })).toBeVisible();
  await visitor.goto("/");
  await expect(visitor.getByRole("listitem")).toHaveText(/The first post.*Not rated yet/);
  for (const path of ["/feed.xml", "/sitemap.xml"]) await expect(visitor.request.get(path)).resolves.toBeOK();
});

test("the first administrator sets up the site with one form, which leads to the editor for a first post", {
  tag: "@without-javascript",
}, async ({ startServer, openBrowser, faults }) => {
  const server = await startServer();
  const { page } = await signUp(await openBrowser(server), "first");
  await page.goto("/admin/welcome");
  await page.getByLabel("Name", { exact: true }).fill("N".repeat(500));
  await page.getByLabel("Who may write").selectOption("approved");
  await page.getByRole("button", { name: "Save and write the first post" }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("Who may write")).toHaveValue("approved");
  const visitor = await openBrowser(server);
  await visitor.goto("/");
  await expect(visitor).toHaveTitle("Weir");

  await page.getByLabel("Name", { exact: true }).fill("Still Water");
  await page.getByRole("button", { name: "Save and write the first post" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Write a post" })).toBeVisible();
  await expect(page.getByText("Your changes are saved.")).toBeVisible();
  await expect(page.getByRole("banner").getByRole("link", { name: "Still Water" })).toBeVisible();
  await page.getByRole("textbox", { name: "Title" }).fill("The first post");
  await page.getByRole("textbox", { name: "Content" }).fill("Words.");
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "The first post" })).toBeVisible();
  await visitor.reload();
  await expect(visitor).toHaveTitle("Still Water");
  await page.goto("/admin/welcome");
  await page.getByRole("link", { name: "settings", exact: true }).click();
  await expect(page.getByLabel("Who may write")).toHaveValue("approved");

  const reader = await signUp(await openBrowser(server), "second");
  faults.expectStatus(403);
  expect((await reader.page.goto("/admin/welcome"))?.status()).toBe(403);
});

test("a first administrator made by a program comes to the set-up of a new site by logging in", {
  tag: "@without-javascript",
}, async ({ startServer, openBrowser }) => {
  const server = await startServer({ REGISTRATION_CHALLENGE: "off" });
  const username = newName("first");
  const made = await fetch(`${server.origin}/api/users`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username, email: `${username}@example.org`, password }),
  });
  expect(made.status).toBe(201);
  const page = await openBrowser(server);
  await page.goto("/");
  await page.getByRole("main").getByRole("link", { name: "Log in" }).click();
  const logIn = async () => {
    await page.getByRole("textbox", { name: "Username" }).fill(username);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Log in" }).click();
  };
  await logIn();
  await expect(page).toHaveURL(({ pathname }) => pathname === "/admin/welcome");
  await page.getByRole("link", { name: "Later" }).click();
  await page.goto("/admin");
  await page.getByRole("link", { name: "Set up its name, its language" }).click();
  await page.getByRole("combobox", { name: "Language" }).selectOption("فارسی");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page).toHaveURL(({ pathname }) => pathname === "/");
  const german = await fetch(server.origin, { headers: { "accept-language": "de" } });
  expect(await german.text()).toMatch(/<html[^>]* lang="fa"/);
  await page.goto("/admin");
  await expect(page.getByText("Nothing needs a decision.")).toBeVisible();

  await page.getByRole("button", { name: "Log out", exact: true }).click();
  await page.getByRole("banner").getByRole("link", { name: "Log in" }).click();
  await logIn();
  await expect(page).toHaveURL(({ pathname }) => pathname === "/");
});

test("an administrator may delete any post, and not edit it", { tag: "@without-javascript" }, async ({
  openBrowser,
  faults,
}) => {
  const administrator = await signUp(await openBrowser(), "administrator");
  await makeAdministrator(mainServer, administrator);
  const { page } = administrator;
  const author = await signUp(await openBrowser(), "author");
  const slug = await publish(author);
  faults.expectStatus(403);
  const answer = await page.goto(`${postPath(slug)}/edit`);
  expect(answer?.status()).toBe(403);
  await page.goto(postPath(slug));
  await expect(page.getByRole("link", { name: "Edit" })).toHaveCount(0);
  await page.getByText("Delete…").click();
  await page.getByRole("button", { name: "Delete this post" }).click();
  await expect(page).toHaveURL(({ pathname }) => pathname === "/");
  faults.expectStatus(404);
  const gone = await author.page.goto(postPath(slug));
  expect(gone?.status()).toBe(404);
});

test("an administrator disables a user, whose session ends at once, and lets them in again", {
  tag: "@without-javascript",
}, async ({ openBrowser }) => {
  const administrator = await signUp(await openBrowser(), "administrator");
  await makeAdministrator(mainServer, administrator);
  const { page } = administrator;
  const user = await signUp(await openBrowser(), "user");
  const slug = await publish(user);
  const bystander = await signUp(await openBrowser());
  await bystander.page.goto(`/users/${user.username}`);
  await expect(bystander.page.getByRole("link", { name: "Manage this account" })).toHaveCount(0);

  const change = async (kind: "disabl" | "enabl", button: string) => {
    await page.locator("#disable").getByRole("textbox", { name: "Reason" }).fill("A raid.");
    await page.getByRole("button", { name: `See what ${kind}ing would change` }).click();
    await page.getByRole("button", { name: button }).click();
    await expect(page.getByText(`The account is ${kind}ed.`)).toBeVisible();
  };
  await page.goto(`/users/${user.username}`);
  await page.getByRole("link", { name: "Manage this account" }).click();
  await change("disabl", "Disable 1 account");
  await bystander.page.reload();
  await expect(bystander.page.getByText("this account is disabled")).toBeVisible();
  await user.page.goto("/account");
  await expect(user.page).toHaveURL(`/login?next=%2Faccount`);
  await user.page.getByRole("textbox", { name: "Username" }).fill(user.username);
  await user.page.getByLabel("Password").fill(password);
  await user.page.getByRole("button", { name: "Log in" }).click();
  await expect(user.page.getByText("This account is disabled. Ask the administrator.")).toBeVisible();
  await page.goto(postPath(slug));
  await expect(page.getByRole("article")).toBeVisible();

  await page.goto(`/users/${user.username}`);
  await page.getByRole("link", { name: "Manage this account" }).click();
  await change("enabl", "Enable 1 account");
  await user.page.getByLabel("Password").fill(password);
  await user.page.getByRole("button", { name: "Log in" }).click();
  await expect(user.page.getByRole("heading", { level: 1, name: "Your account" })).toBeVisible();
});
