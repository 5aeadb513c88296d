/**
 * Registering from a form:
 * challenge, approval, invitations, without JavaScript too.
 */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright/test";
import { userNamed } from "../db/contract/setting.ts";
import { openDatabase } from "../db/index.ts";
import { createAccount } from "../lib/users/manage.ts";
import {
  expectStatus,
  giveStars,
  inDatabase,
  makeAdministrator,
  newName,
  type Person,
  password,
  postPath,
  publish,
  ratingPath,
  signUp,
} from "./people.ts";
import type { Server } from "./server.ts";
import { expect, test } from "./test.ts";

test("without JavaScript a form that is sent too early keeps the typed text and shows when to try again", {
  tag: "@without-javascript",
}, async ({ sharedServer, openBrowser, javaScriptEnabled }) => {
  const page = await openBrowser(await sharedServer({ REGISTRATION_WAIT_SECONDS: "600" }));
  await page.goto("/register");
  const username = newName("early");
  await page.getByRole("textbox", { name: "Username" }).fill(username);
  await page.getByRole("textbox", { name: "Email" }).fill(`${username}@example.org`);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  if (javaScriptEnabled) {
    // The browser solves the challenge instead.
    await expect(page.getByRole("link", { name: `Your account, ${username}` })).toBeVisible();
    return;
  }
  await expect(page.getByRole("status").filter({ hasText: "That was quick." })).toBeVisible();
  await expect(page.getByText(/^You can try again in \d+ minutes\.$/)).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Username" })).toHaveValue(username);
  await expect(page.getByRole("textbox", { name: "Email" })).toHaveValue(`${username}@example.org`);
});

test("a form whose challenge was used works when its button is pressed once more", async ({
  page,
  openBrowser,
}) => {
  const fill = async (username: string) => {
    await page.getByRole("textbox", { name: "Username" }).fill(username);
    await page.getByRole("textbox", { name: "Email" }).fill(`${username}@example.org`);
    await page.getByLabel("Password").fill(password);
  };
  const challenge = page.locator("input[name=challenge]");
  const solution = page.locator("input[name=solution]");
  await page.goto("/register");
  await expect(solution).toHaveValue(/counter/);
  const spender = await openBrowser();
  const name = newName("spender");
  const answer = await spender.request.post("/api/users", {
    data: {
      username: name,
      email: `${name}@example.org`,
      password,
      challenge: JSON.parse(await challenge.inputValue()),
      solution: JSON.parse(await solution.inputValue()),
    },
  });
  expect(answer.status()).toBe(201);
  const username = newName("again");
  await fill(username);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("status").filter({ hasText: "This form was open for too long" })).toBeVisible();
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("link", { name: `Your account, ${username}` })).toBeVisible();
});

test("an account that waits for approval can rate only after an administrator has approved it", {
  tag: "@without-javascript",
}, async ({ sharedServer, openBrowser }) => {
  const server = await sharedServer({ REGISTRATION: "approval" });
  const administrator = await signUp(await openBrowser(server), "keeper");
  await makeAdministrator(server, administrator);
  const slug = await publish(administrator);

  const page = await openBrowser(server);
  const username = newName("waiting");
  await page.goto(postPath(slug));
  await page.getByRole("button", { name: "4 stars" }).click();
  await expect(page.getByText("Log in, and your rating of 4 stars is saved.")).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Register" }).click();
  await expect(page.getByText("as soon as an administrator of this site has approved")).toBeVisible();
  await expect(page.getByText("Your rating of 4 stars is saved as soon as")).toHaveCount(0);
  await expect(page.getByText("Choose your 4 stars again once it can.")).toBeVisible();
  await fillRegistration(page, username);
  await expect(page.getByText("Your account is waiting for an administrator")).toBeVisible();
  await expect(page.getByText("Your choice of 4 stars was not saved.")).toBeVisible();
  for (const path of ["/account", "/posts/new", postPath(slug)]) {
    await page.goto(path);
    await expect(page.getByText("Your account is waiting for an administrator")).toBeVisible();
    await expect(page.getByRole("button", { name: "Publish" })).toHaveCount(0);
    await expect(page.getByRole("radiogroup", { name: "Your rating" })).toHaveCount(0);
  }
  const refused = await page.request.post(ratingPath(slug), { data: { score: 0 } });
  expect(refused.status()).toBe(403);
  expect((await refused.json()).detail).toContain("is waiting for an administrator’s approval");

  const other = await signUp(await openBrowser(server), "unwanted");
  await administrator.page.goto("/admin/people");
  await administrator.page.getByRole("button", { name: `Reject ${other.username}` }).click();
  await expect(administrator.page.getByRole("status").getByText("1 account rejected.")).toBeVisible();
  await expect(administrator.page.getByRole("button", { name: `Reject ${other.username}` })).toHaveCount(0);
  await administrator.page.getByRole("button", { name: `Approve ${username}` }).click();
  await expect(administrator.page.getByRole("status").getByText("1 account approved.")).toBeVisible();
  await expect(administrator.page.getByRole("button", { name: `Approve ${username}` })).toHaveCount(0);
  await page.goto(postPath(slug));
  await expect(page.getByRole("radiogroup", { name: "Your rating" })).toBeVisible();
  await other.page.goto("/account");
  await expect(other.page.getByRole("button", { name: "Log in" })).toBeVisible();
});

test("an administrator finds waiting accounts by name and network, and decides on several in one act", {
  tag: "@without-javascript",
}, async ({ sharedServer, openBrowser }) => {
  const server = await sharedServer({ REGISTRATION: "approval" });
  const administrator = await signUp(await openBrowser(server), "keeper");
  const { page } = administrator;
  await makeAdministrator(server, administrator);
  const group = newName("group").slice(0, 14);
  const database = await openDatabase(server.databaseUrl);
  for (let number = 1; number <= 33; number += 1)
    await database.users.insert(
      userNamed(`${group}-${number}`, {
        pendingSince: Date.now(),
        pendingNetwork: number > 30 ? "00000000000000aa" : "00000000000000bb",
      }),
    );
  await database.close();
  await page.goto("/admin");
  await page.getByRole("link", { name: "See the waiting accounts" }).click();
  await page.getByRole("searchbox", { name: "Search waiting accounts" }).fill(group.toUpperCase());
  await page.locator("#new-accounts").getByRole("button", { name: "Search" }).click();
  await expect(page.getByText("Page 1 of 2")).toBeVisible();
  await page.getByRole("checkbox", { name: `${group}-2`, exact: true }).check();
  await page.getByRole("checkbox", { name: `${group}-3`, exact: true }).check();
  const status = page.getByRole("status").filter({ hasText: "account" });
  await page.getByRole("button", { name: "Approve selected" }).click();
  await expect(status).toHaveText("2 accounts approved.");
  await expect(page.getByText("31 accounts")).toBeVisible();
  // Twice the same: the list changes each time.
  for (const left of [30, 29]) {
    await page
      .getByRole("button", { name: new RegExp(`^Approve ${group}`) })
      .first()
      .click();
    await expect(page.getByText(`${left} accounts`)).toBeVisible();
  }
  await page.getByRole("link", { name: `2 more from the same network as ${group}-31` }).click();
  await page.getByRole("link", { name: "Select all on this page" }).click();
  await page.getByRole("button", { name: "Reject selected" }).click();
  await expect(status).toHaveText("3 accounts rejected.");
  await page.getByRole("link", { name: "Show all" }).click();
  await page.getByRole("button", { name: "Reject selected" }).click();
  await expect(page.getByText("No account was selected: nothing was changed.")).toBeVisible();

  // An address that did not come from the server's action has no notice.
  await page.goto("/admin/people?done=rejected-9999-0");
  await expect(page.getByRole("heading", { name: "Waiting for approval" })).toBeVisible();
  await expect(page.getByText("rejected.")).toHaveCount(0);
  await page.goto("/admin/decisions");
  await expect(page.getByText(`Rejected: ${group}-31, ${group}-32 and ${group}-33`)).toBeVisible();
});

test("an invitation makes one account where registering takes one", { tag: "@without-javascript" }, async ({
  sharedServer,
  openBrowser,
}) => {
  const server = await sharedServer({ REGISTRATION: "invitation" });
  const { page: administrator } = await createdPerson(server, await openBrowser(server));

  const page = await openBrowser(server);
  await page.goto("/register");
  await expect(page.getByText("You need an invitation to create an account here")).toBeVisible();
  await expect(page.getByRole("button", { name: "Create account" })).toHaveCount(0);

  await administrator.goto("/admin/people");
  const note = newName("For a friend");
  await administrator.getByRole("textbox", { name: "Note" }).fill(note);
  await administrator.getByRole("button", { name: "Create invitation" }).click();
  const link = await administrator.getByRole("textbox", { name: "New invitation" }).inputValue();

  await page.goto(link);
  await expect(page.getByText("You are invited")).toBeVisible();
  const username = newName("invited");
  await fillRegistration(page, username);
  await expect(page.getByRole("link", { name: `Your account, ${username}` })).toBeVisible();

  const late = await openBrowser(server);
  await late.goto(link);
  await expect(late.getByText("This invitation was used before, or has expired.")).toBeVisible();
  await expect(late.getByRole("button", { name: "Create account" })).toHaveCount(0);
  await administrator.goto("/admin/people");
  await expect(administrator.getByRole("listitem").filter({ hasText: note })).toContainText([
    `used by ${username}`,
  ]);
  await administrator.goto("/admin/decisions");
  await expect(administrator.getByRole("listitem").filter({ hasText: note })).toContainText([
    `Used an invitation: ${username}`,
    "Made an invitation",
  ]);
});

test("a new account's rating is shown to its rater, and does not count yet", {
  tag: "@without-javascript",
}, async ({ sharedServer, openBrowser, javaScriptEnabled }) => {
  const server = await sharedServer({ NEW_ACCOUNT_HOURS: "24" });
  const author = await signUp(await openBrowser(server), "author");
  const slug = await publish(author);
  const { page } = await signUp(await openBrowser(server), "newcomer");
  await page.goto(postPath(slug));
  await giveStars(page, "2 stars", javaScriptEnabled);
  await expect(page.getByText("Not counted yet: your account is new")).toBeVisible();
  await expect(page.getByText("Saved as 2 stars")).toBeVisible();
  await page.goto(postPath(slug));
  await expect(page.getByRole("radio", { name: "2 stars" })).toBeChecked();
  const changed = await page.request.put(ratingPath(slug), { data: { score: 4 } });
  expect(await changed.json()).toEqual({ score: 4, countsFrom: expect.stringMatching(/Z$/) });
  const score = await page.request.get(`/api${postPath(slug)}/score`);
  expect(await score.json()).toMatchObject({ count: 0, average: null });
  expect((await page.request.delete(ratingPath(slug))).status()).toBe(204);
  await page.goto(postPath(slug));
  await expect(page.getByText("Not counted yet")).toHaveCount(0);
});

test("a program registers by the example of the documentation", async ({ sharedServer }, testInfo) => {
  const { origin } = await sharedServer({ REGISTRATION_CHALLENGE_COST: "50" });
  const documentation = readFileSync(join(import.meta.dirname, "../docs/operations.md"), "utf8");
  const program = testInfo.outputPath("register.mjs");
  writeFileSync(program, /```js\n(import \{ pbkdf2Sync \}.*?)```/s.exec(documentation)?.[1] ?? "");
  const username = newName("program");
  const account = [username, `${username}@example.org`, password];
  const { stdout } = await promisify(execFile)(process.execPath, [program, origin, ...account]);
  expect(stdout).toContain(`201 {"username":"${username}"`);
});

test("a closed site has no form to register with", async ({ sharedServer, openBrowser }) => {
  const page = await openBrowser(await sharedServer({ REGISTRATION: "closed" }));
  await page.goto("/register");
  await expect(page.getByText("This site takes no new accounts at the moment.")).toBeVisible();
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Register" })).toHaveCount(0);
});

test("a post of a closed site leads a visitor's stars to the log-in alone", async ({
  sharedServer,
  openBrowser,
}) => {
  const server = await sharedServer({ REGISTRATION: "closed" });
  const slug = await publish(await createdPerson(server, await openBrowser(server)));
  const page = await openBrowser(server);
  await page.goto(postPath(slug));
  await expect(page.getByText("This site takes no new accounts at the moment.")).toBeVisible();
  await page.getByRole("button", { name: "4 stars" }).click();
  await expect(page.getByText("Log in, and your rating of 4 stars is saved.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Register" })).toHaveCount(0);
});

/** A new administrator, where a person cannot register; logged in on this page. */
async function createdPerson(server: Server, page: Page): Promise<Person> {
  const username = newName("keeper");
  const input = { username, email: `${username}@example.org`, password };
  await inDatabase(server, (database) =>
    createAccount({ database }, { input, isAdministrator: true, now: Date.now() }),
  );
  await expectStatus(page.request.post("/api/session", { data: { username, password } }), 200);
  return { username, page };
}

async function fillRegistration(page: Page, username: string) {
  await page.getByRole("textbox", { name: "Username" }).fill(username);
  await page.getByRole("textbox", { name: "Email" }).fill(`${username}@example.org`);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
}
