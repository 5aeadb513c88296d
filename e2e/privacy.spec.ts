/** The page about the kept personal data, and a person's copy of theirs. */
import { buffer } from "node:stream/consumers";
import { filesIn } from "../testing/archive.ts";
import { beginDeletion, chooseColours, newName, password, publish, signUp } from "./people.ts";
import { expect, test } from "./test.ts";

test("the privacy page has the periods and cookies in force, and the operator's own words", async ({
  startServer,
  openBrowser,
}) => {
  const server = await startServer({
    SESSION_IDLE_DAYS: "11",
    SESSION_MAXIMUM_DAYS: "23",
    ATTEMPTS_KEPT_DAYS: "37",
    REGISTRATION: "approval",
    PRIVACY_NOTE: "Run by two people in Utrecht.",
  });
  const visitor = await openBrowser(server);
  await visitor.goto("/");
  await visitor.getByRole("link", { name: "Privacy" }).click();
  const article = visitor.getByRole("article");
  await expect(article).toContainText("Run by two people in Utrecht.");
  await expect(article).toContainText("at the latest 23 days after logging in or 11 days without use");
  await expect(article).toContainText("37 days; after you delete your account");
  await expect(article).toContainText("while your account waits for approval");
  await expect(article).not.toContainText("Emails that the site sends you");

  const { page } = await signUp(await openBrowser(server), "reader");
  await page.goto("/");
  await chooseColours(page, "Dark");
  await page.goto("/privacy");
  const listed = await page.locator("#cookies ~ dl code").allTextContents();
  const set = (await page.context().cookies()).map(({ name }) => name);
  expect(set.length).toBeGreaterThan(2);
  expect(listed).toEqual(expect.arrayContaining(set));
  await page.getByRole("link", { name: "Download everything" }).click();
  await expect(page).toHaveURL("/account/export");
  await page.getByLabel("Your password").fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("link", { name: "delete your account" }).click();
  await expect(page.getByRole("button", { name: "Delete account" })).toBeVisible();
});

test("a request of an archive's headers makes none: it is not on record and counts under no limit", async ({
  startServer,
  openBrowser,
}) => {
  const { page, username } = await signUp(await openBrowser(await startServer({})), "keeper");
  const { request } = page;
  const paths = [
    "/site-export.zip",
    `/account-data.zip?of=${username}`,
    "/api/export",
    `/api/users/${username}/export`,
  ];
  for (const path of paths) {
    const answer = await request.head(path);
    expect([answer.status(), answer.headers()["content-type"]], path).toEqual([200, "application/zip"]);
    expect(answer.headers()["content-disposition"], path).toContain("attachment;");
  }
  const changes = await (await request.get("/api/account-changes")).json();
  expect(changes.items.map(({ kind }: { kind: string }) => kind)).not.toContain("export-site");
  expect(changes.items.map(({ kind }: { kind: string }) => kind)).not.toContain("export-account");
  expect((await request.head("/account-data.zip?of=nobody")).status()).toBe(404);
  // As many as the limit allows at once.
  for (const path of paths.slice(1)) expect((await request.get(path)).status(), path).toBe(200);
  expect((await request.get("/site-export.zip")).status()).toBe(429);
});

test("a person downloads their data before they leave", { tag: "@without-javascript" }, async ({ page }) => {
  const { username } = await signUp(page);
  const title = newName("A pond");
  await publish({ page, username: "" }, { title, content: "Still water." });
  await page.goto("/account/export?ticket=expired&leave=yes");
  const lastPassword = page.locator("#delete-account").getByLabel("Your password");
  await expect(page.getByRole("status")).toContainText("This download has expired.");
  await lastPassword.fill("not the password");
  await page.getByRole("button", { name: "Delete account" }).click();
  await expect(lastPassword).toHaveAccessibleDescription("This is not your password.");
  await beginDeletion(page);
  await expect(page.getByRole("heading", { level: 1, name: "Delete account" })).toBeVisible();
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download the archive" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^my-data-\d{4}-\d\d-\d\d\.zip$/);
  const files = await filesIn(await buffer(await download.createReadStream()));
  expect([...files.values()].join("\n")).toContain(title);
  expect((await page.request.get(`/users/${username}`)).status()).toBe(200);
  await lastPassword.fill(password);
  await page.getByRole("button", { name: "Delete account" }).click();
  await expect(page).toHaveURL("/");
  expect((await page.request.get(`/users/${username}`)).status()).toBe(404);
});
