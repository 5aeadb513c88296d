/**
 * An administrator finds and changes a person's account.
 * Their role, sessions and disabling.
 */
import { makeAdministrator, password, publish, rate, signUp } from "./people.ts";
import { expect, mainServer, test } from "./test.ts";

test("finds a person, changes their role, logs them out, and disables them after a preview", {
  tag: "@without-javascript",
}, async ({ openBrowser, request }) => {
  const administrator = await signUp(await openBrowser(), "keeper");
  await makeAdministrator(mainServer, administrator);
  const { page } = administrator;
  const slug = await publish(administrator);
  const person = await signUp(await openBrowser(), "person");
  await rate(person, slug, 0);

  await page.goto("/admin");
  await page.getByRole("link", { name: "People", exact: true }).click();
  await page.getByRole("searchbox", { name: "Search people" }).fill(`${person.username}@`);
  await page
    .getByRole("search")
    .filter({ has: page.getByRole("searchbox", { name: "Search people" }) })
    .getByRole("button", { name: "Search" })
    .click();
  await page.getByRole("link", { name: person.username, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(person.username);

  const role = page.locator("#role");
  await role.getByRole("combobox", { name: "New role" }).selectOption("Moderator");
  await role.getByRole("button", { name: "Change the role" }).click();
  await expect(page.getByText("Say why in a sentence.")).toBeVisible();
  await expect(role.getByRole("combobox", { name: "New role" })).toHaveValue("moderator");
  await role.getByRole("textbox", { name: "Reason" }).fill("They know the place.");
  await role.getByRole("button", { name: "Change the role" }).click();
  await expect(page.getByRole("status").filter({ hasText: "The role is changed." })).toBeVisible();
  await person.page.goto("/");
  await expect(person.page.getByRole("link", { name: "Moderation", exact: true })).toBeVisible();

  await page.getByRole("button", { name: "Log out everywhere" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Logged out." })).toBeVisible();
  await expect(page.getByText("Not logged in anywhere.")).toBeVisible();
  await person.page.goto("/account");
  await expect(person.page.getByRole("button", { name: "Log in" })).toBeVisible();

  const disabling = page.locator("#disable");
  await disabling.getByRole("textbox", { name: "Reason" }).fill("A raid.");
  await disabling.getByRole("button", { name: "See what disabling would change" }).click();
  await expect(disabling.getByText("1 rating of 1 post would leave the scores.")).toBeVisible();
  await disabling.getByRole("button", { name: "Disable 1 account" }).click();
  await expect(page.getByRole("status").filter({ hasText: "The account is disabled." })).toBeVisible();
  await expect(disabling.getByRole("button", { name: "See what enabling would change" })).toBeVisible();
  const count = async () => (await (await request.get(`/api/posts/${slug}/score`)).json()).count;
  await expect.poll(count).toBe(0);

  await page.getByRole("link", { name: "Decisions", exact: true }).click();
  const log = page.locator("#log").getByRole("listitem").filter({ hasText: person.username });
  await expect(log).toContainText([
    /^Disabled: .*by keeper-.*: A raid\./,
    /^Logged out: .*by keeper-/,
    /^Made a moderator: .*by keeper-.*: They know the place\./,
  ]);
});

test("makes an administrator only with the password, who cannot be disabled then", {
  tag: "@without-javascript",
}, async ({ openBrowser }) => {
  const administrator = await signUp(await openBrowser(), "keeper");
  await makeAdministrator(mainServer, administrator);
  const { page } = administrator;
  const person = await signUp(await openBrowser(), "person");
  await page.goto(`/admin/people/${person.username}`);
  const role = page.locator("#role");
  const ownPassword = role.getByLabel("Your password");
  await expect(ownPassword).toBeHidden();
  const change = async (to: string, currentPassword: string) => {
    await role.getByRole("combobox", { name: "New role" }).selectOption(to);
    await role.getByRole("textbox", { name: "Reason" }).fill("They know the place.");
    await ownPassword.fill(currentPassword);
    await role.getByRole("button", { name: "Change the role" }).click();
  };
  await change("Administrator", "not the password");
  await expect(role.getByText("This is not your password.")).toBeVisible();
  await change("Administrator", password);
  await expect(page.getByRole("status").filter({ hasText: "The role is changed." })).toBeVisible();
  await person.page.goto("/admin/people");
  await expect(person.page.getByRole("searchbox", { name: "Search people" })).toBeVisible();
  await expect(page.locator("#disable").getByRole("button")).toHaveCount(0);
  await change("Reader", password);
  await expect(ownPassword).toBeHidden();
  await expect(page.locator("#disable").getByRole("button")).toHaveCount(1);
});

test("an administrator's own role, sessions and account stay", async ({ openBrowser }) => {
  const administrator = await signUp(await openBrowser(), "keeper");
  await makeAdministrator(mainServer, administrator);
  const { page } = administrator;
  await page.goto(`/admin/people/${administrator.username}`);
  await expect(page.getByText("Your own role can only be changed by another administrator.")).toBeVisible();
  await expect(page.getByText("You cannot disable your own account.")).toBeVisible();
  await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
});
